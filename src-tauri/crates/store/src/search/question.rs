use super::prep::{Kind, prep};
use super::stop_words::meaningless;

/// A question as the index is asked: each term is one token, quoted, so that nothing a person
/// types is an operator.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// For the word table.
    pub(crate) words: Vec<String>,
    /// For the trigram table: three characters each.
    pub(crate) trigrams: Vec<String>,
    /// Runs too short for the trigram table, as they are written.
    pub(crate) short_runs: Vec<String>,
    /// It asks what the assistant said.
    pub(super) asks_assistant: bool,
    /// It is a question, so the same question asked earlier is not the answer.
    pub(super) is_question: bool,
}

/// More terms than anybody types; a pasted page is not searched word by word.
const MAX_TERMS: usize = 24;

impl Question {
    pub(crate) fn parse(text: &str) -> Self {
        let mut tokens: Vec<(Kind, String)> = Vec::new();
        prep(text, &mut |kind, token| tokens.push((kind, token.to_owned())));
        let plain: Vec<&str> =
            tokens.iter().filter(|(kind, _)| *kind == Kind::Word).map(|(_, token)| token.as_str()).collect();
        let mut question = Self {
            asks_assistant: plain.iter().any(|word| matches!(*word, "you" | "your" | "youve")),
            is_question: text.trim_end().ends_with(['?', '？', '؟']),
            ..Self::default()
        };
        let dropped = meaningless(&plain);
        question.take(&tokens, |kind, token| kind != Kind::Word || !dropped.contains(token));
        if question.is_empty() {
            question.take(&tokens, |_, _| true);
        }
        question
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.trigrams.is_empty() && self.short_runs.is_empty()
    }

    fn take(&mut self, tokens: &[(Kind, String)], keep: impl Fn(Kind, &str) -> bool) {
        for (kind, token) in tokens.iter().filter(|(kind, token)| keep(*kind, token)) {
            match kind {
                Kind::Word | Kind::Whole | Kind::Pair | Kind::Lone => add(&mut self.words, token),
                // The pairs say more.
                Kind::Single => {}
                Kind::Run => self.take_run(token),
            }
        }
    }

    fn take_run(&mut self, run: &str) {
        let characters: Vec<char> = run.chars().collect();
        if characters.len() < 3 {
            add(&mut self.short_runs, run);
        }
        for three in characters.windows(3) {
            add(&mut self.trigrams, &three.iter().collect::<String>());
        }
    }
}

fn add(terms: &mut Vec<String>, term: &str) {
    if terms.len() < MAX_TERMS && !terms.iter().any(|known| known == term) {
        terms.push(term.to_owned());
    }
}

/// The term as a string of FTS5, in which nothing is an operator.
pub(crate) fn quoted(term: &str) -> String {
    format!("\"{}\"", term.replace('"', "\"\""))
}
