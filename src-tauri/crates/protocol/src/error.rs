use serde::{Deserialize, Serialize};

/// What went wrong, in the reader's words, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// For callers to branch on; never parse the message.
    pub code: ErrorCode,
    /// What was attempted and on what: lower case, no full stop.
    pub message: String,
    /// A full sentence with an action.
    pub hint: Option<String>,
    /// How long the other side asked us to wait, in milliseconds.
    pub retry_after_ms: Option<u32>,
}

impl ApiError {
    /// An error without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, retry_after_ms: None }
    }

    /// The same error with what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, ". {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ApiError {}

/// The kinds of failure that a caller treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    /// No model is configured yet.
    NotConfigured,
    /// A vendor needs a key and there is none.
    KeyMissing,
    /// The vendor refused the key (401, 403).
    KeyRefused,
    /// The account has no credit (402).
    NoCredit,
    /// Too many requests (429); `retry_after_ms` may say how long to wait.
    RateLimited,
    /// The account or server has no such model (404).
    ModelNotFound,
    /// The model cannot use tools.
    ToolsUnsupported,
    /// The request needs more context than the model takes.
    ContextTooLong,
    /// The server could not understand the request (400, 422): it will not change by trying again.
    BadRequest,
    /// The server is overloaded or failed (5xx, 529).
    ServerFailed,
    /// Nothing answers at that address, or the network is down.
    Unreachable,
    /// The server took too long.
    TimedOut,
    /// The stream ended in the middle of an answer.
    StreamCut,
    /// The server sent something that is not the agreed format, or far too much of it.
    Malformed,
    /// The vendor's filter blocked the answer.
    ContentFiltered,
    /// The model answered with nothing at all.
    EmptyAnswer,
    /// The person stopped it.
    Stopped,
    /// Another turn runs in this session.
    Busy,
    /// What was asked for does not exist.
    NotFound,
    /// The request itself is wrong.
    InvalidInput,
    /// What was approved is not what would run now.
    ApprovalChanged,
    /// The database is damaged; a copy was kept.
    DatabaseDamaged,
    /// A newer program wrote the database.
    DatabaseNewer,
    /// The disk is full or the folder cannot be written.
    StorageUnavailable,
    /// The operating system's vault for keys cannot be used.
    VaultUnavailable,
    /// A setting or the configuration file is wrong.
    ConfigInvalid,
    /// A fault of ours.
    Internal,
}
