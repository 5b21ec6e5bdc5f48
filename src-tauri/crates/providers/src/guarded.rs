//! The HTTP client of the tools: it reaches public web pages and nothing else.
//!
//! Before each hop the address is read the way browsers read it and judged; names are resolved by
//! our own resolver, which refuses when any answer is private, and the connection goes to the
//! judged addresses only. Redirects are followed by hand, within the same host. It never sends
//! cookies or keys, never uses a proxy, and never keeps a connection for the next request.

mod resolver;

use crate::http::{caused_by, deepest, guarded_client};
use futures_util::TryFutureExt;
use namma_core::BoxFuture;
use namma_core::address::{is_private_name, is_public};
use namma_core::ports::{HttpClient, HttpFailure, HttpReply, HttpRequest};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response};
pub(crate) use resolver::GuardedResolver;
use resolver::PrivateAnswer;
pub use resolver::TestNet;
use std::net::IpAddr;
use std::sync::OnceLock;
use tokio::time::timeout;
use url::{Host, Url};

/// How many redirects are followed.
const MAX_HOPS: usize = 5;

/// What tools want to read.
const ACCEPTED: &str = "text/html,application/xhtml+xml,text/plain,application/json;q=0.9,*/*;q=0.5";

/// The guarded client. Made without cost; the client under it is built with the first request.
pub struct GuardedHttp {
    resolver: GuardedResolver,
    client: OnceLock<Client>,
}

impl GuardedHttp {
    /// The client for real use: public addresses only, no exception.
    pub fn new() -> Self {
        Self { resolver: GuardedResolver::system(), client: OnceLock::new() }
    }

    /// A client for tests, in a world of made-up names. It never asks the real name service.
    pub fn for_tests(net: TestNet) -> Self {
        Self { resolver: GuardedResolver::fake(net), client: OnceLock::new() }
    }

    /// Follows a judged address; each further one is judged here.
    async fn fetch(client: &Client, mut url: Url, max_bytes: usize) -> Result<HttpReply, HttpFailure> {
        for _ in 0..=MAX_HOPS {
            let response = send(client, &url).await?;
            let Some(mut next) = redirect_target(&url, &response) else {
                return read(url, response, max_bytes).await;
            };
            judge(&mut next)?;
            if !is_same_site(&url, &next) {
                return Ok(unfollowed(url, &response, next));
            }
            url = next;
        }
        Err(HttpFailure::Malformed { host: host_of(&url), cause: format!("more than {MAX_HOPS} redirects") })
    }

    fn client(&self) -> Result<&Client, reqwest::Error> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = guarded_client(self.resolver.clone())?;
        Ok(self.client.get_or_init(|| client))
    }
}

impl Default for GuardedHttp {
    fn default() -> Self {
        Self::new()
    }
}

impl HttpClient for GuardedHttp {
    fn get(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpReply, HttpFailure>> {
        Box::pin(async move {
            let HttpRequest { mut url, max_bytes, timeout: limit } = request;
            judge(&mut url)?;
            let host = host_of(&url);
            // Making the client reads the system's certificates, which is not the server's fault.
            let client = self.client().map_err(|error| failure_of(&url, &error))?;
            let fetched = timeout(limit, Self::fetch(client, url, max_bytes)).await;
            fetched.map_err(|_| HttpFailure::TimedOut { host, seconds: limit.as_secs() })?
        })
    }
}

async fn send(client: &Client, url: &Url) -> Result<Response, HttpFailure> {
    let failure = |error: reqwest::Error| failure_of(url, &error);
    client.get(url.clone()).header(ACCEPT, ACCEPTED).send().map_err(failure).await
}

/// Refuses what may not be fetched, by the address alone. A password in it is dropped.
fn judge(url: &mut Url) -> Result<(), HttpFailure> {
    // Both fail only for addresses without a host, which are refused below.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    let not_allowed = || HttpFailure::NotAllowed { url: url.to_string() };
    let usual_port = matches!((url.scheme(), url.port_or_known_default()), ("http" | "https", Some(80 | 443)));
    let is_private = match url.host() {
        None => return Err(not_allowed()),
        Some(Host::Domain(name)) => is_private_name(name),
        Some(Host::Ipv4(address)) => !is_public(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => !is_public(IpAddr::V6(address)),
    };
    if is_private {
        return Err(HttpFailure::PrivateAddress { host: host_of(url) });
    }
    if usual_port { Ok(()) } else { Err(not_allowed()) }
}

fn redirect_target(url: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = response.headers().get(LOCATION)?;
    url.join(&String::from_utf8_lossy(target.as_bytes())).ok()
}

/// The same host, give or take `www.`, and never from https down to http.
fn is_same_site(from: &Url, to: &Url) -> bool {
    let bare = |url: &Url| host_of(url).trim_start_matches("www.").to_owned();
    let downgrade = from.scheme() == "https" && to.scheme() == "http";
    bare(from) == bare(to) && !downgrade
}

fn unfollowed(url: Url, response: &Response, target: Url) -> HttpReply {
    HttpReply {
        status: response.status().as_u16(),
        final_url: url,
        content_type: content_type(response),
        body: Vec::new(),
        truncated: false,
        redirect_to: Some(target),
    }
}

/// Reads the decoded body up to the limit; the rest is never decoded.
async fn read(url: Url, mut response: Response, max_bytes: usize) -> Result<HttpReply, HttpFailure> {
    let status = response.status().as_u16();
    let content_type = content_type(&response);
    let mut body = Vec::new();
    let mut truncated = false;
    while let Some(piece) = response.chunk().await.map_err(|error| failure_of(&url, &error))? {
        let room = max_bytes - body.len();
        body.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() > room {
            truncated = true;
            break;
        }
    }
    Ok(HttpReply { status, final_url: url, content_type, body, truncated, redirect_to: None })
}

fn content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().trim_end_matches('.').to_owned()
}

fn failure_of(url: &Url, error: &reqwest::Error) -> HttpFailure {
    let host = host_of(url);
    if caused_by(error, |cause| cause.is::<PrivateAnswer>()) {
        return HttpFailure::PrivateAddress { host };
    }
    let cause = deepest(error);
    if error.is_connect() || error.is_builder() {
        return HttpFailure::Unreachable { host, cause };
    }
    HttpFailure::Malformed { host, cause }
}
