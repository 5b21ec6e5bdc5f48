//! Requests and replies, one group per area. A command of a host is named `<area>_<verb>`.

use crate::approval::specta_any;
use crate::{ApprovalDecision, ApprovalId, Attachment, Mode, QueuedId, SessionId, ThinkLevel, TurnEnvelope, TurnId};
use serde::{Deserialize, Serialize};

// ── turns ────────────────────────────────────────────────────────────────────

/// Send a message; creates the session when none is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SendMessage {
    pub session_id: Option<SessionId>,
    pub text: String,
    /// Files that were kept before. With some, the text may be empty.
    pub attachments: Vec<Attachment>,
    pub mode: Mode,
    /// Another model than the chat's, for this turn.
    pub model: Option<String>,
    /// Another level than the chat's, for this turn.
    pub think: Option<ThinkLevel>,
    /// The person was told that a limit on spending is reached, and said to go on.
    pub allow_spending: bool,
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
    /// Why it is not ready.
    pub problem: Option<crate::ApiError>,
}

/// A service whose address is known, for whoever has a key of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Vendor {
    /// Its name for people.
    pub label: &'static str,
    pub base_url: &'static str,
    /// How its keys begin; empty when they have no mark of their own.
    pub key_prefix: &'static str,
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
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConfigureProvider {
    /// The connection that is meant; `null` is the first one, and a name that is not there yet
    /// makes a new one.
    pub connection: Option<String>,
    /// How it is spoken to: a word of `provider.type`; `null` is `auto` or what it was.
    pub kind: Option<String>,
    pub base_url: String,
    /// Empty: the one it has, while the address stays; else the first one the server offers.
    pub model: String,
    /// A pasted key. Goes to the vault, never to a file in clear.
    pub api_key: Option<String>,
    /// The environment variable to read the key from instead.
    pub key_env: Option<String>,
    /// The key of that variable goes to the vault, and the variable is needed no more.
    pub keep_key: bool,
    /// It takes over when those before it do not answer. The first one needs no such mark.
    pub fallback: bool,
}

impl std::fmt::Debug for ConfigureProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConfigureProvider")
            .field("connection", &self.connection)
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("key_env", &self.key_env)
            .finish_non_exhaustive()
    }
}

/// One place where models answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    pub name: String,
    /// The vendor's name for people.
    pub label: String,
    /// A word of `provider.type`.
    pub kind: String,
    pub base_url: String,
    pub model: String,
    /// Requests stay on this computer.
    pub local: bool,
    pub key: KeySource,
    /// It takes over when those before it do not answer.
    pub fallback: bool,
    /// What went wrong last, and has not gone right since.
    pub problem: Option<crate::ApiError>,
    /// It is left alone until then, because it failed too often.
    pub rests_until: Option<crate::UnixMs>,
    pub facts: ModelFacts,
}

/// What is known of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelFacts {
    /// The longest conversation it reads, its answer included.
    pub context_tokens: Option<u32>,
    /// It looks at images; `null` when nobody knows.
    pub images: Option<bool>,
    /// It calls tools; `null` when nobody knows.
    pub tools: Option<bool>,
    /// `null`: it costs nothing, or nobody knows what.
    pub price: Option<ModelPrice>,
}

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelPrice {
    pub input_micros: u32,
    pub output_micros: u32,
}

/// Where the key of a connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum KeySource {
    None,
    Vault,
    Environment,
}

/// The models that a connection offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelList {
    pub models: Vec<String>,
    /// The server did not say; these are models that are known of the vendor.
    pub is_fallback: bool,
}

/// What a test of a connection found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionTest {
    pub verdict: TestVerdict,
    /// The verdict in words.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Until the first sign of an answer.
    pub first_token_ms: Option<u32>,
}

/// What is the matter with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TestVerdict {
    Works,
    /// It answers, and cannot use tools.
    NoTools,
    NoNetwork,
    /// There is no such host, nothing listens there, or something that is no model server does.
    WrongHost,
    WrongKey,
    NoCredit,
    NoSuchModel,
    /// Something else; the words say what.
    Other,
}

/// What a chat is set to, instead of what the settings say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChooseModel {
    pub session_id: SessionId,
    /// A model, a connection, or both as `connection/model`; `null`: as the settings say.
    pub model: Option<String>,
    /// `null`: as the settings say.
    pub think: Option<ThinkLevel>,
}

/// What one model used on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UsageOfDay {
    /// The beginning of the day, in UTC.
    pub day: crate::UnixMs,
    pub model: String,
    pub turns: u32,
    pub usage: crate::Usage,
    /// In millionths of a US dollar; 0 without a known price.
    pub cost_micros: u32,
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
    pub think: ThinkLevel,
    /// In US dollars, as a decimal number; empty is no limit.
    pub spending_per_turn: String,
    pub spending_per_day: String,
    pub spending_per_month: String,
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
