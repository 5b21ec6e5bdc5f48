//! The one place where HTTP clients are made: one TLS, one set of limits.
//!
//! Clients are built when they are first needed. One that only speaks http:// carries a TLS
//! configuration without roots, because reading the system's certificates takes longer than a
//! local model's first answer may.

use crate::endpoint::{EndpointConfig, is_near};
use crate::guarded::GuardedResolver;
use namma_core::ports::ProviderError;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// Who we say we are.
const USER_AGENT: &str = concat!("NammaAgent/", env!("CARGO_PKG_VERSION"));

/// Makes ring the TLS of this process. Cheap, and safe to call again.
pub fn install_tls() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // It fails when another thread was faster, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

/// What the clients for models differ in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    connect: Duration,
    is_plain: bool,
    is_near: bool,
}

/// The clients for models of this process: their kept connections serve every endpoint and test.
static MODEL_CLIENTS: LazyLock<Mutex<HashMap<Kind, Client>>> = LazyLock::new(Mutex::default);

/// A client for the models of one endpoint. It follows no redirect: a key goes to one host only.
pub(crate) fn model_client(endpoint: &EndpointConfig) -> Result<Client, ProviderError> {
    let kind = Kind {
        connect: endpoint.timeouts.connect,
        is_plain: endpoint.base_url.scheme() == "http",
        is_near: is_near(&endpoint.base_url),
    };
    let mut clients = MODEL_CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(client) = clients.get(&kind) {
        return Ok(client.clone());
    }
    let client = new_model_client(kind).map_err(|error| ProviderError::Unreachable {
        address: endpoint.address(),
        cause: format!("could not set up the connection: {}", deepest(&error)),
    })?;
    Ok(clients.entry(kind).or_insert(client).clone())
}

fn new_model_client(kind: Kind) -> Result<Client, reqwest::Error> {
    let mut builder = builder()
        .redirect(Policy::none())
        .connect_timeout(kind.connect)
        .pool_idle_timeout(Duration::from_secs(90))
        .no_gzip()
        .no_brotli();
    if kind.is_plain {
        builder = builder.tls_backend_preconfigured(no_roots());
    }
    if kind.is_near {
        builder = builder.no_proxy();
    }
    builder.build()
}

/// A client for the pages that tools fetch: own resolver, no proxy, no redirect, no kept
/// connections, so that each connection is checked.
pub(crate) fn guarded_client(resolver: GuardedResolver) -> Result<Client, reqwest::Error> {
    builder()
        .redirect(Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .pool_max_idle_per_host(0)
        .referer(false)
        .no_proxy()
        .dns_resolver(resolver)
        .build()
}

/// A client for large files. It follows no redirect by itself, because what the first answer says of
/// the file counts, and it takes no body that is packed, because the length counts.
pub(crate) fn file_client() -> Result<Client, reqwest::Error> {
    builder()
        .redirect(Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(60))
        .referer(false)
        .no_gzip()
        .no_brotli()
        .build()
}

#[expect(clippy::disallowed_methods, reason = "the home of the HTTP clients")]
fn builder() -> ClientBuilder {
    install_tls();
    Client::builder().user_agent(USER_AGENT)
}

fn no_roots() -> rustls::ClientConfig {
    rustls::ClientConfig::builder().with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth()
}

/// The innermost cause, in its own words and without the number of the operating system.
pub(crate) fn deepest(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// Whether anything in the chain of causes satisfies the test.
pub(crate) fn caused_by(
    error: &dyn std::error::Error,
    test: impl Fn(&(dyn std::error::Error + 'static)) -> bool,
) -> bool {
    let mut source = error.source();
    while let Some(cause) = source {
        if test(cause) {
            return true;
        }
        source = cause.source();
    }
    false
}
