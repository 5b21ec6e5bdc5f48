use crate::BoxFuture;
use crate::ports::ThinkingControl;
use futures_util::stream::BoxStream;
use namma_protocol::{ApiError, ErrorCode, ThinkLevel, ToolCallId, Usage};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// One vendor's models behind one shape. Dropping the stream closes the connection.
pub trait Provider: Send + Sync + 'static {
    /// The vendor's name for people: "Ollama", "llama-server", "api.example.com".
    fn label(&self) -> &str;

    /// Asks for one step. `Err` means nothing was received yet.
    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>>;
}

/// Text arrives in pieces, tool calls arrive whole. A stream that ends without
/// [`ModelEvent::Stop`] was cut, and the adapter says so with [`ProviderError::StreamCut`].
pub type ModelStream = BoxStream<'static, Result<ModelEvent, ProviderError>>;

/// One request to the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelRequest {
    pub model: String,
    /// The system prompt: the stable prefix first, so that a vendor's cache can hit.
    pub system: String,
    pub messages: Vec<ModelMessage>,
    /// Empty in chat mode.
    pub tools: Vec<ToolSpec>,
    pub max_output_tokens: Option<u32>,
    /// The most that thinking and answer may have together, by the model's own cap and by what the
    /// rest of the request leaves of its window. Unlike `max_output_tokens` it is nobody's wish.
    pub most_tokens: Option<u32>,
    pub thinking: Thinking,
    /// JSON Schema of an answer that is data and not text, for vendors that can hold to one; others
    /// leave it out.
    pub answer_schema: Option<serde_json::Value>,
}

/// How long to think, and how this model is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    pub level: ThinkLevel,
    pub control: ThinkingControl,
}

/// An image for the model to look at.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: String,
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}, {} bytes)", self.media_type, self.bytes.len())
    }
}

/// A message as the model reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelMessage {
    User {
        text: String,
        images: Vec<Image>,
    },
    /// Never empty: it has text, or calls, or both.
    Assistant {
        text: String,
        calls: Vec<ModelCall>,
        /// Only within the turn that it belongs to.
        replay: Option<Replay>,
    },
    /// Answers the call of that id in the assistant message before it.
    ToolResult {
        call_id: ToolCallId,
        tool: String,
        content: String,
        images: Vec<Image>,
        is_error: bool,
    },
}

/// A tool call as the model wrote it. `arguments` is the raw text: the gate parses it, so that
/// broken JSON is answered and never guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// Our own id, made when the call arrived; vendors' ids may repeat or be missing.
    pub id: ToolCallId,
    pub name: String,
    pub arguments: String,
}

/// What a vendor wants to see again in the next step of the same turn, unread by us: thinking that
/// it signed or encrypted. A vendor with another dialect leaves it out.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The dialect that understands it.
    pub dialect: &'static str,
    pub data: serde_json::Value,
}

/// What the model is told of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments, draft 2020-12.
    pub parameters: serde_json::Value,
}

/// A piece of the provider's stream.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    Text(String),
    Thinking(String),
    ToolCall(ModelCall),
    Replay(Replay),
    Usage(Usage),
    Stop(StopReason),
}

/// Why the model stopped, as far as the vendor says. Whether tools run is decided by the calls
/// that arrived, never by this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    End,
    ToolCalls,
    /// The cap on output tokens; calls of such a step are never run.
    Length,
    ContentFilter,
    /// The vendor's own word, or nothing at all.
    Other(Option<String>),
}

/// Why a request failed. The variant says who can act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error("no model is set up yet")]
    NotConfigured,
    #[error("there is no key for {label} yet")]
    KeyMissing { label: String },
    #[error("the key was refused ({status})")]
    KeyRefused { status: u16, message: String },
    #[error("the account is out of credit")]
    NoCredit { message: String },
    #[error("too many requests")]
    RateLimited { retry_after: Option<Duration>, message: String },
    #[error("there is no model {model}")]
    ModelNotFound { model: String, message: String },
    #[error("the model cannot use tools")]
    ToolsUnsupported { message: String },
    #[error("the conversation is longer than the model takes")]
    ContextTooLong { message: String },
    #[error("the server could not use the request ({status}): {message}")]
    BadRequest { status: u16, message: String },
    #[error("the server failed ({status})")]
    ServerFailed { status: u16, retry_after: Option<Duration>, message: String },
    #[error("nothing answers at {address}: {cause}")]
    Unreachable { address: String, cause: String },
    #[error("no answer within {seconds} s")]
    TimedOut { seconds: u64 },
    #[error("the answer was cut off")]
    StreamCut { cause: String },
    #[error("the server sent something unexpected: {what}")]
    Malformed { what: String },
    #[error("the answer was blocked by the vendor's filter")]
    ContentFiltered { message: String },
    /// The model server that we run ourselves did not start, or ended while it was needed.
    #[error("the model server on this computer {what}")]
    LocalServer {
        /// Follows "the model server": "ended with code 1".
        what: String,
        /// The last lines it wrote.
        log: String,
        /// Another attempt starts it anew; otherwise it failed too often, or cannot start at all.
        may_start_again: bool,
        hint: String,
    },
}

