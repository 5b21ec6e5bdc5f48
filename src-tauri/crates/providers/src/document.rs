use crate::http::deepest;
use namma_core::ports::ProviderError;
use reqwest::Response;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

/// The longest document that is read: a long list of models.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Reads the one document that a server answers with; `what` is its name when it is something else.
///
/// # Errors
/// When it does not come until the deadline, is cut, has no end, or is not what it should be.
pub(crate) async fn document<T: DeserializeOwned>(
    mut response: Response,
    deadline: Instant,
    what: &str,
) -> Result<T, ProviderError> {
    let other = || ProviderError::Malformed { what: format!("something that is not {what}") };
    let started = Instant::now();
    let body = async {
        let mut body = Vec::new();
        let cut = |error: reqwest::Error| ProviderError::StreamCut { cause: deepest(&error) };
        while let Some(piece) = response.chunk().await.map_err(cut)? {
            body.extend_from_slice(&piece);
            if body.len() > MAX_BYTES {
                return Err(other());
            }
        }
        Ok(body)
    };
    let seconds = deadline.duration_since(started).as_secs().max(1);
    let body = timeout_at(deadline, body).await.map_err(|_| ProviderError::TimedOut { seconds })??;
    serde_json::from_slice(&body).map_err(|_| other())
}
