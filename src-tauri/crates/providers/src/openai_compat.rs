//! The dialect of `POST /chat/completions` with streaming, as OpenAI, Ollama, LM Studio,
//! llama-server, vLLM, OpenRouter, Groq, DeepSeek, Mistral and many others speak it.
//!
//! Own code and not a library: see `docs/decisions/0003-wire-layer.md`. It retries nothing and
//! keeps nothing between requests but the connection.

mod calls;
mod request;
mod step;
mod thinking;

pub(crate) use step::StepReader;

use crate::connection::Connection;
use crate::endpoint::EndpointConfig;
use crate::names::ChangedNames;
use crate::stream;
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use std::sync::Arc;
use tokio::time::Instant;

/// One OpenAI-compatible endpoint.
pub struct OpenAiCompatible {
    connection: Connection,
}

impl OpenAiCompatible {
    pub fn new(endpoint: EndpointConfig) -> Self {
        Self { connection: Connection::new(endpoint) }
    }

    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        let endpoint = &self.connection.endpoint;
        let deadline = Instant::now() + endpoint.timeouts.first_byte;
        let body = request::body(&request, endpoint.quirks())?;
        let response = self.connection.send("chat/completions", Some(body), &request.model, deadline).await?;
        let reader = StepReader::new(Arc::clone(endpoint), request.model, ChangedNames::of(&request.tools));
        Ok(stream::events(Arc::clone(endpoint), reader, response, deadline))
    }
}

impl Provider for OpenAiCompatible {
    fn label(&self) -> &str {
        &self.connection.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}
