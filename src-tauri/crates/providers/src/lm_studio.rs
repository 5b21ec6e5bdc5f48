//! LM Studio's own API: what it has, and fetching a model. It deletes models only in its window.

use crate::connection::Connection;
use crate::document::document;
use crate::endpoint::EndpointConfig;
use crate::served::{LIST_LIMIT, PullProgress, ServedModel};
use namma_core::ports::ProviderError;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

const LIMIT: Duration = Duration::from_secs(10);

/// An LM Studio on this computer. Touches no network until it is asked.
pub struct LmStudio {
    connection: Connection,
}

/// What became of a wish for a model.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Done,
    Running(PullProgress),
}

#[derive(Deserialize)]
struct Job {
    job_id: Option<String>,
    status: String,
    total_size_bytes: Option<u64>,
    downloaded_bytes: Option<u64>,
}

impl LmStudio {
    /// The one at that address, for example `http://127.0.0.1:1234`.
    pub fn at(address: Url) -> Self {
        Self { connection: Connection::new(EndpointConfig::new("LM Studio", address)) }
    }

    /// The models it has, those for chat only.
    ///
    /// # Errors
    /// When it does not answer within two seconds, or with something else.
    pub async fn models(&self) -> Result<Vec<ServedModel>, ProviderError> {
        #[derive(Deserialize)]
        struct List {
            data: Vec<Listed>,
        }
        #[derive(Deserialize)]
        struct Listed {
            id: String,
            #[serde(rename = "type")]
            kind: Option<String>,
        }
        let deadline = Instant::now() + LIST_LIMIT;
        let response = self.connection.send("api/v0/models", None, "", deadline).await?;
        let list: List = document(response, deadline, "a list of models").await?;
        let may_chat = |model: &Listed| model.kind.as_deref() != Some("embeddings");
        Ok(list.data.into_iter().filter(may_chat).map(|model| ServedModel { name: model.id, bytes: None }).collect())
    }

    /// Begins to fetch a model: a name of its catalogue, or the address of a repository of models.
    /// `None` means that it is there already; otherwise the number of the job.
    ///
    /// # Errors
    /// `BadRequest` with status 404 when this LM Studio is too old to be asked.
    pub async fn begin(&self, name: &str) -> Result<Option<String>, ProviderError> {
        let body = json!({ "model": name }).to_string().into_bytes();
        let deadline = Instant::now() + LIMIT;
        let response = self.connection.send("api/v1/models/download", Some(body), name, deadline).await?;
        let job: Job = document(response, deadline, "the state of a download").await?;
        match (judge(&job)?, job.job_id) {
            (State::Done, _) => Ok(None),
            (State::Running(_), Some(id)) => Ok(Some(id)),
            // Nobody could ask how far it is.
            (State::Running(_), None) => {
                Err(ProviderError::Malformed { what: "a download without a number".to_owned() })
            }
        }
    }

    /// How far a job is; `None` when the model is there. LM Studio says so only when it is asked.
    ///
    /// # Errors
    /// When the download failed there, or it does not answer.
    pub async fn progress(&self, job: &str) -> Result<Option<PullProgress>, ProviderError> {
        let path = format!("api/v1/models/download/status/{job}");
        let deadline = Instant::now() + LIMIT;
        let response = self.connection.send(&path, None, "", deadline).await?;
        let job: Job = document(response, deadline, "the state of a download").await?;
        match judge(&job)? {
            State::Done => Ok(None),
            State::Running(progress) => Ok(Some(progress)),
        }
    }
}

fn judge(job: &Job) -> Result<State, ProviderError> {
    match job.status.as_str() {
        "completed" | "already_downloaded" => Ok(State::Done),
        "downloading" | "paused" => Ok(State::Running(PullProgress {
            done_bytes: job.downloaded_bytes.unwrap_or(0),
            total_bytes: job.total_size_bytes,
        })),
        "failed" => Err(ProviderError::StreamCut { cause: "LM Studio could not download it".into() }),
        other => Err(ProviderError::Malformed { what: format!("a download that is `{other}`") }),
    }
}
