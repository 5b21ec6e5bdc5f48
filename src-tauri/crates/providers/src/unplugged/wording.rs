//! From what the tools brought back to an answer, by templates.

use super::extract::extract;
use super::intent::{Answer, Intent, Lack, Sort, Talk, Topic};
use super::phrases::{Phrases, fill};
use super::plan::{MOST_FACTS, last_name, moved_to};
use super::recalled;
use super::sums::Outcome;
use super::units;

/// What a call brought back, as the model reads it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brought<'a> {
    pub(super) content: &'a str,
    pub(super) is_error: bool,
}

/// The answer to a request whose calls are done, as far as they went.
pub(super) fn answer(intent: &Intent, brought: &[Brought<'_>], phrases: &Phrases) -> String {
    match intent {
        Intent::Answer(answer) => reckoned(answer, phrases),
        Intent::Talk(talk) => match talk {
            Talk::Hello => phrases.hello.to_owned(),
            Talk::Help => format!("{}\n\n{}", phrases.help, phrases.offer),
            Talk::Who => format!("{}\n\n{}", phrases.who, phrases.offer),
            Talk::Thanks => phrases.thanks.to_owned(),
        },
        Intent::Lacks(lack) => match lack {
            Lack::Rates => phrases.no_rates.to_owned(),
        },
        _ => match brought {
            [] => phrases.unknown.to_owned(),
            [first, ..] if first.is_error => refused(first.content, phrases),
            [first] => looked(intent, first.content, phrases),
            [_, gone, ..] if matches!(intent, Intent::Forget { .. }) => forgotten(*gone, phrases),
            [_, check, ..] => changed(intent, *check, phrases),
        },
    }
}

/// Why a call did not do it, in the words of the gate or the tool, without what is meant for a model.
fn refused(content: &str, phrases: &Phrases) -> String {
    match content.strip_prefix("Declined: ") {
        Some(reason) => {
            let reason = reason.split_once(" It did not run.").map_or(reason, |(reason, _)| reason);
            fill(phrases.not_done, &[reason])
        }
        None => fill(phrases.failed, &[content.strip_prefix("Error: ").unwrap_or(content)]),
    }
}

fn looked(intent: &Intent, content: &str, phrases: &Phrases) -> String {
    let outside = outside(content);
    let listed = |heading: String| {
        let lines = outside.map(|text| text.split_once('\n').map_or("", |(_, lines)| lines));
        lines.map(|lines| format!("{heading}\n\n{}", fenced(lines)))
    };
    match intent {
        Intent::Files { sort, folder, .. } => {
            let heading = fill(of_sort(*sort, phrases), &[&code(folder)]);
            listed(heading).unwrap_or_else(|| fill(phrases.no_files, &[&code(folder)]))
        }
        Intent::WhichToDelete { sort, folder } => {
            let heading = fill(of_sort(*sort, phrases), &[&code(folder)]);
            let listed = listed(heading).map(|listed| format!("{listed}\n\n{}", phrases.which_one));
            listed.unwrap_or_else(|| fill(phrases.no_files, &[&code(folder)]))
        }
        Intent::List { folder, .. } => {
            listed(fill(phrases.list, &[&code(folder)])).unwrap_or_else(|| fill(phrases.empty, &[&code(folder)]))
        }
        Intent::Find { glob, folder } => found(outside, phrases.found, &code(glob), folder, phrases),
        Intent::FindText { text, folder } => found(outside, phrases.found_text, text, folder, phrases),
        Intent::Chats { text } => match outside {
            Some(messages) => format!("{}\n\n{}", fill(phrases.chats, &[text]), fenced(messages)),
            None => fill(phrases.no_chats, &[text]),
        },
        Intent::Remember { text } if content.starts_with("known already") => fill(phrases.known_already, &[text]),
        Intent::Remember { text } => fill(phrases.remembered, &[text]),
        Intent::Recall { about } => match (recalled::facts(content).as_slice(), about) {
            ([], None) => phrases.no_facts.to_owned(),
            ([], Some(about)) => fill(phrases.no_fact_about, &[about]),
            (facts, _) => {
                let shown = format!("{}\n\n{}", phrases.facts, fenced(&recalled::shown(facts)));
                let is_cut = facts.len() >= MOST_FACTS as usize;
                if is_cut { format!("{shown}\n\n{}", phrases.more_facts) } else { shown }
            }
        },
        Intent::Forget { text } => match recalled::fitting(text, content).as_slice() {
            [] => match recalled::near(text, content).as_slice() {
                [] => fill(phrases.no_fact_about, &[text]),
                near => format!("{}\n\n{}", phrases.near_facts, fenced(&recalled::shown(near))),
            },
            facts => format!("{}\n\n{}", phrases.which_fact, fenced(&recalled::shown(facts))),
        },
        Intent::Read { path } => match outside {
            Some(text) => format!("{}\n\n{}", fill(phrases.content, &[&code(path)]), fenced(text)),
            None => fill(phrases.no_content, &[&code(path)]),
        },
        Intent::Summarise { path } => summary(outside.unwrap_or_default(), path, phrases),
        Intent::Open { target } => fill(phrases.opened, &[&code(target)]),
        Intent::Computer(topic) => computer(*topic, content, phrases),
        // A change that nobody looked at.
        _ => phrases.unchecked.to_owned(),
    }
}

/// The fact itself is not named once more: it is gone.
fn forgotten(gone: Brought<'_>, phrases: &Phrases) -> String {
    if gone.is_error { refused(gone.content, phrases) } else { phrases.forgotten.to_owned() }
}

fn of_sort(sort: Sort, phrases: &Phrases) -> &'static str {
    match sort {
        Sort::Largest => phrases.largest,
        Sort::Newest => phrases.newest,
        Sort::Oldest => phrases.oldest,
    }
}

