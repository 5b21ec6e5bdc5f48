//! Which patterns there are, and which one fits.

use super::intent::{Intent, Rule, Sort, intent};
use super::pattern::{Fragments, Pattern};
use super::tokens::{Token, fold, tokens};
use super::{english, hindi, kannada};
use jiff::Zoned;

/// The patterns of a language. To add one: a file beside `english.rs`, its place in [`LANGUAGES`],
/// its words in `vocabulary.rs`, `dates.rs` and `units.rs`, and what is answered in `phrases`.
pub(super) struct Language {
    /// Named parts; `before` and `after` are the courtesies around each request.
    pub(super) fragments: &'static Fragments,
    /// The words for the largest, newest and oldest; in the patterns below `<sort>` stands for them.
    pub(super) sorts: [(Sort, &'static str); 3],
    /// Several such files, one such file, and the wish to delete them.
    pub(super) several: &'static [&'static str],
    pub(super) one: &'static [&'static str],
    pub(super) delete: &'static [&'static str],
    pub(super) rules: &'static [(Rule, &'static [&'static str])],
}

const LANGUAGES: [&Language; 3] = [&english::LANGUAGE, &hindi::LANGUAGE, &kannada::LANGUAGE];

/// All patterns, read once.
pub(super) struct Grammar(Vec<(Rule, Pattern)>);

impl Grammar {
    pub(super) fn new() -> Self {
        Self(LANGUAGES.iter().flat_map(|language| language.patterns()).collect())
    }

    /// What a request means; `None` when no pattern fits the whole of it.
    pub(super) fn understand(&self, text: &str, now: &Zoned) -> Option<Intent> {
        let tokens: Vec<Token> = tokens(text)?;
        if tokens.is_empty() {
            return None;
        }
        self.0.iter().find_map(|(rule, pattern)| intent(*rule, pattern.fit(&tokens)?, now))
    }
}

impl Language {
    fn patterns(&self) -> Vec<(Rule, Pattern)> {
        let polite = |text: &str| format!("<before> ({text}) <after>");
        let mut all = Vec::new();
        for (sort, words) in self.sorts {
            let mut fragments = self.fragments.to_vec();
            fragments.push(("sort", words));
            let groups = [
                (Rule::WhichToDelete(sort), self.delete),
                (Rule::OneFile(sort), self.one),
                (Rule::Files(sort), self.several),
            ];
            for (rule, patterns) in groups {
                all.extend(patterns.iter().map(|text| (rule, Pattern::new(&polite(text), &fragments))));
            }
        }
        for (rule, patterns) in self.rules {
            all.extend(patterns.iter().map(|text| (*rule, Pattern::new(&polite(text), self.fragments))));
        }
        all
    }
}

/// Is a word for a change among these? Then the answer says how a change is asked for.
pub(super) fn mentions_a_change(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "delete",
        "remove",
        "trash",
        "erase",
        "move",
        "rename",
        "put",
        "हटाओ",
        "हटा",
        "मिटाओ",
        "मिटा",
        "डिलीट",
        "hatao",
        "mitao",
        "ಅಳಿಸು",
        "ಅಳಿಸಿ",
        "ಸರಿಸು",
        "ಸರಿಸಿ",
        "ಬದಲಿಸು",
        "ಬದಲಿಸಿ",
    ];
    text.split_whitespace().any(|word| WORDS.contains(&fold(word).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_knows_its_slots_and_fragments() {
        for (rule, pattern) in Grammar::new().0 {
            assert_eq!(pattern.strange_words(), Vec::<String>::new(), "{rule:?}");
        }
    }
}
