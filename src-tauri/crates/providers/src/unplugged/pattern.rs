//! Patterns of whole requests. A request fits only if each of its words is accounted for: what is
//! left over may turn the meaning round ("not", "tomorrow", "if it is empty").
//!
//! `word`, `(either|or this)`, `[perhaps this|or that]`, `{slot}`, `<fragment>`.

use super::slot::{Slot, Value};
use super::tokens::{Token, fold};

/// Named parts of patterns.
pub(super) type Fragments = [(&'static str, &'static str)];

/// A pattern, read.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Item>);

#[derive(Debug)]
enum Item {
    Word(String),
    Either(Vec<Vec<Item>>),
    Perhaps(Vec<Vec<Item>>),
    Slot(Slot),
}

impl Pattern {
    /// Reads a pattern. What it does not know becomes a word that nobody says; a test holds the
    /// tables against [`Pattern::strange_words`].
    pub(super) fn new(text: &str, fragments: &Fragments) -> Self {
        let (mut alternatives, _) = alternatives(text, fragments, "");
        if alternatives.len() == 1 {
            return Self(alternatives.pop().unwrap_or_default());
        }
        Self(vec![Item::Either(alternatives)])
    }

    /// What the slots hold, in order, when the whole request fits.
    pub(super) fn fit(&self, tokens: &[Token]) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        let whole = &mut |at: usize, _: &mut Vec<Value>| at == tokens.len();
        walk(&self.0, tokens, 0, &mut found, whole).then_some(found)
    }

    #[cfg(test)]
    pub(super) fn strange_words(&self) -> Vec<String> {
        fn visit(items: &[Item], found: &mut Vec<String>) {
            for item in items {
                match item {
                    Item::Word(word) if word.contains(['{', '}', '<', '>', '(', ')', '[', ']', '|']) => {
                        found.push(word.clone());
                    }
                    Item::Word(_) | Item::Slot(_) => {}
                    Item::Either(all) | Item::Perhaps(all) => all.iter().for_each(|items| visit(items, found)),
                }
            }
        }
        let mut found = Vec::new();
        visit(&self.0, &mut found);
        found
    }
}

/// Reads alternatives up to `end`, and gives what follows it.
fn alternatives<'a>(text: &'a str, fragments: &Fragments, end: &str) -> (Vec<Vec<Item>>, &'a str) {
    let mut all = vec![Vec::new()];
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if !end.is_empty()
            && let Some(after) = rest.strip_prefix(end)
        {
            return (all, after);
        }
        let item = if let Some(after) = rest.strip_prefix('|') {
            all.push(Vec::new());
            rest = after.trim_start();
            continue;
        } else if let Some(after) = rest.strip_prefix('(') {
            let (inner, after) = alternatives(after, fragments, ")");
            rest = after;
            Item::Either(inner)
        } else if let Some(after) = rest.strip_prefix('[') {
            let (inner, after) = alternatives(after, fragments, "]");
            rest = after;
            Item::Perhaps(inner)
        } else {
            let stop = rest.find([' ', '|', '(', ')', '[', ']']).unwrap_or(rest.len()).max(1);
            let (word, after) = rest.split_at(stop);
            rest = after;
            named(word, fragments)
        };
        if let Some(last) = all.last_mut() {
            last.push(item);
        }
        rest = rest.trim_start();
    }
    (all, "")
}

fn named(word: &str, fragments: &Fragments) -> Item {
    if let Some(slot) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')).and_then(Slot::named) {
        return Item::Slot(slot);
    }
    let name = word.strip_prefix('<').and_then(|word| word.strip_suffix('>'));
    match name.and_then(|name| fragments.iter().find(|(known, _)| *known == name)) {
        Some((_, text)) => Item::Either(alternatives(text, fragments, "").0),
        None => Item::Word(fold(word)),
    }
}

type Rest<'a> = &'a mut dyn FnMut(usize, &mut Vec<Value>) -> bool;

/// Tries `items` from the word `at` on, then `rest` where they end.
fn walk(items: &[Item], tokens: &[Token], at: usize, found: &mut Vec<Value>, rest: Rest<'_>) -> bool {
    let Some((first, tail)) = items.split_first() else { return rest(at, found) };
    match first {
        Item::Word(word) => {
            tokens.get(at).is_some_and(|token| !token.quoted && token.fold == *word)
                && walk(tail, tokens, at + 1, found, rest)
        }
        Item::Either(all) => either(all, tail, tokens, at, found, rest),
        Item::Perhaps(all) => either(all, tail, tokens, at, found, rest) || walk(tail, tokens, at, found, rest),
        Item::Slot(slot) => {
            let most = slot.most_words().min(tokens.len().saturating_sub(at));
            (1..=most).any(|count| {
                let Some(value) = slot.take(&tokens[at..at + count]) else { return false };
                found.push(value);
                let fits = walk(tail, tokens, at + count, found, rest);
                if !fits {
                    found.pop();
                }
                fits
            })
        }
    }
}

fn either(
    all: &[Vec<Item>],
    tail: &[Item],
    tokens: &[Token],
    at: usize,
    found: &mut Vec<Value>,
    rest: Rest<'_>,
) -> bool {
    let before = found.len();
    all.iter().any(|items| {
        let fits = walk(items, tokens, at, found, &mut |at, found| walk(tail, tokens, at, found, rest));
        if !fits {
            found.truncate(before);
        }
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn fits(pattern: &str, text: &str) -> Option<Vec<Value>> {
        Pattern::new(pattern, &[("polite", "(please|kindly)")]).fit(&tokens(text).unwrap())
    }

    #[test]
    fn each_word_must_be_accounted_for() {
        let pattern = "[<polite>] (delete|move [it] away) [the] [file] {path}";
        let path = |text: &str| Some(vec![Value::Text(text.into())]);
        assert_eq!(fits(pattern, "delete a.txt"), path("a.txt"));
        assert_eq!(fits(pattern, "Kindly move away the file \"a b\""), path("a b"));
        for other in ["delete", "not delete a.txt", "delete a.txt not", "delete a.txt b.txt", "\"delete\" a.txt"] {
            assert_eq!(fits(pattern, other), None, "{other}");
        }
    }

    #[test]
    fn what_a_pattern_does_not_know_is_reported() {
        assert_eq!(Pattern::new("a {nothing} <none>", &[]).strange_words(), ["{nothing}", "<none>"]);
    }
}