fn found(outside: Option<&str>, heading: &str, what: &str, folder: &str, phrases: &Phrases) -> String {
    match outside {
        Some(lines) => format!("{}\n\n{}", fill(heading, &[what, &code(folder)]), fenced(lines)),
        None => fill(phrases.nothing_found, &[what, &code(folder)]),
    }
}

fn summary(text: &str, path: &str, phrases: &Phrases) -> String {
    let lines = extract(text);
    if lines.is_empty() {
        return fill(phrases.no_content, &[&code(path)]);
    }
    let quoted: Vec<String> = lines.iter().map(|line| format!("> {line}\n>")).collect();
    let quoted = quoted.join("\n");
    format!("{}\n\n{}", fill(phrases.extract, &[&code(path)]), quoted.trim_end_matches("\n>"))
}

fn computer(topic: Topic, facts: &str, phrases: &Phrases) -> String {
    let wanted: &[&str] = match topic {
        Topic::All => &[""],
        Topic::Disk => &["disk"],
        Topic::Battery => &["battery"],
        Topic::Memory => &["memory:", "swap:"],
        Topic::Processor => &["processor:", "architecture:"],
        Topic::Uptime => &["on for:"],
        Topic::Zone => &["time zone:"],
    };
    let fits = |line: &&str| wanted.iter().any(|start| line.starts_with(start));
    let lines: Vec<String> = facts.lines().filter(fits).map(|line| format!("- {line}")).collect();
    if lines.is_empty() {
        return phrases.not_known.to_owned();
    }
    format!("{}\n\n{}", phrases.computer, lines.join("\n"))
}

/// A change that was made, and what looking at it showed.
fn changed(intent: &Intent, check: Brought<'_>, phrases: &Phrases) -> String {
    if check.is_error {
        return phrases.unchecked.to_owned();
    }
    let is_there = |path: &str| outside(check.content).is_some_and(|listing| lists(listing, last_name(path)));
    match intent {
        Intent::Move { from, to } if is_there(&moved_to(from, to)) => fill(phrases.moved, &[&code(from), &code(to)]),
        Intent::MakeDir { path } if is_there(path) => fill(phrases.made, &[&code(path)]),
        Intent::Delete { path } if !is_there(path) => fill(phrases.deleted, &[&code(path)]),
        Intent::Move { from: path, .. } | Intent::MakeDir { path } | Intent::Delete { path } => {
            fill(phrases.not_as_told, &[&code(path)])
        }
        _ => phrases.unchecked.to_owned(),
    }
}

/// Whether a listing has an entry of exactly that name.
fn lists(listing: &str, name: &str) -> bool {
    listing.lines().skip(1).any(|line| line.strip_suffix('/').unwrap_or(line).ends_with(&format!("  {name}")))
}

fn reckoned(answer: &Answer, phrases: &Phrases) -> String {
    match answer {
        Answer::Time(moment) => {
            fill(phrases.time, &[&moment.strftime("%H:%M").to_string(), &phrases.date(moment.date())])
        }
        Answer::Day(date) => format!("{}.", phrases.date(*date)),
        Answer::Days(from, to) => {
            let days = from.until(*to).map_or(0, |span| span.get_days());
            fill(phrases.days, &[&days.to_string(), &phrases.date(*from), &phrases.date(*to)])
        }
        Answer::Sum(Outcome::Result(amount)) => {
            let (shown, is_rounded) = amount.shown();
            if is_rounded { fill(phrases.rounded, &[&shown]) } else { shown }
        }
        Answer::Sum(Outcome::DividedByZero) => phrases.divided_by_zero.to_owned(),
        Answer::Sum(Outcome::TooLarge) => phrases.too_large.to_owned(),
        Answer::Sum(Outcome::Rates) => phrases.no_rates.to_owned(),
        Answer::Units(from, to) => match units::convert(from, *to) {
            Some((number, is_rounded)) => {
                let line = format!("{} {} = {number} {}", from.number, from.unit.shown, to.shown);
                if is_rounded { fill(phrases.rounded, &[&line]) } else { line }
            }
            None => phrases.too_large.to_owned(),
        },
    }
}

/// What came from outside, without the marks that quote it. Words of the tool itself have none.
pub(super) fn outside(content: &str) -> Option<&str> {
    let (mark, rest) = content.strip_prefix("<data ")?.split_once('\n')?;
    let mark = mark.split_whitespace().next()?;
    rest.strip_suffix(&format!("</data {mark}>")).map(|text| text.trim_end_matches('\n'))
}

/// A name as code, whatever it holds.
fn code(name: &str) -> String {
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}

/// A text as it stands: no part of it is taken for Markdown.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_in_its_fence() {
        assert_eq!(fenced("a\n```\nb"), "````text\na\n```\nb\n````");
        assert_eq!(outside("<data 12ab from=\"a file\">\nx\n</data 12ab>"), Some("x"));
        assert_eq!(outside("0 entries in `x`"), None);
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
