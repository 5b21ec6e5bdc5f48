use crate::BoxFuture;
use crate::trust::{TaintSet, Trust};
use namma_protocol::{
    ApiError, ApprovalDecision, ApprovalRequest, Attachment, ErrorCode, FileId, Mode, SessionId, StepTitle, ToolCall,
    ToolCallId, ToolOutcome, TurnId, TurnOutcome, UnixMs, Usage,
};
use serde::{Deserialize, Serialize};

/// A turn as it begins. Storing it is what acknowledges the person's message.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTurn {
    pub turn_id: TurnId,
    /// Created when it does not exist.
    pub session_id: SessionId,
    pub user_text: String,
    pub attachments: Vec<Attachment>,
    pub mode: Mode,
    pub model: String,
    pub trust: Trust,
    pub started_at: UnixMs,
}

/// A tool call as stored, with its words for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredCall {
    pub call: ToolCall,
    /// The raw arguments when they were not valid JSON; `call.input` is then `null`.
    pub broken_arguments: Option<String>,
    pub title: StepTitle,
    pub started_at: UnixMs,
}

/// An approval and its answer: what was shown is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredApproval {
    pub request: ApprovalRequest,
    pub decision: ApprovalDecision,
}

/// One thing that happened in a turn, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// What the model said in one step. Never empty: it has text or calls.
    Assistant {
        text: String,
        thinking: String,
        calls: Vec<StoredCall>,
        /// The step was not finished: stopped, cut or lost.
        stopped: bool,
        taint: TaintSet,
    },
    /// The one result of a call.
    Result {
        call_id: ToolCallId,
        outcome: ToolOutcome,
        fact: Option<String>,
        duration_ms: u32,
        approvals: Vec<AnsweredApproval>,
        taint: TaintSet,
        /// The content before it was shortened for the model. Written, and read only by
        /// [`Results`](crate::ports::Results).
        whole: Option<String>,
    },
    /// A message the person added while the turn ran.
    User { text: String, attachments: Vec<Attachment> },
    /// Another model took over.
    ContinuedWith { label: String, model: String, reasons: Vec<String> },
}

/// What one model used in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub model: String,
    pub usage: Usage,
    /// In billionths of a US dollar; `None` without a known price.
    pub cost_nanos: Option<u64>,
}

/// A turn read back. Calls without a result do not exist in it: after a crash the store closes
/// them as interrupted.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTurn {
    pub turn: NewTurn,
    pub entries: Vec<Entry>,
    pub usage: Usage,
    /// In millionths of a US dollar; `None` without a known price.
    pub cost_micros: Option<u32>,
    /// `None` while the turn runs.
    pub outcome: Option<TurnOutcome>,
    pub finished_at: Option<UnixMs>,
}

/// Where conversations are kept. Each method is durable when it returns.
pub trait SessionStore: Send + Sync + 'static {
    /// Stores the turn and the person's message, creating the session. Fails with
    /// [`StoreError::Busy`] when a living turn runs in the session, in this or another process.
    fn begin_turn<'a>(&'a self, turn: &'a NewTurn) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Appends entries in order, in one transaction, and forgets the partial text. `spent` is what
    /// the turn has used so far: it is counted even if nobody is left to finish the turn.
    fn append<'a>(
        &'a self,
        turn: &'a TurnId,
        entries: &'a [Entry],
        spent: &'a [Spent],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Keeps the text of the step that is being streamed, replacing what was kept before.
    fn save_partial<'a>(&'a self, turn: &'a TurnId, text: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    fn finish_turn<'a>(
        &'a self,
        turn: &'a TurnId,
        outcome: &'a TurnOutcome,
        spent: &'a [Spent],
        at: UnixMs,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The newest `limit` turns of a session, oldest first, before `before` when given.
    fn turns<'a>(
        &'a self,
        session: &'a SessionId,
        before: Option<&'a TurnId>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<StoredTurn>, StoreError>>;

    /// The bytes of an attached file; `None` when it is not kept.
    fn attached_bytes<'a>(&'a self, file: &'a FileId) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>>;
}

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("another turn is running in this chat")]
    Busy,
    #[error("there is no {what}")]
    NotFound { what: String },
    #[error("the database `{path}` is damaged: {cause}")]
    Damaged { path: String, cause: String },
    #[error("the database `{path}` was written by a newer version ({found}, this one knows {known})")]
    Newer { path: String, found: i64, known: i64 },
    #[error("could not write `{path}`: {cause}")]
    Unwritable { path: String, cause: String },
    #[error("the database did not do it: {0}")]
    Failed(String),
}

impl StoreError {
    /// The error in the reader's words.
    pub fn to_api_error(&self) -> ApiError {
        let (code, hint) = match self {
            Self::Busy => (ErrorCode::Busy, "Wait until it ends, or stop it."),
            Self::NotFound { .. } => (ErrorCode::NotFound, "It may have been deleted; look at the list again."),
            Self::Damaged { .. } => (
                ErrorCode::DatabaseDamaged,
                "A copy was kept beside it. Run `namma doctor` to see what could be saved.",
            ),
            Self::Newer { .. } => (ErrorCode::DatabaseNewer, "Update Namma Agent, or use another NAMMA_HOME."),
            Self::Unwritable { .. } => {
                (ErrorCode::StorageUnavailable, "Free some space or make the folder writable, then try again.")
            }
            Self::Failed(_) => (ErrorCode::StorageUnavailable, "Run `namma doctor` for the state of the database."),
        };
        ApiError::new(code, self.to_string()).hint(hint)
    }
}
