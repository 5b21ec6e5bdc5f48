use crate::{ApprovalId, Effect, SessionId, ToolCallId, UnixMs};
use serde::{Deserialize, Serialize};

/// The question put to the person: what would happen, exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    pub approval_id: ApprovalId,
    pub session_id: SessionId,
    pub call_id: ToolCallId,
    /// The tool's name, for "exact arguments".
    pub tool: String,
    /// What will happen, in one plain sentence made from the effects.
    pub sentence: String,
    /// Why it asks: one plain sentence each.
    pub reasons: Vec<String>,
    pub effects: Vec<Effect>,
    /// The thing itself, to be shown whole.
    pub preview: Preview,
    /// The exact canonical arguments.
    #[specta(type = specta_any::Json)]
    pub input: serde_json::Value,
    /// Binds the answer to tool, arguments and effects: an answer with another hash is refused.
    pub payload_hash: String,
    /// Whether it can be taken back, in words; `null` means it cannot be undone.
    pub undo: Option<String>,
    /// Which scopes may be offered, narrowest first.
    pub scopes: Vec<ApprovalScope>,
    /// How the command would be confined, in words; `null` for calls that start no process.
    pub sandbox: Option<String>,
    pub asked_at: UnixMs,
}

/// The thing an approval is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Preview {
    /// Nothing beyond the sentence and the arguments.
    None,
    /// A unified diff of one file.
    Diff { path: String, diff: String },
    /// A whole shell command; never cut.
    Command { command: String, cwd: String },
    /// Moves, from and to.
    Moves { moves: Vec<(String, String)> },
    /// A request that would leave this computer.
    Request { method: String, url: String },
    /// Paths that would go.
    Paths { paths: Vec<String> },
    /// Facts that would be remembered or forgotten, each whole. Shown, and not kept with the answer.
    Facts { facts: Vec<String> },
}

/// How far an "allow" reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalScope {
    Once,
    /// This call's kind, narrowly, until this chat is closed.
    Session,
}

/// The person's answer. There is no default: silence means no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApprovalDecision {
    Allow { scope: ApprovalScope },
    Decline { note: Option<String> },
}

/// How JSON of unknown shape appears in TypeScript.
pub(crate) mod specta_any {
    use std::collections::BTreeMap;

    /// Any JSON value. Its own type, because the one of `serde_json` tells of 64-bit numbers, which
    /// TypeScript does not have.
    #[derive(serde::Serialize, specta::Type)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its type is used, by the TypeScript export")]
    pub(crate) enum Json {
        Null,
        Boolean(bool),
        Number(i32),
        Text(String),
        List(Vec<Json>),
        Object(BTreeMap<String, Json>),
    }
}
