//! A web of pages in memory.

use namma_core::BoxFuture;
use namma_core::ports::{HttpClient, HttpFailure, HttpReply, HttpRequest};
use std::collections::HashMap;

/// Answers from its pages; everything else is unreachable.
#[derive(Default)]
pub struct FakeWeb {
    pages: HashMap<String, HttpReply>,
}

impl FakeWeb {
    /// Adds a page of this type.
    ///
    /// # Panics
    /// When the address is not one.
    #[must_use]
    pub fn page(mut self, address: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let final_url = address.parse().unwrap_or_else(|error| panic!("{address}: {error}"));
        let reply = HttpReply {
            status: 200,
            final_url,
            content_type: Some(content_type.into()),
            body: body.into(),
            truncated: false,
            redirect_to: None,
        };
        self.pages.insert(address.into(), reply);
        self
    }
}

impl HttpClient for FakeWeb {
    fn get(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpReply, HttpFailure>> {
        let host = request.url.host_str().unwrap_or_default().to_owned();
        let reply = self.pages.get(request.url.as_str()).cloned();
        Box::pin(async move { reply.ok_or(HttpFailure::Unreachable { host, cause: "no such page".into() }) })
    }
}
