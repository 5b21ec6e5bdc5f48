//! One endpoint behind the core's port. The dialects differ in how a request is written and how
//! an answer is read; the connection, the stream and what a model taught us are shared.
//!
//! A failed request is not made again here, with two exceptions: what a model refused and said why
//! is left out once more, and that is remembered; an answer that is too long for this once, for the
//! account or the window, is asked for once more as short as the refusal says.

use crate::connection::Connection;
use crate::endpoint::{Dialect, EndpointConfig};
use crate::learned::{Learned, Lessons, stated_room};
use crate::names::ChangedNames;
use crate::{anthropic, gemini, openai_compat, responses, stream};
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use std::sync::Arc;
use tokio::time::Instant;

/// The adapter for the dialect that an endpoint speaks. Touches no network.
pub fn connect(endpoint: EndpointConfig) -> Arc<dyn Provider> {
    Arc::new(Adapter { connection: Connection::new(endpoint), learned: Learned::default() })
}

struct Adapter {
    connection: Connection,
    learned: Learned,
}

impl Adapter {
    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        // Only Anthropic wants a number where nobody asked for one.
        let is_capped = request.max_output_tokens.is_some() || self.connection.endpoint.dialect == Dialect::Anthropic;
        let most = request.most_tokens.filter(|_| is_capped);
        let mut room = None;
        loop {
            let lessons = self.learned.of(&request.model);
            let error = match self.attempt(&request, &lessons.clone().within(most).within(room)).await {
                Ok(stream) => return Ok(stream),
                Err(error) => error,
            };
            // Each lesson is learned once and the room is stated once, so this ends.
            match stated_room(&error).filter(|_| room.is_none()) {
                Some(stated) => room = Some(stated),
                None if self.learned.learn(&request, &lessons, &error) => {}
                None => return Err(error),
            }
        }
    }

    async fn attempt(&self, request: &ModelRequest, lessons: &Lessons) -> Result<ModelStream, ProviderError> {
        let endpoint = &self.connection.endpoint;
        let deadline = Instant::now() + endpoint.timeouts.first_byte;
        let (path, body) = match endpoint.dialect {
            Dialect::ChatCompletions => {
                ("chat/completions".into(), openai_compat::body(request, lessons, endpoint.quirks())?)
            }
            Dialect::Responses => ("responses".into(), responses::body(request, lessons)?),
            Dialect::Anthropic => ("messages".into(), anthropic::body(request, lessons)?),
            Dialect::Gemini => (gemini::path(&request.model), gemini::body(request, lessons)?),
        };
        let response = self.connection.send(&path, Some(body), &request.model, deadline).await?;
        let (of, model) = (Arc::clone(endpoint), request.model.clone());
        let names = ChangedNames::of(&request.tools);
        let endpoint = Arc::clone(endpoint);
        Ok(match endpoint.dialect {
            Dialect::ChatCompletions => {
                stream::events(endpoint, openai_compat::StepReader::new(of, model, names), response, deadline)
            }
            Dialect::Responses => {
                stream::events(endpoint, responses::StepReader::new(of, model, names), response, deadline)
            }
            Dialect::Anthropic => {
                stream::events(endpoint, anthropic::StepReader::new(of, model, names), response, deadline)
            }
            Dialect::Gemini => stream::events(endpoint, gemini::StepReader::new(of, model, names), response, deadline),
        })
    }
}

impl Provider for Adapter {
    fn label(&self) -> &str {
        &self.connection.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}
