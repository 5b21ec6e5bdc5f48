//! One endpoint and its kept connections: requests go out with the key, in the vendor's way.

use crate::endpoint::{Dialect, EndpointConfig};
use crate::failure;
use crate::http::model_client;
use namma_core::ports::ProviderError;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response};
use secrecy::ExposeSecret;
use std::sync::{Arc, OnceLock};
use tokio::time::{Instant, timeout_at};

/// The version of Anthropic's API that we speak. Newer models answer to it as well.
const ANTHROPIC_VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// Made without touching the network; the HTTP client is built with the first request.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) endpoint: Arc<EndpointConfig>,
    client: OnceLock<Client>,
}

impl Connection {
    pub(crate) fn new(endpoint: EndpointConfig) -> Self {
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
        let method = if body.is_some() { Method::POST } else { Method::GET };
        self.ask(method, path, body, model, deadline).await
    }

    /// As [`Connection::send`], for the DELETE of a server on this computer.
    pub(crate) async fn delete(
        &self,
        path: &str,
        body: Vec<u8>,
        model: &str,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        self.ask(Method::DELETE, path, Some(body), model, deadline).await
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        model: &str,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        let mut headers = self.headers()?;
        let mut request = self.client()?.request(method, self.endpoint.url(path));
        if let Some(body) = body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
            request = request.body(body);
        }
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
        let key = self.endpoint.api_key.as_ref().map(ExposeSecret::expose_secret);
        match self.endpoint.dialect {
            Dialect::ChatCompletions | Dialect::Responses => {
                if let Some(key) = key {
                    headers.insert(AUTHORIZATION, secret_value("the key", &format!("Bearer {key}"))?);
                }
            }
            Dialect::Anthropic => {
                headers.insert(HeaderName::from_static("anthropic-version"), ANTHROPIC_VERSION);
                if let Some(key) = key {
                    headers.insert(HeaderName::from_static("x-api-key"), secret_value("the key", key)?);
                }
            }
            Dialect::Gemini => {
                if let Some(key) = key {
                    headers.insert(HeaderName::from_static("x-goog-api-key"), secret_value("the key", key)?);
                }
            }
        }
        for (name, value) in &self.endpoint.extra_headers {
            let key =
                HeaderName::try_from(name.as_str()).map_err(|_| unusable(&format!("the header name `{name}`")))?;
            headers.insert(key, secret_value(&format!("the header `{name}`"), value.expose_secret())?);
        }
        Ok(headers)
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
