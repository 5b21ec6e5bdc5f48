//! Exact search and replace.

use crate::words;
use namma_core::tool::ToolFailure;
use std::collections::BTreeSet;

/// A change of a text: every place of `old` becomes `new`.
pub(super) struct Replacement<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    pub(super) replace_all: bool,
}

/// The changed text and how many places changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    pub(super) text: String,
    pub(super) places: usize,
}

impl Replacement<'_> {
    /// Applies it. Line ends of the file are kept: what the model writes as `\n` is also found as
    /// `\r\n`.
    pub(super) fn apply(&self, text: &str) -> Result<Replaced, ToolFailure> {
        if self.old.is_empty() {
            return Err(ToolFailure::bad_input("old_text is empty").hint("To write a whole file use write_file."));
        }
        if self.old == self.new {
            return Err(ToolFailure::bad_input("old_text and new_text are the same"));
        }
        let is_windows = text.contains("\r\n") && !self.old.contains("\r\n");
        let (old, new) = if is_windows {
            (windows(self.old), windows(self.new))
        } else {
            (self.old.to_owned(), self.new.to_owned())
        };
        let places = text.matches(&old).count();
        match places {
            0 => Err(self.not_found(text)),
            1 => Ok(Replaced { text: text.replacen(&old, &new, 1), places }),
            _ if self.replace_all => Ok(Replaced { text: text.replace(&old, &new), places }),
            _ => Err(ToolFailure::bad_input(format!(
                "old_text occurs {places} times, in lines {}",
                lines_of(text, &old)
            ))
            .hint("Give more of the text around the place you mean, or set replace_all.")),
        }
    }

    /// Says where something similar is, by its lines. It does not quote them: a failure is our
    /// own words, and what a file says is not.
    fn not_found(&self, text: &str) -> ToolFailure {
        let nearest = nearest(text, self.old);
        let message = match &nearest {
            Some(Nearest { first, last, same_but_space: true }) => format!(
                "old_text does not occur; lines {first} to {last} differ from it only in spaces, tabs or line breaks"
            ),
            Some(Nearest { first, last, .. }) => {
                format!("old_text does not occur; the most similar place is lines {first} to {last}")
            }
            None => "old_text does not occur, and nothing similar does".into(),
        };
        let hint = match nearest {
            Some(Nearest { first, last, .. }) => {
                format!(
                    "Read it with read_file, offset {first} and limit {}, and copy the text exactly.",
                    last - first + 1
                )
            }
            None => "Read the file and copy the text exactly, without line numbers.".into(),
        };
        ToolFailure::bad_input(message).hint(hint)
    }
}

