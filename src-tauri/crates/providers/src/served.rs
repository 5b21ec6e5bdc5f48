//! What the servers on this computer have in common when they are asked for their models.

use std::time::Duration;

/// How long one may take to say what it has: whoever asks does not know whether it is there at all.
pub(crate) const LIST_LIMIT: Duration = Duration::from_secs(2);

/// A model that a server on this computer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedModel {
    pub name: String,
    pub bytes: Option<u64>,
}

/// How far a server is with fetching a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PullProgress {
    pub done_bytes: u64,
    /// Grows as the server learns of more parts.
    pub total_bytes: Option<u64>,
}
