use super::prep::{Kind, prep};
use super::question::Question;
use crate::title::shorten;

/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 200;

/// Characters kept before the match.
const LEAD_CHARS: usize = 60;

/// More of a message is not looked at for the excerpt.
const LOOKED_AT_CHARS: usize = 100_000;

/// The part of the message with most of the question's words, on one line.
pub(super) fn excerpt(text: &str, question: &Question) -> String {
    let line: String = text
        .chars()
        .take(LOOKED_AT_CHARS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if line.chars().count() <= EXCERPT_CHARS {
        return line;
    }
    let start = best_start(&line, question);
    let characters_before = line[..start].chars().count();
    let from = line.char_indices().nth(characters_before.saturating_sub(LEAD_CHARS)).map_or(0, |(at, _)| at);
    // Begin with a whole word where there are spaces.
    let from = match line[from..start].find(' ') {
        Some(space) if from > 0 => from + space + 1,
        _ => from,
    };
    let shown = shorten(&line[from..], EXCERPT_CHARS);
    if from > 0 { format!("…{shown}") } else { shown }
}

/// Where the window begins that has most different terms.
fn best_start(line: &str, question: &Question) -> usize {
    let matches = if line.is_ascii() { ascii_matches(line, question) } else { matches(line, question) };
    let mut best = (0, 0);
    for (index, (start, _)) in matches.iter().enumerate() {
        let mut seen: Vec<usize> = matches[index..]
            .iter()
            .take_while(|(at, _)| at - start < EXCERPT_CHARS - LEAD_CHARS)
            .map(|(_, term)| *term)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() > best.0 {
            best = (seen.len(), *start);
        }
    }
    best.1
}

/// The places of the question's terms, each with the term's number, in order.
fn matches(line: &str, question: &Question) -> Vec<(usize, usize)> {
    words(line).flat_map(|(at, word)| terms_in(word, question).into_iter().map(move |term| (at, term))).collect()
}

/// The same for English and code, where it is a plain search for the beginnings of words.
fn ascii_matches(line: &str, question: &Question) -> Vec<(usize, usize)> {
    let lower = line.to_ascii_lowercase();
    let begins_word = |at: usize| at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric();
    let mut found = Vec::new();
    for (number, term) in question.words.iter().enumerate().filter(|(_, term)| term.is_ascii()) {
        let beginning = if term.len() > 3 { &term[..term.len() - 1] } else { term };
        let places = lower.match_indices(beginning).map(|(at, _)| at).filter(|at| begins_word(*at));
        found.extend(places.map(|at| (at, number)));
    }
    found.sort_unstable();
    found
}

/// Pieces of the line with their places: words, and for text without spaces single characters with
/// what follows.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(' ').flat_map(move |word| {
        let start = at;
        at += word.len() + 1;
        let spaced = word.is_ascii() || word.chars().count() < 8;
        let pieces: Vec<(usize, &str)> = if spaced {
            vec![(start, word)]
        } else {
            word.char_indices().map(|(offset, _)| (start + offset, next_three(&word[offset..]))).collect()
        };
        pieces
    })
}

fn next_three(text: &str) -> &str {
    text.char_indices().nth(3).map_or(text, |(end, _)| &text[..end])
}

/// The numbers of the question's terms that a piece of text has.
fn terms_in(piece: &str, question: &Question) -> Vec<usize> {
    let mut found = Vec::new();
    prep(piece, &mut |kind, token| {
        for (number, term) in question.words.iter().chain(&question.trigrams).chain(&question.short_runs).enumerate() {
            let same = match kind {
                Kind::Run => token.starts_with(term.as_str()),
                Kind::Word => is_same_word(token, term),
                Kind::Whole | Kind::Pair | Kind::Single | Kind::Lone => token == term,
            };
            if same {
                found.push(number);
            }
        }
    });
    found
}

/// The same word but for its ending. Good enough to place a window; the index stems properly.
fn is_same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    common >= 3 && common + 1 >= shorter
}
