use crate::BoxFuture;
use crate::ports::StoreError;
use crate::trust::{TaintSet, Trust};
use namma_protocol::{SessionId, ToolCallId, TurnId, UnixMs};

/// The record of a call and its decision, refused ones included.
///
/// A call that runs has two rows, [`AuditPhase::Intent`] before it starts and
/// [`AuditPhase::Done`] after, so that a crash shows; a call that does not run has one.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    pub at: UnixMs,
    pub session_id: SessionId,
    pub turn_id: TurnId,
    pub call_id: ToolCallId,
    pub phase: AuditPhase,
    pub trust: Trust,
    pub taint: TaintSet,
    pub tool: String,
    /// Canonical arguments, secrets masked, at most 4 kB.
    pub input: String,
    /// SHA-256 of the whole canonical arguments, in hex.
    pub input_hash: String,
    /// `allow`, `deny`, `declined`, `failed`, `succeeded`, `interrupted`.
    pub verdict: String,
    /// The stage of the gate that decided, 1 to 8.
    pub stage: u8,
    /// A stable word for the reason: `unknown_tool`, `policy_denied`, `declined`, …
    pub code: String,
    /// Who answered the approval, if one was asked.
    pub approver: Option<String>,
    pub approval_ms: Option<u32>,
    /// How a process was confined.
    pub sandbox: Option<String>,
    pub duration_ms: Option<u32>,
    /// SHA-256 of the result that the model got, in hex.
    pub result_hash: Option<String>,
    pub result_bytes: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditPhase {
    Intent,
    Done,
    Refused,
}

impl AuditPhase {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
}

/// Written before a tool runs; if it cannot be written, the tool does not run. Append-only, each
/// row chained to the one before by hash.
pub trait AuditLog: Send + Sync + 'static {
    fn record<'a>(&'a self, entry: &'a AuditEntry) -> BoxFuture<'a, Result<(), StoreError>>;
}