fn windows(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// "3, 17 and 40".
fn lines_of(text: &str, old: &str) -> String {
    let mut numbers = BTreeSet::new();
    let (mut line, mut seen) = (1, 0);
    for (start, _) in text.match_indices(old) {
        line += text[seen..start].matches('\n').count();
        seen = start;
        numbers.insert(line);
    }
    let shown: Vec<String> = numbers.iter().take(10).map(ToString::to_string).collect();
    let rest = numbers.len() - shown.len();
    if rest > 0 { format!("{} and {} more", shown.join(", "), words::grouped(rest as u64)) } else { shown.join(", ") }
}

#[derive(Debug, PartialEq, Eq)]
struct Nearest {
    first: usize,
    last: usize,
    same_but_space: bool,
}

/// More lines are not compared.
const MAX_COMPARED_LINES: usize = 20_000;

/// The window of lines that has most lines of `old`, white space aside.
fn nearest(text: &str, old: &str) -> Option<Nearest> {
    let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted: Vec<String> = old.lines().map(squeezed).collect();
    let lines: Vec<String> = text.lines().take(MAX_COMPARED_LINES).map(squeezed).collect();
    let length = wanted.len().min(lines.len()).max(1);
    let known: BTreeSet<&str> = wanted.iter().map(String::as_str).filter(|line| line.len() > 2).collect();
    let mut best: Option<(usize, usize)> = None;
    for (start, window) in lines.windows(length).enumerate() {
        let same = window.iter().zip(&wanted).filter(|(a, b)| a == b && !a.is_empty()).count();
        let somewhere = window.iter().filter(|line| known.contains(line.as_str())).count();
        let score = 2 * same + somewhere;
        if score > best.map_or(0, |(_, score)| score) {
            best = Some((start, score));
        }
    }
    let (start, _) = best.or_else(|| Some((most_alike(&lines, wanted.iter().find(|line| !line.is_empty())?)?, 0)))?;
    let same_but_space = lines[start..start + length] == wanted[..];
    Some(Nearest { first: start + 1, last: start + length, same_but_space })
        .map(|nearest| Nearest { last: nearest.last.min(lines.len()), ..nearest })
}

/// The line most like `wanted`, if one is like it at all.
fn most_alike(lines: &[String], wanted: &str) -> Option<usize> {
    let words: BTreeSet<&str> = wanted.split(' ').collect();
    let share = |line: &String| {
        let theirs: BTreeSet<&str> = line.split(' ').collect();
        (words.intersection(&theirs).count() * 100) / words.union(&theirs).count().max(1)
    };
    lines
        .iter()
        .enumerate()
        .map(|(index, line)| (share(line), index))
        .filter(|(score, _)| *score >= 50)
        .max_by_key(|(score, index)| (*score, std::cmp::Reverse(*index)))
        .map(|(_, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str, old: &str, new: &str, replace_all: bool) -> Result<Replaced, ToolFailure> {
        Replacement { old, new, replace_all }.apply(text)
    }

    #[test]
    fn one_place_is_replaced() {
        let replaced = apply("a\nb\nc\n", "b", "x\ny", false).unwrap();
        assert_eq!(replaced, Replaced { text: "a\nx\ny\nc\n".into(), places: 1 });
    }

    #[test]
    fn several_places_need_a_word_that_all_are_meant() {
        let failure = apply("b\na\nb\n", "b", "x", false).unwrap_err();
        assert!(failure.message().contains("2 times, in lines 1, 3"), "{failure}");
        assert_eq!(apply("b\na\nb\n", "b", "x", true).unwrap(), Replaced { text: "x\na\nx\n".into(), places: 2 });
    }

    #[test]
    fn windows_line_ends_are_found_and_kept() {
        assert_eq!(apply("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", false).unwrap().text, "x\r\ny\r\nz\r\nc\r\n");
    }

    #[test]
    fn a_miss_names_the_nearest_lines_without_quoting_them() {
        let text = "fn main() {\n\tprintln!(\"secret words\");\n}\n";
        let failure = apply(text, "fn main() {\n    println!(\"secret words\");\n}", "x", false).unwrap_err();
        assert!(failure.message().contains("lines 1 to 3 differ from it only in spaces"), "{failure}");
        assert!(!failure.message().contains("secret"), "{failure}");
        let near = apply(text, "println!(\"secret letters\");", "x", false).unwrap_err();
        assert!(near.message().contains("nothing similar") || near.message().contains("lines 2 to 2"), "{near}");
        let far = apply(text, "zebra", "x", false).unwrap_err();
        assert!(far.message().contains("nothing similar"), "{far}");
    }

    #[test]
    fn nothing_to_search_and_nothing_to_change_are_bad_input() {
        assert!(apply("a", "", "x", false).is_err());
        assert!(apply("a", "a", "a", false).is_err());
        assert!(apply("", "a", "b", false).is_err());
    }

    proptest::proptest! {
        #[test]
        fn a_replacement_changes_the_place_and_nothing_else(head in "[a-c\n]{0,40}", tail in "[a-c\n]{0,40}", new in "[x-z\n]{0,9}") {
            let replaced = apply(&format!("{head}<here>{tail}"), "<here>", &new, false).unwrap();
            proptest::prop_assert_eq!(replaced.text, format!("{head}{new}{tail}"));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}", old in "\\PC{0,20}") {
            let _either = apply(&text, &old, "new", true);
        }
    }
}
