//! What a request means, once a pattern has fitted it whole.

use super::dates::{Day, Lean, Period};
use super::slot::Value;
use super::sums::{self, Outcome};
use super::tokens::fold;
use super::units::{self, Quantity, Unit};
use super::vocabulary as words;
use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

/// What the person asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Intent {
    Files {
        sort: Sort,
        count: u32,
        kind: Option<String>,
        folder: String,
    },
    /// They want the largest file gone: it is shown, and they say which one.
    WhichToDelete {
        sort: Sort,
        folder: String,
    },
    List {
        folder: String,
        hidden: bool,
    },
    Find {
        glob: String,
        folder: String,
    },
    FindText {
        text: String,
        folder: String,
    },
    Read {
        path: String,
    },
    Summarise {
        path: String,
    },
    Move {
        from: String,
        to: String,
    },
    Delete {
        path: String,
    },
    MakeDir {
        path: String,
    },
    Computer(Topic),
    Open {
        target: String,
    },
    Chats {
        text: String,
    },
    Remember {
        text: String,
    },
    /// Everything, or what is about something.
    Recall {
        about: Option<String>,
    },
    Forget {
        text: String,
    },
    Answer(Answer),
    Talk(Talk),
    Lacks(Lack),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Largest,
    Newest,
    Oldest,
}

/// A part of what is known about this computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    All,
    Disk,
    Battery,
    Memory,
    Processor,
    Uptime,
    Zone,
}

/// What needs no tool.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Time(Zoned),
    Day(Date),
    /// From the first to the second, which is never earlier.
    Days(Date, Date),
    Sum(Outcome),
    Units(Quantity, Unit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    Hello,
    Help,
    Who,
    Thanks,
}

/// What is understood and cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    Rates,
}

/// What a pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Files(Sort),
    OneFile(Sort),
    WhichToDelete(Sort),
    List,
    Hidden,
    Find,
    FindNamed,
    FindKind,
    FindText,
    Read,
    Summarise,
    Rename,
    Move,
    MoveInto,
    Delete,
    MakeDir,
    Computer(Topic),
    Open,
    OpenHere,
    Chats,
    Remember,
    Recall,
    Forget,
    Time,
    Today,
    Until,
    Since,
    Between,
    WhichDay,
    Ahead,
    Ago,
    After,
    Before,
    Sum,
    /// `18%` and `2499`: so much of it.
    PercentOf,
    /// `2499` and `18%`, the other way round.
    OfPercent,
    Off,
    Plus,
    Split,
    WhatPercent,
    Units,
    UnitsOf,
    Talk(Talk),
    Lacks(Lack),
}

/// How many files are shown when nobody says how many.
const SOME: u32 = 10;

/// What a fitting pattern means. `None` when its slots make no sense together.
pub(super) fn intent(rule: Rule, values: Vec<Value>, now: &Zoned) -> Option<Intent> {
    let mut slots = Slots(values);
    let today = now.date();
    let answer = |answer| Some(Intent::Answer(answer));
    match rule {
        Rule::Files(sort) => {
            let count = slots.count().unwrap_or(SOME).max(1);
            Some(Intent::Files { sort, count, kind: slots.kind(), folder: slots.folder() })
        }
        Rule::OneFile(sort) => Some(Intent::Files { sort, count: 1, kind: slots.kind(), folder: slots.folder() }),
        Rule::WhichToDelete(sort) => Some(Intent::WhichToDelete { sort, folder: slots.folder() }),
        Rule::List | Rule::Hidden => Some(Intent::List { folder: slots.folder(), hidden: rule == Rule::Hidden }),
        Rule::Find => Some(Intent::Find { glob: slots.text()?, folder: slots.folder() }),
        Rule::FindNamed => Some(Intent::Find { glob: named(&slots.text()?), folder: slots.folder() }),
        Rule::FindKind => Some(Intent::Find { glob: format!("*.{}", slots.kind()?), folder: slots.folder() }),
        Rule::FindText => Some(Intent::FindText { text: slots.text()?, folder: slots.folder() }),
        Rule::Read => Some(Intent::Read { path: slots.text()? }),
        Rule::Summarise => Some(Intent::Summarise { path: slots.text()? }),
        Rule::Rename => rename(slots.text()?, &slots.text()?),
        Rule::Move => move_to(slots.text()?, slots.text()?),
        Rule::MoveInto => {
            let (from, into) = (slots.text()?, slots.text()?);
            Some(Intent::Move { from, to: format!("{}/", into.trim_end_matches('/')) })
        }
        Rule::Delete => Some(Intent::Delete { path: slots.text()? }),
        Rule::MakeDir => {
            let (name, folder) = (slots.text()?, slots.folder());
            let path = if folder == "." { name } else { format!("{}/{name}", folder.trim_end_matches('/')) };
            Some(Intent::MakeDir { path })
        }
        Rule::Computer(topic) => Some(Intent::Computer(topic)),
        Rule::Open => Some(Intent::Open { target: slots.text()? }),
        Rule::OpenHere => Some(Intent::Open { target: ".".into() }),
        Rule::Time => answer(Answer::Time(now.clone())),
        Rule::Today => answer(Answer::Day(today)),
        Rule::Until => {
            let date = slots.day()?.date(today, Lean::Coming).filter(|date| *date >= today)?;
            answer(Answer::Days(today, date))
        }
        Rule::Since => {
            let date = slots.day()?.date(today, Lean::Past).filter(|date| *date <= today)?;
            answer(Answer::Days(date, today))
        }
        Rule::Between => {
            let first = slots.day()?.date(today, Lean::Coming)?;
            let second = slots.day()?.date(first, Lean::Coming)?;
            answer(Answer::Days(first.min(second), first.max(second)))
        }
        Rule::WhichDay => answer(Answer::Day(slots.day()?.date(today, Lean::Coming)?)),
        Rule::Ahead | Rule::Ago => {
            let count = i64::from(slots.count()?) * if rule == Rule::Ahead { 1 } else { -1 };
            answer(far_from(now, count, slots.period()?)?)
        }
        Rule::After | Rule::Before => {
            let count = i64::from(slots.count()?) * if rule == Rule::After { 1 } else { -1 };
            let span = slots.period()?.span(count)?;
            answer(Answer::Day(slots.day()?.date(today, Lean::Coming)?.checked_add(span).ok()?))
        }
        Rule::Sum => answer(Answer::Sum(slots.sum()?)),
        Rule::PercentOf => sum(&format!("{} of {}", slots.text()?, slots.text()?)),
        Rule::OfPercent => slots.text().and_then(|of| sum(&format!("{} of {of}", slots.text()?))),
        Rule::Off => slots.text().and_then(|percent| sum(&format!("{} - {percent}", slots.text()?))),
        Rule::Plus => slots.text().and_then(|percent| sum(&format!("{} + {percent}", slots.text()?))),
        Rule::Split => sum(&format!("{} / {}", slots.text()?, slots.count()?)),
        Rule::WhatPercent => what_percent(&slots.text()?, &slots.text()?),
        Rule::Units => units_of(slots.quantity()?, slots.unit()?),
        Rule::UnitsOf => slots.unit().and_then(|unit| units_of(slots.quantity()?, unit)),
        Rule::Chats => slots.text().map(|text| Intent::Chats { text }),
        Rule::Remember => slots.text().map(|text| Intent::Remember { text }),
        Rule::Recall => Some(Intent::Recall { about: slots.text().filter(|text| !is_the_person(text)) }),
        Rule::Forget => slots.text().map(|text| Intent::Forget { text }),
        Rule::Talk(talk) => Some(Intent::Talk(talk)),
        Rule::Lacks(lack) => Some(Intent::Lacks(lack)),
    }
}

