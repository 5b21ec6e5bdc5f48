//! What is answered, in each language. `{}` stands for what is filled in, in order.

mod english;
mod hindi;
mod kannada;

use super::tokens::Token;
use jiff::civil::Date;

/// The sentences of a language.
pub(super) struct Phrases {
    pub(super) hello: &'static str,
    pub(super) help: &'static str,
    pub(super) who: &'static str,
    pub(super) thanks: &'static str,
    /// How to get a model.
    pub(super) offer: &'static str,
    pub(super) unknown: &'static str,
    /// Added when the words were about a change.
    pub(super) exact_name: &'static str,
    pub(super) chat_mode: &'static str,
    pub(super) no_tool: &'static str,
    pub(super) no_rates: &'static str,
    pub(super) remembered: &'static str,
    pub(super) known_already: &'static str,
    pub(super) facts: &'static str,
    pub(super) no_facts: &'static str,
    pub(super) no_fact_about: &'static str,
    pub(super) which_fact: &'static str,
    /// No fact has the words, and some are near to them.
    pub(super) near_facts: &'static str,
    /// As many facts as are shown at once.
    pub(super) more_facts: &'static str,
    pub(super) forgotten: &'static str,
    /// What was looked for.
    pub(super) chats: &'static str,
    pub(super) no_chats: &'static str,
    pub(super) opened: &'static str,
    pub(super) largest: &'static str,
    pub(super) newest: &'static str,
    pub(super) oldest: &'static str,
    pub(super) no_files: &'static str,
    pub(super) which_one: &'static str,
    pub(super) list: &'static str,
    pub(super) empty: &'static str,
    pub(super) found: &'static str,
    pub(super) found_text: &'static str,
    pub(super) nothing_found: &'static str,
    pub(super) content: &'static str,
    pub(super) no_content: &'static str,
    pub(super) extract: &'static str,
    pub(super) moved: &'static str,
    pub(super) deleted: &'static str,
    pub(super) made: &'static str,
    /// The change was reported, and looking shows otherwise.
    pub(super) not_as_told: &'static str,
    pub(super) unchecked: &'static str,
    pub(super) failed: &'static str,
    pub(super) not_done: &'static str,
    pub(super) computer: &'static str,
    pub(super) not_known: &'static str,
    pub(super) time: &'static str,
    pub(super) days: &'static str,
    pub(super) rounded: &'static str,
    pub(super) divided_by_zero: &'static str,
    pub(super) too_large: &'static str,
    /// From Monday.
    pub(super) weekdays: [&'static str; 7],
    pub(super) months: [&'static str; 12],
}

/// The sentences for the script of a request; names and quotes do not count.
pub(super) fn phrases(tokens: &[Token]) -> &'static Phrases {
    let words = || tokens.iter().filter(|token| !token.quoted && !token.raw.contains(['.', '/']));
    let has = |script: std::ops::RangeInclusive<char>| words().any(|token| token.raw.contains(|c| script.contains(&c)));
    if has('\u{c80}'..='\u{cff}') {
        &kannada::PHRASES
    } else if has('\u{900}'..='\u{97f}') {
        &hindi::PHRASES
    } else {
        &english::PHRASES
    }
}

impl Phrases {
    /// "Monday, 30 November 2026".
    pub(super) fn date(&self, date: Date) -> String {
        let at = |number: i8| usize::try_from(number - 1).unwrap_or(0);
        let weekday = self.weekdays[at(date.weekday().to_monday_one_offset()) % 7];
        let month = self.months[at(date.month()) % 12];
        format!("{weekday}, {} {month} {}", date.day(), date.year())
    }
}

/// A template with its gaps filled, in order. What is filled in is not looked into.
pub(super) fn fill(template: &str, values: &[&str]) -> String {
    let mut pieces = template.split("{}");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (at, piece) in pieces.enumerate() {
        text.push_str(values.get(at).copied().unwrap_or_default());
        text.push_str(piece);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn the_script_of_the_words_decides_and_not_that_of_names() {
        let of = |text: &str| phrases(&tokens(text).unwrap()).months[0];
        assert_eq!(of("read \"चिट्ठी.txt\""), "January");
        assert_eq!(of("चिट्ठी.txt पढ़ो"), "जनवरी");
        assert_eq!(of("notes.txt ಓದು"), "ಜನವರಿ");
    }

    #[test]
    fn every_language_has_the_same_gaps() {
        let gaps = |phrases: &Phrases| {
            [
                phrases.no_tool,
                phrases.largest,
                phrases.newest,
                phrases.oldest,
                phrases.no_files,
                phrases.list,
                phrases.empty,
                phrases.found,
                phrases.found_text,
                phrases.nothing_found,
                phrases.content,
                phrases.no_content,
                phrases.extract,
                phrases.moved,
                phrases.deleted,
                phrases.opened,
                phrases.made,
                phrases.not_as_told,
                phrases.failed,
                phrases.not_done,
                phrases.time,
                phrases.days,
                phrases.rounded,
                phrases.remembered,
                phrases.known_already,
                phrases.no_fact_about,
            ]
            .map(|template| template.matches("{}").count())
        };
        assert_eq!(gaps(&hindi::PHRASES), gaps(&english::PHRASES));
        assert_eq!(gaps(&kannada::PHRASES), gaps(&english::PHRASES));
        assert_eq!(fill("{} and {}", &["{}", "b"]), "{} and b");
    }
}
