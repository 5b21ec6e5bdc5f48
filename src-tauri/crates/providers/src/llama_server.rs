//! What only llama-server knows: whether it is ready, and how fast it is.

use crate::connection::Connection;
use crate::document::document;
use crate::endpoint::{Dialect, EndpointConfig, Timeouts};
use namma_core::ports::ProviderError;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// How long it may take to say how it is.
const LIMIT: Duration = Duration::from_secs(2);
/// How long the trial may take. With more threads, or fewer, the same model may be fast enough.
const TRIAL_LIMIT: Duration = Duration::from_secs(120);
/// About as many words as an answer needs before its pace is steady.
const TRIAL_TOKENS: u32 = 24;
/// Reading counts as well: each question comes with instructions.
const TRIAL_TEXT: &str = "The river was low that summer, and the boys crossed it on foot where the ferry used to run. \
    They carried their shoes in their hands and counted the stones, and the dog went first, because it knew the way. \
    On the other side stood the old mill, whose wheel had not turned for years, and behind it the road to the town.";

/// How a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerState {
    Ready,
    /// It is there and reads the model.
    Loading,
    /// Nobody answers yet.
    Silent,
}

/// A llama-server of our own. Touches no network until it is asked.
pub struct LlamaServer {
    connection: Connection,
}

impl LlamaServer {
    /// The one at that port of this computer, which answers to this key.
    pub fn at(port: u16, key: &str) -> Result<Self, ProviderError> {
        let endpoint = endpoint(port, "", key, Timeouts::default())?;
        Ok(Self { connection: Connection::new(endpoint) })
    }

    /// Where its model is asked.
    pub fn chat(port: u16, key: &str, timeouts: Timeouts) -> Result<EndpointConfig, ProviderError> {
        endpoint(port, "v1", key, timeouts)
    }

    /// Whether it can be asked.
    ///
    /// # Errors
    /// When something else answers there.
    pub async fn state(&self) -> Result<ServerState, ProviderError> {
        match self.connection.send("health", None, "", Instant::now() + LIMIT).await {
            Ok(_) => Ok(ServerState::Ready),
            Err(ProviderError::ServerFailed { status: 503, .. }) => Ok(ServerState::Loading),
            Err(ProviderError::Unreachable { .. } | ProviderError::TimedOut { .. }) => Ok(ServerState::Silent),
            Err(other) => Err(other),
        }
    }

    /// How long it takes to read a short text and to add some words to it.
    ///
    /// # Errors
    /// When it does not answer within two minutes, or with something else.
    pub async fn trial(&self) -> Result<Duration, ProviderError> {
        #[derive(Deserialize)]
        struct Answer {
            timings: Timings,
        }
        #[derive(Deserialize)]
        struct Timings {
            prompt_ms: f64,
            predicted_ms: f64,
        }
        let body = json!({
            "prompt": TRIAL_TEXT, "n_predict": TRIAL_TOKENS, "ignore_eos": true, "cache_prompt": false, "temperature": 0
        });
        let deadline = Instant::now() + TRIAL_LIMIT;
        let response = self.connection.send("completion", Some(body.to_string().into_bytes()), "", deadline).await?;
        let answer: Answer = document(response, deadline, "an answer with its timings").await?;
        let took = (answer.timings.prompt_ms + answer.timings.predicted_ms) / 1000.0;
        Duration::try_from_secs_f64(took)
            .map_err(|_| ProviderError::Malformed { what: "an answer that took no time".to_owned() })
    }
}

fn endpoint(port: u16, path: &str, key: &str, timeouts: Timeouts) -> Result<EndpointConfig, ProviderError> {
    let address = format!("http://127.0.0.1:{port}/{path}");
    let base_url =
        Url::parse(&address).map_err(|error| ProviderError::Unreachable { address, cause: error.to_string() })?;
    let endpoint =
        EndpointConfig { timeouts, dialect: Dialect::ChatCompletions, ..EndpointConfig::new(LABEL, base_url) };
    Ok(endpoint.with_key(key))
}

/// What people know it by.
const LABEL: &str = "the model on this computer";
