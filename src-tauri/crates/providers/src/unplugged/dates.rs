//! Days in words, and what can be reckoned with them.

use super::vocabulary as words;
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

/// A day as it was named. One without a year is found when it is known which one is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Day {
    /// Days from today.
    Near(i32),
    Exact(Date),
    Yearly {
        month: i8,
        day: i8,
    },
    Weekday(Weekday),
}

/// Which of the days with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lean {
    /// The first from today on.
    Coming,
    /// The last up to today.
    Past,
}

/// A unit of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

impl Day {
    /// The date that is meant, seen from `today`. `None` when the calendar has none.
    pub(super) fn date(self, today: Date, lean: Lean) -> Option<Date> {
        let fits = |date: Date| if lean == Lean::Coming { date >= today } else { date <= today };
        let step = if lean == Lean::Coming { 1 } else { -1 };
        match self {
            Self::Near(days) => today.checked_add(days.days()).ok(),
            Self::Exact(date) => Some(date),
            // Eight years reach the next 29 February, across the turn of a century.
            Self::Yearly { month, day } => (0..=8_i16)
                .filter_map(|years| Date::new(today.year().checked_add(years * step)?, month, day).ok())
                .find(|date| fits(*date)),
            Self::Weekday(weekday) => today.nth_weekday(i32::from(step), weekday).ok(),
        }
    }
}

impl Period {
    /// So many of them; `None` for parts of a day.
    pub(super) fn span(self, count: i64) -> Option<Span> {
        let span = Span::new();
        match self {
            Self::Minutes | Self::Hours => None,
            Self::Days => span.try_days(count).ok(),
            Self::Weeks => span.try_weeks(count).ok(),
            Self::Months => span.try_months(count).ok(),
            Self::Years => span.try_years(count).ok(),
        }
    }
}

pub(super) fn period(word: &str) -> Option<Period> {
    Some(match word {
        "minute" | "minutes" | "मिनट" | "ನಿಮಿಷ" | "ನಿಮಿಷಗಳ" => Period::Minutes,
        "hour" | "hours" | "घंटे" | "घंटा" | "ghante" | "ಗಂಟೆ" | "ಗಂಟೆಗಳ" => {
            Period::Hours
        }
        "day" | "days" | "दिन" | "दिनों" | "din" | "ದಿನ" | "ದಿನಗಳ" => Period::Days,
        "week" | "weeks" | "हफ़्ते" | "हफ्ते" | "हफ़्ता" | "सप्ताह" | "hafte" | "ವಾರ" | "ವಾರಗಳ" => {
            Period::Weeks
        }
        "month" | "months" | "महीने" | "महीना" | "mahine" | "ತಿಂಗಳ" | "ತಿಂಗಳು" | "ತಿಂಗಳುಗಳ" => {
            Period::Months
        }
        "year" | "years" | "साल" | "वर्ष" | "saal" | "ವರ್ಷ" | "ವರ್ಷಗಳ" => {
            Period::Years
        }
        _ => return None,
    })
}

/// A day from its words, in folded form.
pub(super) fn day(named: &[&str]) -> Option<Day> {
    match *named {
        ["today" | "now" | "आज" | "aaj" | "ಇಂದು" | "ಇವತ್ತು"] => Some(Day::Near(0)),
        // Hindi has one word for tomorrow and yesterday; it is not guessed which.
        ["tomorrow" | "ನಾಳೆ"] => Some(Day::Near(1)),
        ["yesterday" | "ನಿನ್ನೆ"] => Some(Day::Near(-1)),
        ["day", "after", "tomorrow"] | ["the", "day", "after", "tomorrow"] => Some(Day::Near(2)),
        ["day", "before", "yesterday"] | ["the", "day", "before", "yesterday"] => Some(Day::Near(-2)),
        ["christmas"] | ["christmas", "day"] => Some(Day::Yearly { month: 12, day: 25 }),
        ["new", "year"] | ["new", "year's"] | ["new", "year's", "day"] => Some(Day::Yearly { month: 1, day: 1 }),
        ["the", ref rest @ ..] => day_of_month(rest),
        [one] => numeric(one).or_else(|| words::weekday(one).and_then(weekday)),
        _ => day_of_month(named),
    }
}

fn weekday(number: i8) -> Option<Day> {
    Weekday::from_monday_one_offset(number).ok().map(Day::Weekday)
}

/// `2027-08-15`, or `24/12/2026` where only one reading is a date.
fn numeric(word: &str) -> Option<Day> {
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let [first, second, third] = parts[..] else { return None };
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<i16>().ok()).flatten();
    let (a, b, c) = (number(first)?, number(second)?, number(third)?);
    let date = |year: i16, month: i16, day: i16| {
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok().map(Day::Exact)
    };
    if first.len() == 4 {
        return date(a, b, c);
    }
    if third.len() != 4 {
        return None;
    }
    // 5/6/2026 is in June or in May: it is not guessed which.
    match (date(c, b, a), date(c, a, b)) {
        (Some(one), Some(other)) => (one == other).then_some(one),
        (one, other) => one.or(other),
    }
}

/// "24 December", "December 24th, 2027", "24th of December".
fn day_of_month(named: &[&str]) -> Option<Day> {
    let plain: Vec<&str> = named.iter().copied().filter(|word| *word != "of").collect();
    let (first, second, year) = match plain[..] {
        [first, second] => (first, second, None),
        [first, second, year] => (first, second, Some(year)),
        _ => return None,
    };
    let (day, month) = match (words::month(first), words::month(second)) {
        (Some(month), None) => (ordinal(second)?, month),
        (None, Some(month)) => (ordinal(first)?, month),
        _ => return None,
    };
    match year {
        Some(year) if year.len() == 4 => Date::new(year.parse().ok()?, month, day).ok().map(Day::Exact),
        Some(_) => None,
        // 2024 has a 29 February.
        None => Date::new(2024, month, day).is_ok().then_some(Day::Yearly { month, day }),
    }
}

fn ordinal(word: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn coming(named: &str) -> Option<Date> {
        day(&named.split(' ').collect::<Vec<_>>())?.date(date(2026, 11, 30), Lean::Coming)
    }

    #[test]
    fn days_are_found_by_any_of_their_names() {
        for named in ["24 december", "december 24", "24th of december", "the 24 dec 2026", "24/12/2026", "2026-12-24"] {
            assert_eq!(coming(named), Some(date(2026, 12, 24)), "{named}");
        }
        assert_eq!(coming("29 february"), Some(date(2028, 2, 29)));
        assert_eq!(coming("30 november"), Some(date(2026, 11, 30)), "today counts");
        assert_eq!(coming("monday"), Some(date(2026, 12, 7)), "a weekday is the next one");
        assert_eq!(coming("day after tomorrow"), Some(date(2026, 12, 2)));
        assert_eq!(day(&["1", "january"]).unwrap().date(date(2026, 11, 30), Lean::Past), Some(date(2026, 1, 1)));
    }

    #[test]
    fn what_is_no_day_or_may_be_two_is_none() {
        for named in ["5/6/2026", "30 february", "32 may", "24 december 26", "1/2", "कल", "soon", "13/13/2026", "may"]
        {
            assert_eq!(coming(named), None, "{named}");
        }
        assert_eq!(coming("5/5/2026"), Some(date(2026, 5, 5)), "both readings agree");
    }
}
