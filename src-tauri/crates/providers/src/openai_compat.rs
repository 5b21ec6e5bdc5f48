//! The dialect of `POST /chat/completions` with streaming, as OpenAI, Ollama, LM Studio,
//! llama-server, vLLM, OpenRouter, Groq, DeepSeek, Mistral and many others speak it.
//!
//! Own code and not a library: see `docs/decisions/0003-wire-layer.md`. It retries nothing and
//! keeps nothing between requests but the connection.

mod calls;
mod request;
mod step;
mod stream;
mod thinking;

use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::http::model_client;
use crate::names::ChangedNames;
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use secrecy::ExposeSecret;
use std::sync::{Arc, OnceLock};
use step::StepReader;
use tokio::time::{Instant, timeout_at};

/// One OpenAI-compatible endpoint. Made without touching the network; the HTTP client is built
/// with the first request.
pub struct OpenAiCompatible {
    endpoint: Arc<EndpointConfig>,
    client: OnceLock<Client>,
}

impl OpenAiCompatible {
    pub fn new(endpoint: EndpointConfig) -> Self {
        Self { endpoint: Arc::new(endpoint), client: OnceLock::new() }
    }

    /// A request to `<base_url>/<path>` with the key; with a body it is a POST, without one a GET.
    ///
    /// `Ok` is an answer with a success status.
    pub(crate) async fn send(
        &self,
        path: &str,
        body: Option<Vec<u8>>,
        model: &str,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        let url = self.endpoint.url(path);
        let mut headers = self.headers()?;
        let client = self.client()?;
        let request = match body {
            Some(body) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
                client.post(url).body(body)
            }
            None => client.get(url),
        };
        let started = Instant::now();
        let sent = timeout_at(deadline, request.headers(headers).send()).await;
        let response = sent
            .map_err(|_| ProviderError::TimedOut { seconds: deadline.duration_since(started).as_secs() })?
            .map_err(|error| failure::from_transport(&self.endpoint, &error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(failure::from_response(&self.endpoint, model, response).await)
    }

    fn client(&self) -> Result<&Client, ProviderError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = model_client(&self.endpoint)?;
        Ok(self.client.get_or_init(|| client))
    }

    fn headers(&self) -> Result<HeaderMap, ProviderError> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.endpoint.api_key {
            headers.insert(AUTHORIZATION, secret_value("the key", &format!("Bearer {}", key.expose_secret()))?);
        }
        for (name, value) in &self.endpoint.extra_headers {
            let key =
                HeaderName::try_from(name.as_str()).map_err(|_| unusable(&format!("the header name `{name}`")))?;
            headers.insert(key, secret_value(&format!("the header `{name}`"), value.expose_secret())?);
        }
        Ok(headers)
    }

    async fn open(&self, request: ModelRequest) -> Result<ModelStream, ProviderError> {
        let first_byte = self.endpoint.timeouts.first_byte;
        let deadline = Instant::now() + first_byte;
        let body = request::body(&request, self.endpoint.quirks())?;
        let response = self.send("chat/completions", Some(body), &request.model, deadline).await?;
        let reader = StepReader::new(Arc::clone(&self.endpoint), request.model, ChangedNames::of(&request.tools));
        Ok(stream::events(Arc::clone(&self.endpoint), reader, response, deadline))
    }
}

impl Provider for OpenAiCompatible {
    fn label(&self) -> &str {
        &self.endpoint.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(self.open(request))
    }
}

fn secret_value(what: &str, text: &str) -> Result<HeaderValue, ProviderError> {
    let mut value = HeaderValue::from_str(text).map_err(|_| unusable(what))?;
    value.set_sensitive(true);
    Ok(value)
}

fn unusable(what: &str) -> ProviderError {
    let message = format!("{what} holds characters that cannot be sent");
    ProviderError::KeyRefused { status: 401, message }
}