impl ProviderError {
    /// Whether another model may answer in its place. Not one whose answer was blocked: a filter is
    /// no fault to be got around.
    pub fn may_be_answered_elsewhere(&self) -> bool {
        !matches!(self, Self::ContentFiltered { .. })
    }

    /// Whether the same request may succeed a moment later: 408, 409, 429, 5xx and lost connections.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::ServerFailed { .. } | Self::Unreachable { .. } | Self::TimedOut { .. } => {
                true
            }
            Self::StreamCut { .. } => true,
            Self::LocalServer { may_start_again, .. } => *may_start_again,
            Self::NotConfigured
            | Self::KeyMissing { .. }
            | Self::KeyRefused { .. }
            | Self::NoCredit { .. }
            | Self::ModelNotFound { .. }
            | Self::ToolsUnsupported { .. }
            | Self::ContextTooLong { .. }
            | Self::BadRequest { .. }
            | Self::Malformed { .. }
            | Self::ContentFiltered { .. } => false,
        }
    }

    /// How long the other side asked us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::ServerFailed { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The error in the reader's words.
    pub fn to_api_error(&self, label: &str) -> ApiError {
        let retry_after_ms = self.retry_after().map(|wait| u32::try_from(wait.as_millis()).unwrap_or(u32::MAX));
        let (code, message, hint) = match self {
            Self::NotConfigured => (
                ErrorCode::NotConfigured,
                "no model is set up yet".to_owned(),
                "Choose a local server or paste a key under Settings, Providers, or run `namma connection set main --url ADDRESS`.".to_owned(),
            ),
            Self::KeyMissing { label } => (
                ErrorCode::KeyMissing,
                format!("there is no key for {label} yet"),
                "Add the key under Settings, Providers, or with `namma connection set NAME --url ADDRESS --key`.".to_owned(),
            ),
            Self::KeyRefused { status, .. } => (
                ErrorCode::KeyRefused,
                format!("{label} refused the key ({status})"),
                "Replace the key under Settings, Providers, or with `namma connection set NAME --url ADDRESS --key`.".to_owned(),
            ),
            Self::NoCredit { .. } => (
                ErrorCode::NoCredit,
                format!("the {label} account is out of credit"),
                "Open the vendor's billing page, or switch to another model.".to_owned(),
            ),
            Self::RateLimited { retry_after, .. } => (
                ErrorCode::RateLimited,
                match retry_after {
                    Some(wait) => format!("{label} asks us to wait {} s", wait.as_secs().max(1)),
                    None => format!("{label} takes no more requests for now"),
                },
                "Try again in a moment, or switch to another model.".to_owned(),
            ),
            Self::ModelNotFound { model, .. } => (
                ErrorCode::ModelNotFound,
                format!("{label} has no model `{model}`"),
                "Pick a model from the list under Settings, Providers, or of `namma connection models NAME`.".to_owned(),
            ),
            Self::ToolsUnsupported { .. } => (
                ErrorCode::ToolsUnsupported,
                format!("this model of {label} cannot use tools"),
                "Pick another model, or ask in chat mode.".to_owned(),
            ),
            Self::ContextTooLong { .. } => (
                ErrorCode::ContextTooLong,
                "this conversation is longer than the model takes".to_owned(),
                "Start a new chat with a short summary, or pick a model with a larger context.".to_owned(),
            ),
            Self::BadRequest { status, message } => (
                ErrorCode::BadRequest,
                format!("{label} could not use the request ({status}): {message}"),
                "Pick another model, or check the base URL and the type under Settings, Providers, or with `namma connection list`.".to_owned(),
            ),
            Self::ServerFailed { status, .. } => (
                ErrorCode::ServerFailed,
                format!("{label} has a fault of its own ({status})"),
                "Try again in a moment, or switch to another model.".to_owned(),
            ),
            Self::Unreachable { address, .. } => (
                ErrorCode::Unreachable,
                format!("nothing answers at {address}"),
                "Start the server, check the network, or choose another model.".to_owned(),
            ),
            Self::TimedOut { seconds } => (
                ErrorCode::TimedOut,
                format!("{label} sent nothing for {seconds} s"),
                "Try again, or switch to another model.".to_owned(),
            ),
            Self::StreamCut { .. } => (
                ErrorCode::StreamCut,
                format!("{label} broke off in the middle of the answer"),
                "What had arrived is kept. Try again to get a whole answer.".to_owned(),
            ),
            Self::Malformed { what } => (
                ErrorCode::Malformed,
                format!("{label} sent something that is not the agreed format: {what}"),
                "Check that the base URL is that of a model server, or try again.".to_owned(),
            ),
            Self::ContentFiltered { .. } => (
                ErrorCode::ContentFiltered,
                format!("{label} blocked the answer by its filter"),
                "Put the question in other words, or switch to another model.".to_owned(),
            ),
            Self::LocalServer { what, log, hint, .. } => (
                ErrorCode::ServerFailed,
                format!("the model server on this computer {what}"),
                if log.is_empty() { hint.clone() } else { format!("{hint} It wrote last:\n{log}") },
            ),
        };
        ApiError { code, message, hint: Some(hint), retry_after_ms }
    }
}
