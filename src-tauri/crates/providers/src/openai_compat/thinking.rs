use namma_core::ports::ModelEvent;

/// Tells thinking that a model writes into its text, between tags, from the answer.
///
/// A tag counts only where a model puts it: before anything else of the text, or right after
/// another block. `<think>` in the middle of an answer is a word like any other.
#[derive(Debug, Default)]
pub(super) struct ThinkingTags {
    state: State,
    /// Text that may still become a tag, or the space before one.
    held: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing but space so far.
    #[default]
    Start,
    /// A block has ended; the space after it belongs to nobody.
    AfterBlock,
    Inside {
        close: &'static str,
        /// Nothing but space of the block so far.
        blank: bool,
    },
    Answer,
}

const TAGS: [(&str, &str); 3] = [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>")];

/// As much space as is held back in wait for a tag.
const MAX_SPACE: usize = 256;

impl ThinkingTags {
    /// A piece of the text.
    pub(super) fn push(&mut self, text: &str, events: &mut impl Extend<ModelEvent>) {
        self.held.push_str(text);
        while self.advance(events) {}
    }

    /// A tool call arrived: whatever was open is closed.
    pub(super) fn interrupt(&mut self, events: &mut impl Extend<ModelEvent>) {
        self.finish(events);
        self.state = State::Start;
    }

    /// The text is over; what was held is what it looks like.
    pub(super) fn finish(&mut self, events: &mut impl Extend<ModelEvent>) {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Inside { .. } => emit(events, ModelEvent::Thinking, &held),
            State::AfterBlock => emit(events, ModelEvent::Text, held.trim_start()),
            State::Start | State::Answer => emit(events, ModelEvent::Text, &held),
        }
    }

    /// One step of the machine; false when more text is needed.
    fn advance(&mut self, events: &mut impl Extend<ModelEvent>) -> bool {
        match self.state {
            State::Start | State::AfterBlock => self.look_for_tag(events),
            State::Inside { close, blank } => self.look_for_end(close, blank, events),
            State::Answer => {
                emit(events, ModelEvent::Text, &std::mem::take(&mut self.held));
                false
            }
        }
    }

    fn look_for_tag(&mut self, events: &mut impl Extend<ModelEvent>) -> bool {
        let word = self.held.trim_start();
        if let Some((open, close)) = TAGS.iter().find(|(open, _)| word.starts_with(open)) {
            self.held = word[open.len()..].to_owned();
            self.state = State::Inside { close, blank: true };
            return true;
        }
        // The end of a block that the server cut away, or that the prompt had opened.
        if let Some((_, close)) = TAGS.iter().find(|(_, close)| word.starts_with(close)) {
            self.held = word[close.len()..].to_owned();
            self.state = State::AfterBlock;
            return true;
        }
        let may_become_tag = TAGS.iter().any(|(open, close)| open.starts_with(word) || close.starts_with(word));
        if may_become_tag && self.held.len() <= MAX_SPACE {
            return false;
        }
        if self.state == State::AfterBlock {
            self.held = word.to_owned();
        }
        self.state = State::Answer;
        emit(events, ModelEvent::Text, &std::mem::take(&mut self.held));
        false
    }

    fn look_for_end(&mut self, close: &'static str, blank: bool, events: &mut impl Extend<ModelEvent>) -> bool {
        if blank {
            self.held = self.held.trim_start().to_owned();
        }
        if let Some(at) = self.held.find(close) {
            emit(events, ModelEvent::Thinking, &self.held[..at]);
            self.held.drain(..at + close.len());
            self.state = State::AfterBlock;
            return true;
        }
        let keep = (0..=close.len()).rev().find(|length| self.held.ends_with(&close[..*length])).unwrap_or(0);
        let sure = self.held.len() - keep;
        self.state = State::Inside { close, blank: blank && sure == 0 };
        emit(events, ModelEvent::Thinking, &self.held[..sure]);
        self.held.drain(..sure);
        false
    }
}

fn emit(events: &mut impl Extend<ModelEvent>, kind: fn(String) -> ModelEvent, text: &str) {
    if !text.is_empty() {
        events.extend([kind(text.to_owned())]);
    }
}

#[cfg(test)]
mod tests {
    use super::ThinkingTags;
    use namma_core::ports::ModelEvent;
    use proptest::prelude::*;

    /// Thinking and answer, each joined.
    fn read(pieces: &[&str]) -> (String, String) {
        let mut tags = ThinkingTags::default();
        let mut events = Vec::new();
        for piece in pieces {
            tags.push(piece, &mut events);
        }
        tags.finish(&mut events);
        let mut joined = (String::new(), String::new());
        for event in events {
            match event {
                ModelEvent::Thinking(text) => joined.0.push_str(&text),
                ModelEvent::Text(text) => joined.1.push_str(&text),
                other => panic!("not a text: {other:?}"),
            }
        }
        joined
    }

    #[test]
    fn thinking_and_answer_are_told_apart() {
        let table: [(&[&str], &str, &str); 13] = [
            (&["<th", "ink>a</thi", "nk>b"], "a", "b"),
            (&["<think>a"], "a", ""),
            (&["<think>a</thi"], "a</thi", ""),
            (&["\n", "<think>", "\na\n", "</think>", "\n\n", "b"], "a\n", "b"),
            (&["<think>\n\n</think>\n\nb"], "", "b"),
            (&["<think>a</think><think>b</think>c"], "ab", "c"),
            (&["</think>\n\nb"], "", "b"),
            (&["<thinking>a</thinking>b"], "a", "b"),
            (&["Use <think>x</think> here"], "", "Use <think>x</think> here"),
            (&["<thing>"], "", "<thing>"),
            (&["<", "b>"], "", "<b>"),
            (&["  indented"], "", "  indented"),
            (&["<think>a < b </ c</think>ok"], "a < b </ c", "ok"),
        ];
        for (pieces, thinking, answer) in table {
            assert_eq!(read(pieces), (thinking.to_owned(), answer.to_owned()), "{pieces:?}");
        }
    }

    #[test]
    fn a_call_closes_an_open_block() {
        let mut tags = ThinkingTags::default();
        let mut events = Vec::new();
        tags.push("<think>a", &mut events);
        tags.interrupt(&mut events);
        tags.push("b", &mut events);
        tags.finish(&mut events);
        assert_eq!(events, [ModelEvent::Thinking("a".to_owned()), ModelEvent::Text("b".to_owned())]);
    }

    #[test]
    fn endless_space_is_not_held_back() {
        let mut tags = ThinkingTags::default();
        let mut events = Vec::new();
        (0..1000).for_each(|_| tags.push("  ", &mut events));
        assert!(tags.held.len() <= 300);
        assert!(!events.is_empty());
    }

    proptest! {
        #[test]
        fn the_cut_of_the_text_changes_nothing(cuts in prop::collection::vec(0_usize..60, 0..10)) {
            let text = " <think>ಯೋ</thought>ಚನೆ</think>\n\n<think>x</think>ok <think>no</think> ";
            let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let mut cuts: Vec<usize> = cuts.into_iter().map(boundary).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([text.len()]) {
                pieces.push(&text[from..cut]);
                from = cut;
            }
            prop_assert_eq!(read(&pieces), read(&[text]));
        }
    }
}