/// "What do you know about me?" asks for everything.
fn is_the_person(text: &str) -> bool {
    words::THE_PERSON.contains(&fold(text).as_str())
}

/// A name without an end is part of a name.
fn named(name: &str) -> String {
    if name.contains(['.', '*', '?']) { name.to_owned() } else { format!("*{name}*") }
}

fn rename(from: String, name: &str) -> Option<Intent> {
    // A new name stays in the folder; whoever names another one moves. And whether "plan" shall be
    // `plan` or `plan.txt` is not guessed.
    if name.contains('/') || has_end(&from) && !has_end(name) {
        return None;
    }
    let to = match from.trim_end_matches('/').rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    };
    Some(Intent::Move { from, to })
}

fn has_end(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// `a.txt` to `archive` may be a folder or a new name: it is not guessed which.
fn move_to(from: String, to: String) -> Option<Intent> {
    (to.ends_with('/') || has_end(&to) || !has_end(&from)).then_some(Intent::Move { from, to })
}

fn far_from(now: &Zoned, count: i64, period: Period) -> Option<Answer> {
    match period {
        Period::Minutes => now.checked_add(count.minutes()).ok().map(Answer::Time),
        Period::Hours => now.checked_add(count.hours()).ok().map(Answer::Time),
        Period::Days | Period::Weeks | Period::Months | Period::Years => {
            now.date().checked_add(period.span(count)?).ok().map(Answer::Day)
        }
    }
}

fn sum(text: &str) -> Option<Intent> {
    sums::evaluate(text).map(|outcome| Intent::Answer(Answer::Sum(outcome)))
}

/// What share of `whole` is `part`?
fn what_percent(whole: &str, part: &str) -> Option<Intent> {
    let outcome = match sums::evaluate(&format!("({part}) / ({whole}) * 100"))? {
        Outcome::Result(amount) if amount.currency.is_none() => {
            Outcome::Result(sums::Amount { percent: true, ..amount })
        }
        Outcome::Result(_) => return None,
        other => other,
    };
    Some(Intent::Answer(Answer::Sum(outcome)))
}

fn units_of(from: Quantity, to: Unit) -> Option<Intent> {
    units::convert(&from, to)?;
    Some(Intent::Answer(Answer::Units(from, to)))
}

/// The values of a pattern, taken in their order.
struct Slots(Vec<Value>);

macro_rules! take {
    ($name:ident, $variant:ident, $kind:ty) => {
        fn $name(&mut self) -> Option<$kind> {
            let at = self.0.iter().position(|value| matches!(value, Value::$variant(_)))?;
            match self.0.remove(at) {
                Value::$variant(value) => Some(value),
                _ => None,
            }
        }
    };
}

impl Slots {
    take!(text, Text, String);
    take!(kind, Kind, String);
    take!(count, Count, u32);
    take!(day, Day, Day);
    take!(period, Period, Period);
    take!(sum, Sum, Outcome);
    take!(quantity, Quantity, Quantity);
    take!(unit, Unit, Unit);

    fn folder(&mut self) -> String {
        self.text().unwrap_or_else(|| ".".into())
    }
}
