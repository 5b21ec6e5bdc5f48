//! Text as the search index sees it, the same for messages and questions.
//!
//! NFKC, lower case, invisible marks out, control characters are spaces. `camelCase`,
//! `snake_case` and `a/b/c.rs` give their parts and the whole; Chinese, Japanese and Korean give
//! overlapping pairs; Thai, Lao, Khmer and Burmese runs go to the trigram table.
//!
//! The whole of a technical token ends in a private-use letter, and its dots and slashes become
//! such letters: so the tokenizer of FTS5 keeps it in one piece (category Co), and Porter, which
//! works from the end of a word, finds no suffix to cut. In front of the word it would not help.

use super::scripts::{Script, is_apostrophe, is_invisible, script_of};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What a token is, which decides how a question uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, or a part of a technical token.
    Word,
    /// A technical token in one piece.
    Whole,
    /// Two neighbours of a run of Chinese, Japanese or Korean.
    Pair,
    /// One character of a longer such run: indexed, so that a question of one character finds it.
    Single,
    /// A run of one such character.
    Lone,
    /// A run for the trigram table.
    Run,
}

/// The end of a technical token.
const MARK: char = '\u{e000}';

/// Stand for the characters of [`CONNECTORS`] inside a technical token, in their order.
const FIRST_CONNECTOR: u32 = 0xe001;
const CONNECTORS: &str = "._/\\-@:#+=~%&$";

/// More of one message is not indexed: it is a log or a blob, and every word of it costs.
const INDEXED_BYTES: usize = 256 * 1024;

/// Longer tokens are no words that anybody types.
const TOKEN_CHARS: usize = 64;

/// Calls `sink` with each token of the text in order.
pub(crate) fn prep(text: &str, sink: &mut impl FnMut(Kind, &str)) {
    let text = cut(text, INDEXED_BYTES);
    let normal: String;
    let text = if text.is_ascii() {
        text
    } else {
        normal = text.chars().filter(|c| !is_invisible(*c)).nfkc().filter(|c| !is_invisible(*c)).collect();
        &normal
    };
    for chunk in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        for_each_run(chunk, &mut |script, run| match script {
            Script::Spaced => spaced(run, sink),
            Script::Paired => paired(run, sink),
            Script::Unspaced => sink(Kind::Run, run),
        });
    }
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Cuts a chunk where the script changes.
fn for_each_run(chunk: &str, sink: &mut impl FnMut(Script, &str)) {
    let mut start = 0;
    let mut current = None;
    for (at, c) in chunk.char_indices() {
        // Marks belong to what they stand on.
        let script = if is_combining_mark(c) && current.is_some() && script_of(c) == Script::Spaced {
            continue;
        } else {
            script_of(c)
        };
        if current.is_some_and(|current| current != script) {
            sink(current.unwrap_or(script), &chunk[start..at]);
            start = at;
        }
        current = Some(script);
    }
    if let Some(script) = current {
        sink(script, &chunk[start..]);
    }
}

fn paired(run: &str, sink: &mut impl FnMut(Kind, &str)) {
    let ends: Vec<usize> = run.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    if ends.len() == 1 {
        sink(Kind::Lone, run);
        return;
    }
    let start = |index: usize| if index == 0 { 0 } else { ends[index - 1] };
    for index in 0..ends.len() {
        sink(Kind::Single, &run[start(index)..ends[index]]);
        if let Some(end) = ends.get(index + 1) {
            sink(Kind::Pair, &run[start(index)..*end]);
        }
    }
}

fn is_letter(c: char) -> bool {
    (c.is_alphanumeric() || is_combining_mark(c)) && !is_private(c)
}

/// Our own marks in somebody's text would look like technical tokens.
fn is_private(c: char) -> bool {
    (0xe000..0xe020).contains(&u32::from(c))
}

fn spaced(chunk: &str, sink: &mut impl FnMut(Kind, &str)) {
    let chunk = chunk.trim_start_matches(|c: char| !is_letter(c));
    // `c++` and `c#` end in what makes them.
    let chunk = chunk.trim_end_matches(|c: char| !is_letter(c) && c != '+' && c != '#');
    if chunk.is_empty() {
        return;
    }
    if is_technical(chunk) {
        whole(chunk, sink);
        if let Some((_, name)) = chunk.rsplit_once(['/', '\\']).filter(|(_, name)| is_technical(name)) {
            whole(name, sink);
        }
    }
    for part in chunk.split(|c: char| !is_letter(c) && !is_apostrophe(c)) {
        word_with_apostrophes(part, sink);
    }
}

/// It has a character inside that holds names together, or letters beside digits.
fn is_technical(chunk: &str) -> bool {
    let mut digit = false;
    let mut letter = false;
    for c in chunk.chars() {
        digit |= c.is_numeric();
        letter |= c.is_alphabetic();
        if CONNECTORS.contains(c) && c != '-' {
            return true;
        }
    }
    digit && letter
}

fn whole(chunk: &str, sink: &mut impl FnMut(Kind, &str)) {
    if chunk.chars().count() > TOKEN_CHARS {
        return;
    }
    let mut token = String::with_capacity(chunk.len() + 8);
    for c in chunk.chars().filter(|c| !is_private(*c)) {
        if is_letter(c) {
            token.extend(c.to_lowercase());
        } else {
            let place = CONNECTORS.chars().position(|connector| connector == c).unwrap_or(CONNECTORS.len());
            token.extend(char::from_u32(FIRST_CONNECTOR + place as u32));
        }
    }
    token.push(MARK);
    sink(Kind::Whole, &token);
}

/// `don't` is `dont`, `what's` is `what`, `l'amour` is `lamour` and `amour`.
fn word_with_apostrophes(part: &str, sink: &mut impl FnMut(Kind, &str)) {
    let part = part.trim_matches(is_apostrophe);
    let Some((before, after)) = part.split_once(is_apostrophe) else {
        word(part, sink);
        return;
    };
    let ending = after.to_lowercase();
    if matches!(ending.as_str(), "s" | "m" | "d" | "re" | "ve" | "ll") {
        word(before, sink);
        return;
    }
    let joined: String = part.chars().filter(|c| !is_apostrophe(*c)).collect();
    word(&joined, sink);
    if before.chars().count() <= 2 && ending.chars().count() > 2 {
        word_with_apostrophes(after, sink);
    }
}

fn word(word: &str, sink: &mut impl FnMut(Kind, &str)) {
    if word.is_empty() {
        return;
    }
    emit(word, sink);
    let mut start = 0;
    let mut pieces = 0;
    let mut characters = word.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|(_, next)| next.is_lowercase());
        let hump = before
            .is_some_and(|before| c.is_uppercase() && (!before.is_uppercase() || next_is_lower) && is_letter(before));
        if hump {
            emit(&word[start..at], sink);
            start = at;
            pieces += 1;
        }
        before = Some(c);
    }
    if pieces > 0 {
        emit(&word[start..], sink);
    }
}

fn emit(word: &str, sink: &mut impl FnMut(Kind, &str)) {
    if word.len() <= TOKEN_CHARS && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        sink(Kind::Word, word);
        return;
    }
    let lower: String = word.chars().take(TOKEN_CHARS).flat_map(char::to_lowercase).collect();
    sink(Kind::Word, &lower);
}
