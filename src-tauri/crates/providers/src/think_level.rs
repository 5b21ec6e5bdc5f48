//! The level of thinking in the words that several dialects share.

use namma_core::ports::{Thinking, ThinkingControl};
use namma_protocol::ThinkLevel;

/// The word for the effort, for models that take one.
pub(crate) fn effort(thinking: &Thinking) -> Option<&str> {
    match (&thinking.control, thinking.level) {
        (ThinkingControl::Effort { off }, ThinkLevel::Off) => off.as_deref(),
        (ThinkingControl::Effort { .. }, level) => Some(level.as_str()),
        _ => None,
    }
}

/// Tokens to think with, for models that take a number; 0 is none at all.
pub(crate) fn budget(thinking: &Thinking) -> Option<u32> {
    let ThinkingControl::Budget { least } = thinking.control else { return None };
    let wanted = match thinking.level {
        ThinkLevel::Off => 0,
        ThinkLevel::Low => 2048,
        ThinkLevel::Medium => 8192,
        ThinkLevel::High => 24_576,
    };
    Some(wanted.max(least))
}

/// Whether to think at all, for models that take no more than that.
pub(crate) fn switch(thinking: &Thinking) -> Option<bool> {
    (thinking.control == ThinkingControl::Switch).then_some(thinking.level != ThinkLevel::Off)
}
