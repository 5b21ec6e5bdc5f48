//! The settings as types. `config/default.yaml` is the reference: every field is in it, with its
//! default and its comment, and a field that is missing there does not compile into a start.
//!
//! To add a setting: a field here, the key with a comment and its variable in `default.yaml`, and
//! a limit in `limits.rs` if it has one.

use namma_protocol::Mode;
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// All settings, valid.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub assistant: Assistant,
    pub provider: Provider,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
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

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    pub default_mode: Mode,
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

fn none_when_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let trimmed = text.trim();
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
}
