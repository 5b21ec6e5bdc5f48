//! The settings as types. `config/default.yaml` is the reference: every field is in it, with its
//! default and its comment, and a field that is missing there does not compile into a start.
//!
//! To add a setting: a field here, the key with a comment and its variable in `default.yaml`, and
//! a limit in `limits.rs` if it has one.

use namma_protocol::{Mode, ThinkLevel};
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// All settings, valid.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub assistant: Assistant,
    pub provider: Provider,
    pub spending: Spending,
    pub local_model: LocalModel,
    pub conversation: Conversation,
    pub security: Security,
    pub ui: Ui,
    pub desktop: Desktop,
    pub logging: Logging,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assistant {
    pub name: String,
    #[serde(deserialize_with = "none_when_empty")]
    pub user_name: Option<String>,
    #[serde(deserialize_with = "none_when_empty")]
    pub persona: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ProviderKind,
    #[serde(deserialize_with = "none_when_empty")]
    pub label: Option<String>,
    /// `None`: no model is set up yet.
    #[serde(deserialize_with = "none_when_empty")]
    pub base_url: Option<String>,
    #[serde(deserialize_with = "none_when_empty")]
    pub model: Option<String>,
    /// The vault's entry that holds the key.
    #[serde(deserialize_with = "none_when_empty")]
    pub api_key_ref: Option<String>,
    /// The environment variable that holds the key.
    #[serde(deserialize_with = "none_when_empty")]
    pub api_key_env: Option<String>,
    /// Whether it takes over as well, when it is not the first.
    pub fallback: bool,
    /// In the order in which they take over.
    pub connections: Vec<Connection>,
    /// Simple requests are answered without a model when none of them answers.
    pub unplugged_fallback: bool,
    max_tokens: u32,
    pub max_retries: u32,
    connect_timeout_seconds: u32,
    first_token_timeout_seconds: u32,
    idle_timeout_seconds: u32,
}

impl Provider {
    /// The cap on one answer; `None` leaves it to the server.
    pub fn max_tokens(&self) -> Option<u32> {
        (self.max_tokens > 0).then_some(self.max_tokens)
    }

    pub fn connect_timeout(&self) -> Duration {
        Duration::from_secs(self.connect_timeout_seconds.into())
    }

    pub fn first_token_timeout(&self) -> Duration {
        Duration::from_secs(self.first_token_timeout_seconds.into())
    }

    pub fn idle_timeout(&self) -> Duration {
        Duration::from_secs(self.idle_timeout_seconds.into())
    }
}

/// A further place where models answer, by a name of the person's own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    pub name: String,
    #[serde(rename = "type", default)]
    pub kind: ProviderKind,
    #[serde(default, deserialize_with = "none_when_empty")]
    pub label: Option<String>,
    /// `None` only for a model that we serve ourselves.
    #[serde(default, deserialize_with = "none_when_empty")]
    pub base_url: Option<String>,
    pub model: String,
    #[serde(default, deserialize_with = "none_when_empty")]
    pub api_key_ref: Option<String>,
    #[serde(default, deserialize_with = "none_when_empty")]
    pub api_key_env: Option<String>,
    /// It takes over when those before it do not answer.
    #[serde(default)]
    pub fallback: bool,
}

/// The most that may be spent, in US dollars.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spending {
    per_turn: f64,
    per_day: f64,
    per_month: f64,
}

impl Spending {
    /// In billionths of a US dollar; `None` is no limit.
    pub fn per_turn(&self) -> Option<u64> {
        nanos(self.per_turn)
    }

    /// Like [`per_turn`](Self::per_turn).
    pub fn per_day(&self) -> Option<u64> {
        nanos(self.per_day)
    }

    /// Like [`per_turn`](Self::per_turn).
    pub fn per_month(&self) -> Option<u64> {
        nanos(self.per_month)
    }

