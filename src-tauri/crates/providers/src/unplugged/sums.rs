//! Sums in exact decimals: `(3 + 4) * 5`, `18% of 2499`, `₹1,20,000 / 12`.
//!
//! What is not wholly a sum is none: a date, a telephone number and a score stay what they are.

mod reader;

use reader::{Reader, Trouble};
use rust_decimal::Decimal;

/// What a sum comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    Result(Amount),
    DividedByZero,
    TooLarge,
    /// It mixes two currencies.
    Rates,
}

/// A number with the sign that was written with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) number: Decimal,
    pub(super) percent: bool,
    pub(super) currency: Option<&'static str>,
}

/// Decimals that are shown.
const PLACES: u32 = 10;

/// The value of a text that is a sum with at least one sign; `None` for every other text.
pub(super) fn evaluate(text: &str) -> Option<Outcome> {
    if is_rather_something_else(text) {
        return None;
    }
    let mut reader = Reader::new(text)?;
    match reader.sum() {
        Ok(amount) => (reader.is_at_end() && reader.signs() > 0).then_some(Outcome::Result(amount)),
        Err(Trouble::NotASum) => None,
        Err(Trouble::DividedByZero) => Some(Outcome::DividedByZero),
        Err(Trouble::TooLarge) => Some(Outcome::TooLarge),
        Err(Trouble::Rates) => Some(Outcome::Rates),
    }
}

/// `15/08/2027`, `24-12-2026`, `555-1234`.
fn is_rather_something_else(text: &str) -> bool {
    let groups: Vec<&str> = text.split(['/', '-', '.']).collect();
    let only_digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()));
    only_digits && (groups.len() > 2 || text.contains('-'))
}

/// Is this one number, perhaps of money?
pub(super) fn is_number(text: &str) -> bool {
    Reader::new(text)
        .and_then(|mut reader| reader.primary().ok().filter(|_| reader.is_at_end() && reader.signs() == 0))
        .is_some()
}

/// Is this one percentage?
pub(super) fn is_percent(text: &str) -> bool {
    Reader::new(text)
        .and_then(|mut reader| reader.with_percent().ok().filter(|amount| amount.percent && reader.is_at_end()))
        .is_some()
}

/// A plain number, with or without commas between its groups.
pub(super) fn number(text: &str) -> Option<Decimal> {
    let (sign, digits) = text.strip_prefix('-').map_or((Decimal::ONE, text), |rest| (-Decimal::ONE, rest));
    let plain = reader::without_commas(digits)?;
    plain.parse::<Decimal>().ok()?.checked_mul(sign)
}

impl Amount {
    /// As it is written in an answer, and whether it was rounded.
    pub(super) fn shown(&self) -> (String, bool) {
        let rounded = self.number.round_dp(PLACES).normalize();
        let is_rounded = rounded != self.number;
        let percent = if self.percent { "%" } else { "" };
        let Some(currency) = self.currency else { return (format!("{rounded}{percent}"), is_rounded) };
        let money = rounded.round_dp(2);
        let places = if money.fract().is_zero() { 0 } else { 2 };
        let minus = if money.is_sign_negative() { "-" } else { "" };
        (format!("{minus}{currency}{:.places$}{percent}", money.abs()), money != self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<String> {
        match evaluate(text)? {
            Outcome::Result(amount) => Some(amount.shown().0),
            other => Some(format!("{other:?}")),
        }
    }

    #[test]
    fn sums_are_exact() {
        for (text, expected) in [
            ("0.1 + 0.2", "0.3"),
            ("2 + 3 * 4", "14"),
            ("(2 + 3) * 4", "20"),
            ("2^3^2", "512"),
            ("-2 + 5", "3"),
            ("2 * -3", "-6"),
            ("10 / 4", "2.5"),
            ("10/3", "3.3333333333"),
            ("1,20,000 / 12", "10000"),
            ("18% of 2499", "449.82"),
            ("2499 + 18%", "2948.82"),
            ("1500 - 20%", "1200"),
            ("10% + 5%", "15%"),
            ("50% * 8", "4"),
            ("seven hundred", "none"),
            ("7 times 8", "56"),
            ("100 divided by 8", "12.5"),
            ("$45.50 * 3", "$136.50"),
            ("₹100 - ₹250", "-₹150"),
            ("rs 100 + rs 20", "₹120"),
            ("$10 / $4", "2.5"),
            ("12x12", "144"),
            ("99999999999999999999 * 99999999999999999999", "TooLarge"),
            ("1 / 0", "DividedByZero"),
            ("1 / (2 - 2)", "DividedByZero"),
            ("$5 + ₹5", "Rates"),
            ("9^9^9", "TooLarge"),
            ("2^-1", "0.5"),
            ("-2^2", "-4"),
            ("3 - -2^2", "7"),
            ("(-2)^2", "4"),
        ] {
            assert_eq!(value(text).unwrap_or_else(|| "none".into()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_wholly_a_sum_is_none() {
        for text in [
            "42",
            "18%",
            "",
            "+",
            "1 +",
            "1 2",
            "15/08/2027",
            "24-12-2026",
            "555-1234",
            "1 + x",
            "(1 + 2",
            "1 + 2)",
            "1..2 + 3",
            "12,34 + 1",
            "$5 * $5",
            "a + b",
            "1 = 1",
            "2 of",
            "1.2.3 + 1",
            "c++",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic_or_hang(text in "[0-9+*/^%().,x $-]{0,40}") {
            let _ = value(&text);
        }

        #[test]
        fn whole_numbers_add_up(a in 0_u32..1_000_000, b in 0_u32..1_000_000) {
            proptest::prop_assert_eq!(value(&format!("{a} + {b}")), Some((a + b).to_string()));
        }
    }
}
