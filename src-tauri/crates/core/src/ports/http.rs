use crate::BoxFuture;
use std::time::Duration;
use url::Url;

/// A guarded GET on behalf of a tool.
///
/// The adapter resolves names itself, refuses private and local addresses on every hop, ignores
/// proxy variables, accepts only http and https on their usual ports, and stops at `max_bytes`
/// of decoded body.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    pub url: Url,
    pub max_bytes: usize,
    pub timeout: Duration,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct HttpReply {
    pub status: u16,
    /// After redirects within the same host.
    pub final_url: Url,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
    /// The body was longer than `max_bytes`.
    pub truncated: bool,
    /// A redirect to another host, which is not followed: it was not approved.
    pub redirect_to: Option<Url>,
}

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum HttpFailure {
    #[error("{host} is not a public address, and tools may only reach public ones")]
    PrivateAddress { host: String },
    #[error("only http and https addresses on ports 80 and 443 can be fetched, not {url}")]
    NotAllowed { url: String },
    #[error("could not reach {host}: {cause}")]
    Unreachable { host: String, cause: String },
    #[error("{host} did not answer within {seconds} s")]
    TimedOut { host: String, seconds: u64 },
    #[error("{host} sent something that is not HTTP: {cause}")]
    Malformed { host: String, cause: String },
}

/// The one HTTP client of the tools.
pub trait HttpClient: Send + Sync + 'static {
    fn get(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpReply, HttpFailure>>;
}
