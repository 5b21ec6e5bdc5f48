use super::quote;
use namma_core::ports::{AnsweredApproval, Entry};
use namma_protocol::{ToolOutcome, TurnId, TurnOutcome};
use std::borrow::Cow;
use std::collections::HashSet;

/// What was forgotten while turns ran that may still say it.
#[derive(Debug, Default)]
pub(crate) struct Unsaid(Vec<Forgotten>);

#[derive(Debug)]
struct Forgotten {
    sentence: String,
    by: HashSet<TurnId>,
}

/// What was shown is kept with its answer.
fn take_out_of_approvals(approvals: &mut Vec<AnsweredApproval>, sentence: &str) {
    let Ok(mut value) = serde_json::to_value(&*approvals) else { return };
    if quote::take_out_of(&mut value, sentence) > 0 {
        // Only texts have changed, so it is still what it was.
        *approvals = serde_json::from_value(value).unwrap_or_default();
    }
}

impl Unsaid {
    pub(super) fn note(&mut self, sentences: impl Iterator<Item = String>, running: &[TurnId]) {
        if !running.is_empty() {
            self.0.extend(sentences.map(|sentence| Forgotten { sentence, by: running.iter().cloned().collect() }));
        }
    }

    /// The turn says nothing more.
    pub(crate) fn ended(&mut self, turn: &TurnId) {
        self.0.retain_mut(|forgotten| {
            forgotten.by.remove(turn);
            !forgotten.by.is_empty()
        });
    }

    pub(crate) fn text<'t>(&self, turn: &TurnId, text: &'t str) -> Cow<'t, str> {
        self.of(turn).fold(Cow::Borrowed(text), |text, sentence| match quote::without(&text, sentence) {
            Some(kept) => Cow::Owned(kept),
            None => text,
        })
    }

    pub(crate) fn entries<'e>(&self, turn: &TurnId, entries: &'e [Entry]) -> Cow<'e, [Entry]> {
        if self.of(turn).next().is_none() {
            return Cow::Borrowed(entries);
        }
        let mut entries = entries.to_vec();
        for entry in &mut entries {
            self.clean(turn, entry);
        }
        Cow::Owned(entries)
    }

    pub(crate) fn outcome(&self, turn: &TurnId, outcome: &TurnOutcome) -> TurnOutcome {
        let mut outcome = outcome.clone();
        self.put_right(turn, crate::turns::text_of(&mut outcome));
        outcome
    }

    fn clean(&self, turn: &TurnId, entry: &mut Entry) {
        match entry {
            Entry::Assistant { text, thinking, calls, .. } => {
                self.put_right(turn, text);
                self.put_right(turn, thinking);
                for call in calls {
                    for sentence in self.of(turn) {
                        quote::take_out_of(&mut call.call.input, sentence);
                    }
                    for text in
                        [&mut call.title.doing, &mut call.title.done].into_iter().chain(&mut call.broken_arguments)
                    {
                        self.put_right(turn, text);
                    }
                }
            }
            Entry::Result { outcome, fact, whole, approvals, .. } => {
                for sentence in self.of(turn) {
                    take_out_of_approvals(approvals, sentence);
                }
                for text in fact.iter_mut().chain(whole) {
                    self.put_right(turn, text);
                }
                match outcome {
                    ToolOutcome::Succeeded { content: text }
                    | ToolOutcome::Failed { message: text, .. }
                    | ToolOutcome::Declined { reason: text } => self.put_right(turn, text),
                    ToolOutcome::Interrupted => {}
                }
            }
            // The person's own new words.
            Entry::User { .. } | Entry::ContinuedWith { .. } => {}
        }
    }

    fn put_right(&self, turn: &TurnId, text: &mut String) {
        if let Cow::Owned(kept) = self.text(turn, text) {
            *text = kept;
        }
    }

    fn of<'s>(&'s self, turn: &TurnId) -> impl Iterator<Item = &'s str> {
        self.0.iter().filter(|forgotten| forgotten.by.contains(turn)).map(|forgotten| forgotten.sentence.as_str())
    }
}
