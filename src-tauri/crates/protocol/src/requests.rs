//! Requests and replies, one group per area. A command of a host is named `<area>_<verb>`.

use crate::approval::specta_any;
use crate::{ApprovalDecision, ApprovalId, Mode, QueuedId, SessionId, TurnEnvelope, TurnId};
use serde::{Deserialize, Serialize};

// ── turns ────────────────────────────────────────────────────────────────────

/// Send a message; creates the session when none is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SendMessage {
    pub session_id: Option<SessionId>,
    pub text: String,
    pub mode: Mode,
    /// Another model than the configured one, for this turn.
    pub model: Option<String>,
    pub delivery: Delivery,
}

/// What happens to a message when a turn already runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Delivery {
    /// Wait until the turn ends.
    #[default]
    Queue,
    /// Add it to the running turn: the model reads it from the next step on.
    Steer,
}

/// Where the message went. It is stored before this is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SendReceipt {
    pub session_id: SessionId,
    /// The turn it started or joined; `null` when it waits.
    pub turn_id: Option<TurnId>,
    pub queued_id: Option<QueuedId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnRef {
    pub session_id: SessionId,
    pub turn_id: TurnId,
}

/// The live events of a session after `seq`, or the news that they are gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EventsSince {
    pub events: Vec<TurnEnvelope>,
    /// The events asked for are no longer kept: open the session again.
    pub reopen: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ResolveApproval {
    pub approval_id: ApprovalId,
    /// The hash the person saw; another one is refused and the call asks anew.
    pub payload_hash: String,
    pub decision: ApprovalDecision,
}

// ── sessions ─────────────────────────────────────────────────────────────────

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenSession {
    pub session_id: SessionId,
    /// Only turns before this one.
    pub before: Option<TurnId>,
    /// At most this many turns.
    pub limit: u32,
}

// ── provider ─────────────────────────────────────────────────────────────────

/// What the assistant would answer with, and whether that works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProviderStatus {
    /// A model is chosen and, where one is needed, a key is there.
    pub ready: bool,
    /// The vendor's name for people: "Ollama", "llama-server", "api.example.com".
    pub label: String,
    pub model: String,
    pub base_url: String,
    /// Requests stay on this computer.
    pub local: bool,
    /// Why it is not ready, or what failed last.
    pub problem: Option<crate::ApiError>,
}

/// A brain that was found without asking: a local server or a key in the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundProvider {
    /// `ollama`, `lmStudio`, `llamaServer` or `environment`.
    pub kind: FoundKind,
    pub label: String,
    pub base_url: String,
    /// The models it offers; the first is the suggestion. Empty when it needs a key to tell.
    pub models: Vec<String>,
    /// The environment variable that holds its key.
    pub key_env: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum FoundKind {
    Ollama,
    LmStudio,
    LlamaServer,
    Environment,
}

/// A choice of brain, tested before it is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConfigureProvider {
    pub base_url: String,
    /// Empty: the first one the server offers.
    pub model: String,
    /// A pasted key. Goes to the vault, never to a file in clear.
    pub api_key: Option<String>,
    /// The environment variable to read the key from instead.
    pub key_env: Option<String>,
}

impl std::fmt::Debug for ConfigureProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConfigureProvider")
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("key_env", &self.key_env)
            .finish()
    }
}

// ── start ────────────────────────────────────────────────────────────────────

/// Whether the core is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StartState {
    /// Why it is not: nothing else can be asked until a new try works.
    pub failure: Option<crate::ApiError>,
    /// What the person should hear about a start that worked.
    pub notes: Vec<crate::ApiError>,
}

// ── settings, status ─────────────────────────────────────────────────────────

/// What the interface needs to know of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    pub assistant_name: String,
    pub user_name: Option<String>,
    /// `system`, `light` or `dark`.
    pub theme: String,
    pub mode: Mode,
    /// `ask_all`, `ask_when_it_matters` or `folders`.
    pub approvals: String,
    pub send_with_enter: bool,
    /// Where data and configuration live.
    pub data_dir: String,
    pub version: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetSetting {
    /// Dotted key: `assistant.name`.
    pub key: String,
    #[specta(type = specta_any::Json)]
    pub value: serde_json::Value,
}

/// One line of the report on the real state of things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// `provider`, `vault`, `sandbox`, `database`, `tray`, `hotkey`, `display`, `browser`, …
    pub name: String,
    pub state: CheckState,
    /// What is the case, in one line.
    pub detail: String,
    /// What to do about it.
    pub fix: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    Ok,
    Degraded,
    Failed,
    /// Cannot be told from here.
    Unknown,
}
