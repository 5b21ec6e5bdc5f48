//! The dialect of `POST /messages` with streaming, as Anthropic speaks it, and llama-server and
//! some gateways after it.
//!
//! As the other dialects it retries nothing, with one exception that is no retry of the same
//! request: a model that says how many tokens it can write at most is asked once more with that
//! number, and it is remembered.

mod request;
mod step;

pub(crate) use step::StepReader;

use crate::connection::Connection;
use crate::endpoint::EndpointConfig;
use crate::names::ChangedNames;
use crate::stream;
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

/// Tokens of one answer when nobody says how many. The dialect wants a number.
const USUAL_MAX_TOKENS: u32 = 16_384;

/// One endpoint that speaks Anthropic's dialect.
pub struct Anthropic {
    connection: Connection,
    /// By model: the most tokens it writes, as it said itself.
    caps: Mutex<HashMap<String, u32>>,
}

impl Anthropic {
    pub fn new(endpoint: EndpointConfig) -> Self {
        Self { connection: Connection::new(endpoint), caps: Mutex::default() }
    }

    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        let wanted = request.max_output_tokens.unwrap_or(USUAL_MAX_TOKENS);
        let max_tokens = self.cap(&request.model).map_or(wanted, |cap| cap.min(wanted));
        match self.attempt(&request, max_tokens).await {
            Err(ProviderError::BadRequest { status: 400, message }) => {
                let stated = stated_cap(&message).filter(|cap| *cap < max_tokens);
                let Some(cap) = stated else { return Err(ProviderError::BadRequest { status: 400, message }) };
                tracing::info!(model = request.model, cap, "the model said how much it can write at most");
                self.caps.lock().unwrap_or_else(PoisonError::into_inner).insert(request.model.clone(), cap);
                self.attempt(&request, cap).await
            }
            other => other,
        }
    }

    async fn attempt(&self, request: &ModelRequest, max_tokens: u32) -> Result<ModelStream, ProviderError> {
        let endpoint = &self.connection.endpoint;
        let deadline = Instant::now() + endpoint.timeouts.first_byte;
        let body = request::body(request, max_tokens)?;
        let response = self.connection.send("messages", Some(body), &request.model, deadline).await?;
        let reader = StepReader::new(Arc::clone(endpoint), request.model.clone(), ChangedNames::of(&request.tools));
        Ok(stream::events(Arc::clone(endpoint), reader, response, deadline))
    }

    fn cap(&self, model: &str) -> Option<u32> {
        self.caps.lock().unwrap_or_else(PoisonError::into_inner).get(model).copied()
    }
}

impl Provider for Anthropic {
    fn label(&self) -> &str {
        &self.connection.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}

/// `max_tokens: 16384 > 8192, which is the maximum allowed …`
fn stated_cap(message: &str) -> Option<u32> {
    let (_, after) = message.split_once("max_tokens")?;
    let (_, number) = after.split_once('>')?;
    let digits: String = number.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|cap| *cap > 0)
}

#[cfg(test)]
mod tests {
    use super::stated_cap;

    #[test]
    fn the_cap_is_read_where_it_is_stated() {
        let said =
            "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku";
        assert_eq!(stated_cap(said), Some(8192));
        assert_eq!(stated_cap("max_tokens: Field required"), None);
        assert_eq!(stated_cap("prompt is too long: 210000 tokens > 200000 maximum"), None);
    }
}
