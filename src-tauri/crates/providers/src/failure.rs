//! Turns what went wrong into a [`ProviderError`]: by the status *and* the words of the body,
//! because vendors use one status for many things. A guess is never made from the words alone
//! where the status says otherwise (a refused key is 401 or 403, whatever the text).

mod body;
mod retry_after;

use crate::endpoint::EndpointConfig;
use crate::http::{caused_by, deepest};
use body::Complaint;
use namma_core::ports::ProviderError;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;

/// The most that is read of an error's body.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// How long an error's body may take.
const BODY_TIME: Duration = Duration::from_secs(5);

/// Reads an answer whose status is not a success.
pub(crate) async fn from_response(
    endpoint: &EndpointConfig,
    model: &str,
    mut response: reqwest::Response,
) -> ProviderError {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let url = response.url().path().to_owned();
    let mut body = Vec::new();
    // A body that fails or takes too long still leaves the status to go by.
    let _ = timeout(BODY_TIME, async {
        while let Ok(Some(piece)) = response.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() >= MAX_BODY_BYTES {
                break;
            }
        }
    })
    .await;
    let complaint = Complaint::read(&body);
    if (300..400).contains(&status) {
        return moved(status, &headers);
    }
    let fault = Fault { status, retry_after: retry_after::read(&headers), path: Some(&url) };
    fault.classify(endpoint, model, &complaint)
}

/// Reads an error object inside a stream that began as a success.
pub(crate) fn from_stream(endpoint: &EndpointConfig, model: &str, error: &Value) -> ProviderError {
    let complaint = Complaint::from_error(error);
    let status = complaint.status.unwrap_or(500);
    Fault { status, retry_after: None, path: None }.classify(endpoint, model, &complaint)
}

/// Why a request could not be sent or was not answered.
pub(crate) fn from_transport(endpoint: &EndpointConfig, error: &reqwest::Error) -> ProviderError {
    let cause = endpoint.redact(&deepest(error));
    let not_http = || caused_by(error, |cause| cause.to_string().contains("invalid HTTP"));
    if !error.is_connect() && !error.is_builder() && (not_http() || cause.contains("invalid HTTP")) {
        return ProviderError::Malformed { what: "an answer that is not HTTP".to_owned() };
    }
    let cause = if error.is_timeout() {
        format!("no connection within {} s", endpoint.timeouts.connect.as_secs())
    } else if error.is_connect() || error.is_builder() {
        cause
    } else {
        format!("the connection was lost before an answer came ({cause})")
    };
    ProviderError::Unreachable { address: endpoint.address(), cause }
}

/// A short text for people out of a body that may be anything.
pub(crate) fn short_text(body: &[u8]) -> String {
    body::short_text(&String::from_utf8_lossy(body))
}

fn moved(status: u16, headers: &HeaderMap) -> ProviderError {
    let target = headers.get(reqwest::header::LOCATION).and_then(|target| target.to_str().ok());
    let message = match target {
        Some(target) => format!("the address has moved to {}", body::short_text(target)),
        None => "the address has moved".to_owned(),
    };
    ProviderError::BadRequest { status, message }
}

/// The facts beside the body.
struct Fault<'a> {
    status: u16,
    retry_after: Option<Duration>,
    /// The path that was asked, when the status is that of the whole answer.
    path: Option<&'a str>,
}

impl Fault<'_> {
    fn classify(&self, endpoint: &EndpointConfig, model: &str, complaint: &Complaint) -> ProviderError {
        let message = endpoint.redact(&complaint.message);
        let status = self.status;
        let retry_after = self.retry_after;
        let no_such_model = || ProviderError::ModelNotFound { model: model.to_owned(), message: message.clone() };
        match status {
            401 => ProviderError::KeyRefused { status, message },
            402 => ProviderError::NoCredit { message },
            403 if complaint.is_about_model() => no_such_model(),
            403 if complaint.is_filtered() => ProviderError::ContentFiltered { message },
            403 if complaint.is_out_of_credit() => ProviderError::NoCredit { message },
            403 if complaint.is_about_country() => ProviderError::BadRequest { status, message },
            403 => ProviderError::KeyRefused { status, message },
            408 | 409 | 425 => ProviderError::RateLimited { retry_after, message },
            429 if complaint.is_out_of_credit() => ProviderError::NoCredit { message },
            429 => ProviderError::RateLimited { retry_after, message },
            _ if complaint.is_rate_limit() => ProviderError::RateLimited { retry_after, message },
            400..500 if complaint.is_about_tools() => ProviderError::ToolsUnsupported { message },
            _ if complaint.is_context_too_long() => ProviderError::ContextTooLong { message },
            413 => ProviderError::ContextTooLong { message },
            404 if complaint.is_about_model() => no_such_model(),
            404 => ProviderError::BadRequest { status, message: self.wrong_path(endpoint, &message) },
            400..500 if complaint.is_about_model() => no_such_model(),
            400..500 if complaint.is_filtered() => ProviderError::ContentFiltered { message },
            400..500 if complaint.is_out_of_credit() => ProviderError::NoCredit { message },
            400..500 if complaint.is_about_key() => ProviderError::KeyRefused { status, message },
            500.. => ProviderError::ServerFailed { status, retry_after, message },
            _ => ProviderError::BadRequest { status, message },
        }
    }

    fn wrong_path(&self, endpoint: &EndpointConfig, message: &str) -> String {
        match self.path {
            Some(path) => format!("there is nothing at {path} on {} ({message})", endpoint.address()),
            None => message.to_owned(),
        }
    }
}
