use crate::ApiError;
use serde::{Deserialize, Serialize};

/// The one answer to a tool call. Every call gets exactly one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToolOutcome {
    /// It ran; `content` is what the model reads.
    Succeeded { content: String },
    /// It did not work; the model may correct the call.
    Failed { message: String, hint: Option<String> },
    /// The person, a rule or the absence of both said no. It did not run.
    Declined { reason: String },
    /// Stopped by the person, by a crash or by the end of the program.
    Interrupted,
}

/// Why a turn ended. Every turn ends with exactly one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnOutcome {
    Answered {
        text: String,
    },
    /// Stopped by the person; `text` is what had arrived.
    Cancelled {
        text: String,
    },
    /// A limit was reached; `text` is what had arrived.
    LimitReached {
        limit: Limit,
        text: String,
    },
    /// `text` is what had arrived before it failed.
    Failed {
        error: ApiError,
        text: String,
    },
    /// The program ended in the middle of the turn.
    Interrupted {
        text: String,
    },
}

/// What ended a turn early without being a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Limit {
    /// `conversation.tool_loop_limit` steps were taken.
    Steps,
    /// The model's own cap on the length of an answer.
    OutputTokens,
    /// The same call gave the same result three times.
    Repetition,
    /// `spending` allows no more for this turn, this day or this month.
    Spending,
}

/// Tokens of one step, as the vendor counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Prompt tokens in all, cached ones included.
    pub input_tokens: u32,
    pub output_tokens: u32,
    /// Prompt tokens the vendor read from its cache.
    pub cached_tokens: u32,
    /// Prompt tokens the vendor wrote to its cache, where it says so.
    pub cache_write_tokens: u32,
    /// Output tokens spent on reasoning.
    pub reasoning_tokens: u32,
}

impl Usage {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            cache_write_tokens: self.cache_write_tokens.saturating_add(other.cache_write_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(other.reasoning_tokens),
        }
    }
}
