use crate::ports::{HttpClient, HttpReply, HttpRequest};
use crate::tool::{Effects, ToolFailure};
use std::time::Duration;
use url::Url;

/// Requests to declared addresses, through the guarded client.
pub struct Http<'a> {
    effects: &'a Effects,
    client: &'a dyn HttpClient,
}

impl<'a> Http<'a> {
    pub(crate) fn new(effects: &'a Effects, client: &'a dyn HttpClient) -> Self {
        Self { effects, client }
    }

    /// Fetches a page of at most `max_bytes`.
    ///
    /// # Errors
    /// When the address was not declared, is not public, or does not answer.
    pub async fn get(&self, url: &Url, max_bytes: usize, timeout: Duration) -> Result<HttpReply, ToolFailure> {
        if !self.effects.allow_request("GET", url.as_str()) {
            return Err(ToolFailure::undeclared(format_args!("fetch {url}")));
        }
        let request = HttpRequest { url: url.clone(), max_bytes, timeout };
        self.client.get(request).await.map_err(|failure| ToolFailure::failed(failure.to_string()))
    }
}
