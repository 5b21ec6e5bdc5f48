//! The dialect of `POST /responses`, OpenAI's own since its models think.
//!
//! Nothing is kept at the vendor (`store` is false), so its thinking comes to us encrypted and goes
//! back within the turn. A model that has none says so; it is asked once more without, and that is
//! remembered.

mod request;
mod step;

pub(crate) use step::StepReader;

use crate::connection::Connection;
use crate::endpoint::EndpointConfig;
use crate::names::ChangedNames;
use crate::stream;
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// One endpoint that speaks the dialect of responses.
pub struct Responses {
    connection: Connection,
    /// Models without encrypted thinking.
    plain: Mutex<HashSet<String>>,
}

impl Responses {
    pub fn new(endpoint: EndpointConfig) -> Self {
        Self { connection: Connection::new(endpoint), plain: Mutex::default() }
    }

    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        let is_plain = self.plain().contains(&request.model);
        match self.attempt(&request, !is_plain).await {
            Err(ProviderError::BadRequest { status: 400, message }) if !is_plain && is_about_thinking(&message) => {
                tracing::info!(model = request.model, "the model has no encrypted thinking");
                self.plain().insert(request.model.clone());
                self.attempt(&request, false).await
            }
            other => other,
        }
    }

    async fn attempt(&self, request: &ModelRequest, with_thinking: bool) -> Result<ModelStream, ProviderError> {
        let endpoint = &self.connection.endpoint;
        let deadline = Instant::now() + endpoint.timeouts.first_byte;
        let body = request::body(request, with_thinking)?;
        let response = self.connection.send("responses", Some(body), &request.model, deadline).await?;
        let reader = StepReader::new(Arc::clone(endpoint), request.model.clone(), ChangedNames::of(&request.tools));
        Ok(stream::events(Arc::clone(endpoint), reader, response, deadline))
    }

    fn plain(&self) -> MutexGuard<'_, HashSet<String>> {
        self.plain.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider for Responses {
    fn label(&self) -> &str {
        &self.connection.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}

fn is_about_thinking(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("encrypted content") || message.contains("encrypted_content")
}
