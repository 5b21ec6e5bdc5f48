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

/// Of so many tokens to think with, those that the most for thinking and answer together leaves: what
/// the answer does not want, and half of it in any case.
pub(crate) fn fitted(thought: u32, answer: Option<u32>, most: Option<u32>) -> u32 {
    let Some(most) = most else { return thought };
    let beside = answer.map_or(0, |answer| most.saturating_sub(answer));
    thought.min(beside.max(most / 2))
}

/// Whether a request says anything of how long to think.
pub(crate) fn is_told(thinking: &Thinking) -> bool {
    effort(thinking).is_some() || budget(thinking).is_some() || switch(thinking).is_some()
}

/// Whether to think at all, for models that take no more than that.
pub(crate) fn switch(thinking: &Thinking) -> Option<bool> {
    (thinking.control == ThinkingControl::Switch).then_some(thinking.level != ThinkLevel::Off)
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn thinking_takes_what_the_answer_leaves_and_half_in_any_case() {
        assert_eq!(fitted(24_576, Some(8192), None), 24_576);
        assert_eq!(fitted(24_576, Some(8192), Some(8192 + 24_576)), 24_576);
        assert_eq!(fitted(24_576, Some(8192), Some(20_000)), 11_808);
        assert_eq!(fitted(24_576, Some(8192), Some(4096)), 2048);
        assert_eq!(fitted(1024, Some(8192), Some(4096)), 1024);
        assert_eq!(fitted(24_576, None, Some(4096)), 2048);
    }
}
