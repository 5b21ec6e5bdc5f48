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

/// Billionths of a US dollar, rounded: `$0.0123`, `$4.56`. What was spent is never shown as nothing.
pub(crate) fn dollars(nanos: i64) -> String {
    let rounded = |unit: i64| (nanos.max(0).saturating_add(unit / 2) / unit).max(i64::from(nanos > 0));
    let ten_thousandths = rounded(100_000);
    if ten_thousandths < 10_000 {
        return format!("$0.{ten_thousandths:04}");
    }
    let cents = rounded(10_000_000);
    format!("${}.{:02}", cents / 100, cents % 100)
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
        Limit::Spending => (
            "stopped at the limit on spending",
            "Raise the limit under `spending`; that of the day or the month can be passed with `--over-limit`, in the same chat.",
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
    fn money_is_shown_and_what_was_spent_never_as_nothing() {
        assert_eq!(dollars(0), "$0.0000");
        assert_eq!(dollars(1), "$0.0001");
        assert_eq!(dollars(12_345_678), "$0.0123");
        assert_eq!(dollars(4_560_000_000), "$4.56");
    }

    #[test]
    fn money_is_rounded_also_up_to_the_next_dollar() {
        assert_eq!(dollars(1_999_900_000), "$2.00");
        assert_eq!(dollars(1_994_900_000), "$1.99");
        assert_eq!(dollars(999_960_000), "$1.00");
        assert_eq!(dollars(999_940_000), "$0.9999");
        assert_eq!(dollars(i64::MAX), "$9223372036.85");
    }

    #[test]
    fn long_text_is_shown_by_its_beginning() {
        assert_eq!(first_line("one\ntwo", 10), "one…");
        assert_eq!(first_line("ಕನ್ನಡ ಬರುತ್ತೆ", 5), "ಕನ್ನಡ…");
        assert_eq!(first_line("short", 10), "short");
    }
}
