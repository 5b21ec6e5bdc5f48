use crate::approval::specta_any;
use crate::{
    ApprovalDecision, ApprovalId, ApprovalRequest, Attachment, Mode, NoticeKind, SessionId, ToolCallId, ToolOutcome,
    TurnId, TurnOutcome, UnixMs, Usage,
};
use serde::{Deserialize, Serialize};

/// The model's request to run a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    pub id: ToolCallId,
    pub name: String,
    #[specta(type = specta_any::Json)]
    pub input: serde_json::Value,
}

/// A step in the person's words, made by the tool and never by the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StepTitle {
    /// While it runs: "Reading notes.txt".
    pub doing: String,
    /// Afterwards: "Read notes.txt".
    pub done: String,
}

/// What hosts are told about a turn, in order.
///
/// The events of a turn, reduced in order, are what a person sees: live, after a reload and in a
/// test alike. A stored turn is told by the same events with its deltas joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(clippy::large_enum_variant, reason = "the large ones are rare, and a box would cross the wire no differently")]
pub enum TurnEvent {
    TurnStarted {
        user_text: String,
        attachments: Vec<Attachment>,
        model: String,
        mode: Mode,
        started_at: UnixMs,
    },
    /// A piece of the text of the current step.
    TextDelta {
        text: String,
    },
    ThinkingDelta {
        text: String,
    },
    /// The text of the current step is complete. `preamble`: tool calls follow, it is not the answer.
    TextEnded {
        preamble: bool,
    },
    /// The text of the current step is void: the request is being made again from the start.
    StepRestarted,
    ToolCallStarted {
        call: ToolCall,
        title: StepTitle,
        started_at: UnixMs,
    },
    ToolCallProgress {
        call_id: ToolCallId,
        text: String,
    },
    ApprovalRequested {
        request: ApprovalRequest,
    },
    ApprovalResolved {
        approval_id: ApprovalId,
        call_id: ToolCallId,
        decision: ApprovalDecision,
    },
    /// The question no longer stands: the turn was stopped.
    ApprovalWithdrawn {
        approval_id: ApprovalId,
        call_id: ToolCallId,
    },
    ToolCallFinished {
        call_id: ToolCallId,
        outcome: ToolOutcome,
        /// A short fact for people: "11 entries".
        fact: Option<String>,
        duration_ms: u32,
    },
    /// A message the person added while the turn ran; the model reads it from the next step on.
    UserMessageAdded {
        text: String,
        attachments: Vec<Attachment>,
    },
    /// Something a person should know that is not an answer: "waiting 18 s", "context was shortened".
    Notice {
        kind: NoticeKind,
        text: String,
    },
    /// How much of the model's context the request fills that is being sent.
    ContextMeasured {
        tokens: u32,
        /// `null` when nobody knows how much the model takes.
        window: Option<u32>,
    },
    /// The turn goes on with another model, because the one before did not answer.
    ContinuedWith {
        /// The vendor's name for people.
        label: String,
        model: String,
        /// Why, and what this model cannot do, in one sentence each.
        reasons: Vec<String>,
    },
    /// What the turn has used so far.
    UsageUpdated {
        usage: Usage,
        /// In millionths of a US dollar; `null` without a known price.
        cost_micros: Option<u32>,
    },
    TurnFinished {
        outcome: TurnOutcome,
        finished_at: UnixMs,
    },
}

/// A turn event with its place in the session's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnEnvelope {
    pub session_id: SessionId,
    pub turn_id: TurnId,
    /// Counts up by one within the session, from 1, as long as the program runs. A gap means: ask again.
    pub seq: u32,
    pub event: TurnEvent,
}
