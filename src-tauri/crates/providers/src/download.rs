//! Large files from the web, from any byte on. What is done with the bytes is not decided here.
//!
//! The addresses are those of a catalogue that the person keeps, never of the model: no guard
//! against the own network is needed. Elsewhere than near, only https is spoken.

use crate::endpoint::is_near;
use crate::http::{deepest, file_client};
use bytes::Bytes;
use reqwest::header::{CONTENT_RANGE, HeaderMap, LOCATION, RANGE};
use reqwest::{Client, Response, StatusCode};
use std::sync::OnceLock;
use url::Url;

const MAX_HOPS: usize = 5;

/// Why a file could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DownloadError {
    /// Trying again may help; what has arrived is worth keeping.
    #[error("the connection to {host} was lost: {cause}")]
    Lost { host: String, cause: String },
    /// As [`DownloadError::Lost`]: it is the server's own trouble, and passes.
    #[error("{host} cannot send it now (it answered with {status})")]
    Busy { host: String, status: u16 },
    #[error("{host} answered with {status}")]
    Refused { host: String, status: u16 },
    #[error("{address} is no address for a download")]
    BadAddress { address: String },
    #[error("the address led from one server to the next {MAX_HOPS} times")]
    TooManyHops,
}

impl DownloadError {
    /// Whether trying again may help.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Busy { .. })
    }
}

/// Fetches files. Cheap to make; the client is built when it is first needed.
#[derive(Default)]
pub struct FileDownload {
    client: OnceLock<Client>,
}

/// A file that begins to arrive.
#[derive(Debug)]
pub struct OpenedFile {
    /// The first byte that comes; not the one that was asked for when the server cannot do that.
    pub from: u64,
    /// The size of the whole file, as the server says.
    pub total: Option<u64>,
    /// The checksum that the server lists for the file: hubs of models send it as
    /// `x-linked-etag` before they lead on to the store that has the bytes.
    pub sha256: Option<String>,
    host: String,
    /// `None` when nothing is left to come.
    body: Option<Response>,
}

impl FileDownload {
    /// Asks for the file from that byte on.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses, or leads to an address that is not safe.
    pub async fn open(&self, address: &str, from: u64) -> Result<OpenedFile, DownloadError> {
        let mut url = checked(address)?;
        let mut listing = Listing::default();
        for _ in 0..MAX_HOPS {
            let host = url.host_str().unwrap_or_default().to_owned();
            let mut request = self.client()?.get(url.clone());
            if from > 0 {
                request = request.header(RANGE, format!("bytes={from}-"));
            }
            let lost = |error: reqwest::Error| DownloadError::Lost { host: host.clone(), cause: deepest(&error) };
            let response = request.send().await.map_err(lost)?;
            listing.note(response.headers());
            match response.status() {
                status if status.is_redirection() => url = next(&url, response.headers())?,
                StatusCode::OK => {
                    let total = response.content_length().or(listing.bytes);
                    return Ok(listing.opened(0, total, host, Some(response)));
                }
                StatusCode::PARTIAL_CONTENT => {
                    let range = content_range(response.headers());
                    // Without its range nobody knows where the bytes belong.
                    let (from, total) = range.ok_or(DownloadError::Refused { host: host.clone(), status: 206 })?;
                    return Ok(listing.opened(from, total, host, Some(response)));
                }
                // Nothing comes after the last byte.
                StatusCode::RANGE_NOT_SATISFIABLE if from > 0 => {
                    let total = unsatisfied(response.headers()).or(listing.bytes);
                    return Ok(listing.opened(from, total, host, None));
                }
                status if status.is_server_error() || matches!(status.as_u16(), 408 | 429) => {
                    return Err(DownloadError::Busy { host, status: status.as_u16() });
                }
                status => return Err(DownloadError::Refused { host, status: status.as_u16() }),
            }
        }
        Err(DownloadError::TooManyHops)
    }

    fn client(&self) -> Result<&Client, DownloadError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = file_client()
            .map_err(|error| DownloadError::Lost { host: "the network".into(), cause: deepest(&error) })?;
        Ok(self.client.get_or_init(|| client))
    }
}

impl OpenedFile {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// When the connection is lost, or nothing came for a minute.
    pub async fn piece(&mut self) -> Result<Option<Bytes>, DownloadError> {
        let Some(body) = &mut self.body else { return Ok(None) };
        let lost = |error: reqwest::Error| DownloadError::Lost { host: self.host.clone(), cause: deepest(&error) };
        body.chunk().await.map_err(lost)
    }
}

/// What the servers on the way say of the file.
#[derive(Default)]
struct Listing {
    bytes: Option<u64>,
    sha256: Option<String>,
}

impl Listing {
    fn note(&mut self, headers: &HeaderMap) {
        let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
        if self.bytes.is_none() {
            self.bytes = text("x-linked-size").and_then(|size| size.parse().ok());
        }
        if self.sha256.is_none() {
            let sum = text("x-linked-etag").map(|etag| etag.trim_start_matches("W/").trim_matches('"'));
            let is_sum = |sum: &&str| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
            self.sha256 = sum.filter(is_sum).map(str::to_lowercase);
        }
    }

    fn opened(self, from: u64, total: Option<u64>, host: String, body: Option<Response>) -> OpenedFile {
        OpenedFile { from, total, sha256: self.sha256, host, body }
    }
}

fn checked(address: &str) -> Result<Url, DownloadError> {
    let bad = || DownloadError::BadAddress { address: address.chars().take(200).collect() };
    let url = Url::parse(address).map_err(|_| bad())?;
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_near(&url));
    if is_safe && url.host_str().is_some() { Ok(url) } else { Err(bad()) }
}

fn next(url: &Url, headers: &HeaderMap) -> Result<Url, DownloadError> {
    let target = headers.get(LOCATION).and_then(|target| target.to_str().ok()).unwrap_or_default();
    let bad = |_| DownloadError::BadAddress { address: target.chars().take(200).collect() };
    checked(url.join(target).map_err(bad)?.as_str())
}

/// `bytes 5-9/10` is from 5, of 10.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
    let (range, total) = text.split_once('/')?;
    let (from, _) = range.split_once('-')?;
    Some((from.trim().parse().ok()?, total.trim().parse().ok()))
}

/// `bytes */10` is of 10.
fn unsatisfied(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes */")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{DownloadError, checked};

    #[test]
    fn without_encryption_only_near_servers_are_asked() {
        for fine in ["https://example.org/a.gguf", "http://127.0.0.1:8/a.gguf", "http://192.168.1.5/a.gguf"] {
            assert!(checked(fine).is_ok(), "{fine}");
        }
        for bad in ["http://example.org/a.gguf", "file:///a.gguf", "a.gguf", "ftp://127.0.0.1/a"] {
            assert_eq!(checked(bad), Err(DownloadError::BadAddress { address: bad.into() }));
        }
    }
}
