//! Small pieces of sentences.

use namma_protocol::{Limit, UnixMs};

/// `1 turn`, `3 turns`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Date and time here, to the minute.
pub(crate) fn moment(at: UnixMs) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(time) => time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => "????-??-?? ??:??".into(),
    }
}

/// A day of UTC, counted from 1970.
pub(crate) fn day(day: i64) -> String {
    match jiff::Timestamp::from_second(day.saturating_mul(86_400)) {
        Ok(time) => time.strftime("%Y-%m-%d").to_string(),
        Err(_) => day.to_string(),
    }
}

/// What to do when nobody could approve.
pub(crate) const NOBODY_HINT: &str = "Run it in a terminal to be asked, or add `--approve always`.";

/// Why a turn stopped early.
pub(crate) fn limit(limit: Limit) -> (&'static str, &'static str) {
    match limit {
        Limit::Steps => (
            "stopped at the limit of steps for one turn",
            "Go on in the same chat (`namma ask --session ID \"go on\"`), or raise `conversation.tool_loop_limit`.",
        ),
        Limit::OutputTokens => (
            "the answer was cut at the model's limit of length",
            "Go on in the same chat (`namma ask --session ID \"go on\"`), or raise `provider.max_tokens`.",
        ),
        Limit::Repetition => {
            ("stopped because the same step gave the same result three times", "Put the task in other words.")
        }
    }
}

/// The first line, at most `length` characters of it.
pub(crate) fn first_line(text: &str, length: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let more = line.chars().count() > length || text.trim().lines().nth(1).is_some();
    let mut short: String = line.chars().take(length).collect();
    if more {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_shown_by_its_beginning() {
        assert_eq!(first_line("one\ntwo", 10), "one…");
        assert_eq!(first_line("ಕನ್ನಡ ಬರುತ್ತೆ", 5), "ಕನ್ನಡ…");
        assert_eq!(first_line("short", 10), "short");
    }
}
