//! Ollama's own API: what it has, fetching a model, deleting one.

use crate::connection::Connection;
use crate::document::document;
use crate::endpoint::EndpointConfig;
use crate::failure::from_stream;
use crate::http::deepest;
use crate::served::{LIST_LIMIT, PullProgress, ServedModel};
use futures_util::stream::{BoxStream, StreamExt, try_unfold};
use namma_core::ports::ProviderError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use url::Url;

/// How long it may take to delete.
const LIMIT: Duration = Duration::from_secs(10);
/// How long a download may say nothing. It checks what it has fetched without a word.
const SILENCE: Duration = Duration::from_secs(300);
const MAX_LINE_BYTES: usize = 64 * 1024;

/// An Ollama on this computer. Touches no network until it is asked.
pub struct Ollama {
    connection: Connection,
}

impl Ollama {
    /// The one at that address, for example `http://127.0.0.1:11434`.
    pub fn at(address: Url) -> Self {
        Self { connection: Connection::new(EndpointConfig::new("Ollama", address)) }
    }

    /// The models it has.
    ///
    /// # Errors
    /// When it does not answer within two seconds, or with something else.
    pub async fn models(&self) -> Result<Vec<ServedModel>, ProviderError> {
        #[derive(Deserialize)]
        struct Tags {
            models: Vec<Tagged>,
        }
        #[derive(Deserialize)]
        struct Tagged {
            name: String,
            size: Option<u64>,
        }
        let deadline = Instant::now() + LIST_LIMIT;
        let response = self.connection.send("api/tags", None, "", deadline).await?;
        let tags: Tags = document(response, deadline, "a list of models").await?;
        Ok(tags.models.into_iter().map(|model| ServedModel { name: model.name, bytes: model.size }).collect())
    }

    /// The name under which it lists a model: what nobody tags is the newest.
    pub fn full_name(name: &str) -> String {
        let has_tag = name.rsplit('/').next().is_some_and(|last| last.contains(':'));
        if has_tag { name.to_owned() } else { format!("{name}:latest") }
    }

    /// Fetches a model. The stream ends when the model is there; dropping it stops the download,
    /// and Ollama goes on where it was the next time.
    pub fn pull(&self, name: &str) -> BoxStream<'static, Result<PullProgress, ProviderError>> {
        let connection = self.connection.clone();
        let name = name.to_owned();
        let asked = async move {
            let body = json!({ "model": name, "name": name, "stream": true }).to_string().into_bytes();
            let response = connection.send("api/pull", Some(body), &name, Instant::now() + SILENCE).await?;
            let endpoint = connection.endpoint.clone();
            let pull = Pull { response, endpoint, name, unread: Vec::new(), parts: HashMap::new(), is_done: false };
            Ok(try_unfold(pull, Pull::next))
        };
        futures_util::stream::once(asked).flat_map(flatten).boxed()
    }

    /// Deletes a model.
    ///
    /// # Errors
    /// When there is no such model, or it does not answer.
    pub async fn delete(&self, name: &str) -> Result<(), ProviderError> {
        let body = json!({ "model": name, "name": name }).to_string().into_bytes();
        self.connection.delete("api/delete", body, name, Instant::now() + LIMIT).await?;
        Ok(())
    }
}

fn flatten<S>(opened: Result<S, ProviderError>) -> BoxStream<'static, Result<PullProgress, ProviderError>>
where
    S: futures_util::Stream<Item = Result<PullProgress, ProviderError>> + Send + 'static,
{
    match opened {
        Ok(stream) => stream.boxed(),
        Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
    }
}

/// A download as it is told: one JSON object a line.
struct Pull {
    response: reqwest::Response,
    endpoint: std::sync::Arc<EndpointConfig>,
    name: String,
    unread: Vec<u8>,
    /// Done and total of each part, by its digest.
    parts: HashMap<String, (u64, u64)>,
    is_done: bool,
}

impl Pull {
    async fn next(mut self) -> Result<Option<(PullProgress, Self)>, ProviderError> {
        loop {
            if self.is_done {
                return Ok(None);
            }
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                if let Some(progress) = self.take(&line)? {
                    return Ok(Some((progress, self)));
                }
                continue;
            }
            if self.unread.len() > MAX_LINE_BYTES {
                return Err(unexpected("a line without end"));
            }
            let piece = timeout(SILENCE, self.response.chunk()).await;
            let piece = piece.map_err(|_| ProviderError::TimedOut { seconds: SILENCE.as_secs() })?;
            match piece.map_err(|error| ProviderError::StreamCut { cause: deepest(&error) })? {
                Some(piece) => self.unread.extend_from_slice(&piece),
                // The last line may lack its end.
                None if self.unread.is_empty() => {
                    return Err(ProviderError::StreamCut { cause: "the download ended early".into() });
                }
                None => self.unread.push(b'\n'),
            }
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<Option<PullProgress>, ProviderError> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let line: Value = serde_json::from_slice(line).map_err(|_| unexpected("a line that is not JSON"))?;
        if line.get("error").is_some() {
            return Err(self.refusal(&line["error"]));
        }
        self.is_done = line["status"] == "success";
        if let (Some(digest), Some(total)) = (line["digest"].as_str(), line["total"].as_u64()) {
            let done = line["completed"].as_u64().unwrap_or(0);
            self.parts.insert(digest.to_owned(), (done.min(total), total));
        }
        let (done_bytes, total) = self.parts.values().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        Ok(Some(PullProgress { done_bytes, total_bytes: (total > 0).then_some(total) }))
    }

    /// Ollama tells of a model that its library does not have in the middle of the stream.
    fn refusal(&self, error: &Value) -> ProviderError {
        let text = error.as_str().unwrap_or_default();
        if ["does not exist", "not found"].iter().any(|words| text.contains(words)) {
            return ProviderError::ModelNotFound { model: self.name.clone(), message: text.to_owned() };
        }
        from_stream(&self.endpoint, &self.name, error)
    }
}

fn unexpected(what: &str) -> ProviderError {
    ProviderError::Malformed { what: what.to_owned() }
}
