//! The dialect of `POST /models/MODEL:streamGenerateContent`, as Google's Gemini speaks it.

mod request;
mod step;

pub(crate) use step::StepReader;

use crate::connection::Connection;
use crate::endpoint::EndpointConfig;
use crate::names::ChangedNames;
use crate::stream;
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use std::sync::Arc;
use tokio::time::Instant;

/// One endpoint that speaks Gemini's dialect.
pub struct Gemini {
    connection: Connection,
}

impl Gemini {
    pub fn new(endpoint: EndpointConfig) -> Self {
        Self { connection: Connection::new(endpoint) }
    }

    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        let endpoint = &self.connection.endpoint;
        let deadline = Instant::now() + endpoint.timeouts.first_byte;
        let body = request::body(&request)?;
        let response = self.connection.send(&path(&request.model), Some(body), &request.model, deadline).await?;
        let reader = StepReader::new(Arc::clone(endpoint), request.model, ChangedNames::of(&request.tools));
        Ok(stream::events(Arc::clone(endpoint), reader, response, deadline))
    }
}

impl Provider for Gemini {
    fn label(&self) -> &str {
        &self.connection.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}

/// A name with a folder is taken as it is: `tunedModels/mine`.
fn path(model: &str) -> String {
    let folder = if model.contains('/') { "" } else { "models/" };
    format!("{folder}{model}:streamGenerateContent?alt=sse")
}