    /// By the name of the setting, for the limits.
    pub(crate) fn amounts(&self) -> [(&'static str, f64); 3] {
        [
            ("spending.per_turn", self.per_turn),
            ("spending.per_day", self.per_day),
            ("spending.per_month", self.per_month),
        ]
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a million, see limits.rs")]
fn nanos(dollars: f64) -> Option<u64> {
    (dollars > 0.0).then(|| (dollars * 1e9).round() as u64)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    #[default]
    /// What the vendor at the address speaks.
    Auto,
    OpenaiCompatible,
    OpenaiResponses,
    Anthropic,
    Gemini,
    /// A llama-server of our own; the model is one that `namma model install` knows.
    ManagedLocal,
}

/// How models run that the assistant serves itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalModel {
    /// The program; `None`: `llama-server` on the search path. `Paths::expand_home` resolves `~`.
    #[serde(deserialize_with = "none_when_empty")]
    pub server: Option<String>,
    context_tokens: u32,
    threads: u32,
    idle_minutes: u32,
    start_timeout_seconds: u32,
    /// For models without a template of their own choice.
    #[serde(deserialize_with = "none_when_empty")]
    pub chat_template: Option<String>,
}

impl LocalModel {
    /// The longest conversation; `None` is the most that the model takes.
    pub fn context_tokens(&self) -> Option<u32> {
        (self.context_tokens > 0).then_some(self.context_tokens)
    }

    /// `None`: as measured.
    pub fn threads(&self) -> Option<u32> {
        (self.threads > 0).then_some(self.threads)
    }

    /// How long a server waits for the next question before it is ended.
    pub fn idle(&self) -> Duration {
        Duration::from_secs(u64::from(self.idle_minutes) * 60)
    }

    pub fn start_timeout(&self) -> Duration {
        Duration::from_secs(self.start_timeout_seconds.into())
    }
}

impl ProviderKind {
    /// Every kind there is.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::OpenaiCompatible, Self::OpenaiResponses, Self::Anthropic, Self::Gemini, Self::ManagedLocal];

    /// The word of the file and of the settings view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::OpenaiCompatible => "openai_compatible",
            Self::OpenaiResponses => "openai_responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::ManagedLocal => "managed_local",
        }
    }

    /// The kind of that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    pub default_mode: Mode,
    #[serde(deserialize_with = "think_level")]
    pub think: ThinkLevel,
    tool_loop_limit: i64,
    pub verify_after_writes: bool,
    pub result_limit_bytes: usize,
}

impl Conversation {
    /// The most steps of one turn; `None` means no limit.
    pub fn tool_loop_limit(&self) -> Option<u32> {
        (self.tool_loop_limit > 0).then(|| u32::try_from(self.tool_loop_limit).unwrap_or(u32::MAX))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Security {
    pub approvals: Approvals,
    /// As written; `Paths::expand_home` resolves `~`.
    pub folders: Vec<String>,
    pub rules: Vec<Rule>,
    pub sandbox: Sandbox,
}

/// When the person is asked before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approvals {
    AskAll,
    AskWhenItMatters,
    Folders,
}

impl Approvals {
    /// The word of the file and of the settings view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AskAll => "ask_all",
            Self::AskWhenItMatters => "ask_when_it_matters",
            Self::Folders => "folders",
        }
    }
}

/// A rule of the person's own. A call matches when the tool and every given pattern do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub effect: RuleEffect,
    pub tool: String,
    #[serde(default)]
    pub command: Option<String>,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub host: Option<String>,
}

impl Rule {
    /// Refuses every call of every tool.
    pub(crate) fn deny_everything() -> Self {
        Self { effect: RuleEffect::Deny, tool: "*".into(), command: None, path: None, host: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleEffect {
    Allow,
    Ask,
    Deny,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    Auto,
    Required,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ui {
    pub theme: Theme,
    pub send_with_enter: bool,
    pub close_to_tray: bool,
    pub start_hidden: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    /// The word of the file and of the settings view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Desktop {
    #[serde(deserialize_with = "none_when_empty")]
    pub hotkey: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Logging {
    pub level: LogLevel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl LogLevel {
    /// The word that `tracing` knows it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

fn think_level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ThinkLevel, D::Error> {
    let word = String::deserialize(deserializer)?;
    ThinkLevel::of(&word).ok_or_else(|| serde::de::Error::unknown_variant(&word, &["off", "low", "medium", "high"]))
}

fn none_when_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let trimmed = text.trim();
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
}
