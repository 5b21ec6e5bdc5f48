//! A sentence in a longer text, whatever its letters, spaces and full stop.

use serde_json::Value;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What stands where a fact stood.
pub(super) const FORGOTTEN: &str = "[forgotten]";

/// The same for every way to write the same sentence, and not readable.
pub(super) fn norm_key(sentence: &str) -> String {
    let normal: String = sentence.nfkc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = normal.split_whitespace().collect();
    let folded = words.join(" ");
    hex::encode(Sha256::digest(folded.trim_end_matches(is_end).as_bytes()))
}

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '।' | '。' | ',' | ';' | ':' | ' ')
}

/// Where a text says the sentence first: the characters from the first up to, without, the second.
pub(super) fn find(text: &str, sentence: &str) -> Option<(usize, usize)> {
    Folded::of(text).find(&needle(sentence), 0).map(|(start, end, _)| (start, end))
}

/// The text without the sentence; `None` when it is not in it.
pub(super) fn without(text: &str, sentence: &str) -> Option<String> {
    let (folded, wanted) = (Folded::of(text), needle(sentence));
    let mut found = folded.find(&wanted, 0)?;
    let characters: Vec<char> = text.chars().collect();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    loop {
        let (start, end, next) = found;
        kept.extend(&characters[from..start]);
        kept.push_str(FORGOTTEN);
        from = end;
        match folded.find(&wanted, next) {
            Some(more) => found = more,
            None => break,
        }
    }
    kept.extend(&characters[from..]);
    Some(kept)
}

/// Takes the sentence out of every text in a JSON value, and says out of how many.
pub(super) fn take_out_of(value: &mut Value, sentence: &str) -> usize {
    match value {
        Value::String(text) => match without(text, sentence) {
            Some(kept) => {
                *text = kept;
                1
            }
            None => 0,
        },
        Value::Array(values) => values.iter_mut().map(|value| take_out_of(value, sentence)).sum(),
        Value::Object(map) => map.values_mut().map(|value| take_out_of(value, sentence)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// A text in the one spelling in which texts are compared.
struct Folded {
    characters: Vec<char>,
    /// Of each, the character of the text that it comes from.
    origins: Vec<usize>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut folded = Self { characters: Vec::with_capacity(text.len()), origins: Vec::with_capacity(text.len()) };
        for (origin, c) in text.chars().enumerate() {
            for c in fold(c) {
                folded.characters.push(c);
                folded.origins.push(origin);
            }
        }
        folded
    }

    /// Where the sentence is said from here on: its characters in the text, and where to look next.
    fn find(&self, wanted: &[char], from: usize) -> Option<(usize, usize, usize)> {
        if wanted.is_empty() {
            return None;
        }
        let is_word = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
        (from..self.characters.len()).find_map(|start| {
            let end = fit(&self.characters, wanted, start)?;
            // "tea" is not said in "team", nor "cafe" in "café".
            let begins_inside = start > 0 && is_word(self.characters.get(start - 1)) && is_word(wanted.first());
            let ends_inside = is_word(self.characters.get(end)) && is_word(wanted.last());
            let goes_on = self.characters.get(end).is_some_and(|c| is_combining_mark(*c));
            let is_whole = !begins_inside && !ends_inside && !goes_on;
            is_whole.then(|| (self.origins[start], self.origins[end - 1] + 1, end))
        })
    }
}

/// Capitals, compatible forms and composed letters are one; what is not seen is nothing.
fn fold(c: char) -> impl Iterator<Item = char> {
    let c = if c.is_whitespace() { ' ' } else { c };
    let is_seen = !matches!(c, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}');
    std::iter::once(c).filter(move |_| is_seen).nfkd().flat_map(char::to_lowercase)
}

/// Single spaces, each of which stands for any number.
fn needle(sentence: &str) -> Vec<char> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.join(" ").trim_end_matches(is_end).chars().flat_map(fold).collect()
}

/// The end of the sentence in a text that says it from `start` on.
fn fit(text: &[char], wanted: &[char], start: usize) -> Option<usize> {
    let mut at = start;
    for c in wanted {
        if text.get(at) != Some(c) {
            return None;
        }
        at += 1;
        if *c == ' ' {
            at += text[at..].iter().take_while(|c| **c == ' ').count();
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_in_other_letters_and_spaces_and_only_whole() {
        assert_eq!(find("Remember that  I like\n tea.", "i like tea"), Some((15, 26)));
        assert_eq!(find("ನನ್ನ ಊರು ಮೈಸೂರು ನೆನಪಿಡು", "ನನ್ನ ಊರು ಮೈಸೂರು."), Some((0, 15)));
        for (text, sentence) in [("I like team", "I like tea"), ("", "a"), ("a", ""), ("unlike tea", "like tea")] {
            assert_eq!(find(text, sentence), None, "{text}");
        }
    }

    #[test]
    fn a_sentence_is_found_in_other_code_points() {
        let forms = [("मेरा \u{95E}ोन", "मेरा \u{92B}\u{93C}ोन"), ("caf\u{E9}", "cafe\u{301}"), ("ｃafé", "café")];
        for (one, other) in forms {
            for (text, sentence) in [(one, other), (other, one)] {
                assert_eq!(without(&format!("so: {text}!"), sentence), Some("so: [forgotten]!".into()), "{text}");
            }
        }
        assert_eq!(find("a café", "a cafe"), None, "an accent makes another word");
        assert_eq!(without("ನನ್ನ ಪಾಸ್\u{200C}ವರ್ಡ್", "ನನ್ನ ಪಾಸ್ವರ್ಡ್"), Some("[forgotten]".into()));
    }

    #[test]
    fn every_mention_is_taken_out_and_the_rest_stays() {
        assert_eq!(
            without("I like tea. Yes, i LIKE tea!", "I like tea"),
            Some("[forgotten]. Yes, [forgotten]!".into())
        );
        assert_eq!(without("nothing here", "I like tea"), None);
        let mut value = serde_json::json!({ "text": "I like tea", "more": [{ "deep": "so: I like tea" }, 1, null] });
        assert_eq!(take_out_of(&mut value, "I like tea"), 2);
        let left = serde_json::json!({ "text": "[forgotten]", "more": [{ "deep": "so: [forgotten]" }, 1, null] });
        assert_eq!(value, left);
        assert_eq!(take_out_of(&mut value, "I like tea"), 0);
    }

    #[test]
    fn the_same_sentence_has_the_same_key_and_another_has_another() {
        assert_eq!(norm_key("My sister's  birthday is 4 May."), norm_key("my sister's birthday is 4 may"));
        assert_ne!(norm_key("my sister's birthday is 4 May"), norm_key("my sister's birthday is 5 May"));
    }
}
