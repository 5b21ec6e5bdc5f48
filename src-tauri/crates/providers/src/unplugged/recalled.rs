//! What `recall` brought back, and which of it is meant.

use super::intent::Intent;
use super::plan::{self, Planned};
use super::tokens::fold;
use super::wording::{Brought, outside};

/// A fact, from its line: `[fact_1 · 2026-11-30] "I like tea"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recalled<'a> {
    pub(super) id: &'a str,
    pub(super) day: &'a str,
    pub(super) sentence: &'a str,
}

/// The facts of a result, which may be quoted.
pub(super) fn facts(content: &str) -> Vec<Recalled<'_>> {
    outside(content).unwrap_or(content).lines().filter_map(read).collect()
}

fn read(line: &str) -> Option<Recalled<'_>> {
    let (mark, sentence) = line.strip_prefix('[')?.split_once("] \"")?;
    let (id, day) = mark.split_once(" · ")?;
    Some(Recalled { id, day, sentence: sentence.strip_suffix('"')? })
}

/// One line each, the day first.
pub(super) fn shown(facts: &[Recalled<'_>]) -> String {
    let lines: Vec<String> = facts.iter().map(|fact| format!("{}  {}", fact.day, fact.sentence)).collect();
    lines.join("\n")
}

/// The one fact that says exactly this, or else all that have these words in a row.
pub(super) fn fitting<'a>(text: &str, content: &'a str) -> Vec<Recalled<'a>> {
    let wanted = plain(text);
    let with_words: Vec<Recalled<'a>> = facts(content)
        .into_iter()
        .filter(|fact| format!(" {} ", plain(fact.sentence)).contains(&format!(" {wanted} ")))
        .collect();
    match with_words.iter().find(|fact| plain(fact.sentence) == wanted) {
        Some(exact) => vec![*exact],
        None => with_words,
    }
}

/// Facts with words that begin with these: "my sister" is near to "my sister's birthday". They are
/// shown, and none of them is forgotten.
pub(super) fn near<'a>(text: &str, content: &'a str) -> Vec<Recalled<'a>> {
    let wanted = plain(text);
    let has = |sentence: &str, start: &str| sentence.split(' ').any(|word| word.starts_with(start));
    facts(content)
        .into_iter()
        .filter(|fact| {
            let sentence = plain(fact.sentence);
            !wanted.is_empty() && wanted.split(' ').all(|start| has(&sentence, start))
        })
        .collect()
}

/// The call that comes after the look, when it is sure what shall be forgotten.
pub(super) fn to_forget(intent: &Intent, brought: &[Brought<'_>]) -> Option<Planned> {
    let (Intent::Forget { text }, [found]) = (intent, brought) else { return None };
    match fitting(text, found.content).as_slice() {
        [only] => Some(plan::forget(only.id)),
        _ => None,
    }
}

/// Words without what stands around them.
fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| fold(word.trim_matches(|c: char| c.is_ascii_punctuation())));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: &str = "[fact_1 · 2026-11-30] \"I like tea\"\n[fact_2 · 2026-11-29] \"I like tea with \"real\" milk\"";

    fn ids(text: &str) -> Vec<&'static str> {
        fitting(text, FOUND).into_iter().map(|fact| fact.id).collect()
    }

    #[test]
    fn the_exact_words_mean_one_fact_and_some_of_them_all_that_have_them() {
        assert_eq!(ids("i like tea."), ["fact_1"]);
        assert_eq!(ids("like tea"), ["fact_1", "fact_2"]);
        assert_eq!(ids("real milk"), ["fact_2"]);
        assert_eq!(ids("like te"), Vec::<&str>::new(), "half a word is no word");
        assert_eq!(ids("like milk"), Vec::<&str>::new(), "the words must stand together");
    }

    #[test]
    fn facts_with_words_that_begin_so_are_near_and_others_are_not() {
        let found = "[fact_1 · 2026-11-30] \"my sister's birthday is 4 May\"\n[fact_2 · 2026-11-29] \"my car is red\"";
        assert_eq!(fitting("my sister", found), []);
        assert_eq!(near("my sister", found).iter().map(|fact| fact.id).collect::<Vec<_>>(), ["fact_1"]);
        assert_eq!(near("my brother", found), []);
        assert_eq!(near("", found), []);
    }

    #[test]
    fn lines_that_are_no_facts_are_none() {
        assert_eq!(facts("no fact fits"), []);
        assert_eq!(facts("[fact_1] \"x\"\n[a · b] y"), []);
        assert_eq!(facts("<data 0a1b from=\"a file\">\n[f · d] \"x\"\n</data 0a1b>").len(), 1);
    }
}
