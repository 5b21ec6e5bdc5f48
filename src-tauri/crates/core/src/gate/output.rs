//! Stage 7: what a tool gave back becomes safe to read, to show and to store.

use crate::gate::redact::Redactor;
use crate::tool::place::is_invisible;
use namma_protocol::ToolCallId;

/// The most that is kept of a result that is too long for the model.
const MAX_WHOLE_BYTES: usize = 8 << 20;

/// A result as the model gets it.
pub(crate) struct Cleaned {
    pub(crate) text: String,
    /// The same before it was cut; `None` when it was not.
    pub(crate) whole: Option<String>,
}

/// Strips terminal escapes and invisible characters, masks secrets, and cuts to `limit` bytes
/// keeping head and tail. The call's id is the handle by which the rest can be had.
pub(crate) fn clean(text: &str, redactor: &Redactor, limit: usize, call: &ToolCallId) -> Cleaned {
    let (masked, note_of_masks) = readable(text, redactor);
    let cut = masked.len() > limit;
    let note = |bytes: usize| format!("[… {bytes} bytes left out; open_result with the id {call} shows them …]");
    let mut text = cut_middle(&masked, limit, note);
    text.push_str(&note_of_masks);
    Cleaned { text, whole: cut.then(|| cut_middle(&masked, MAX_WHOLE_BYTES, not_kept)) }
}

/// The same for a message of our own, such as why something failed: what is too much of it is not kept.
pub(crate) fn clean_message(text: &str, redactor: &Redactor, limit: usize) -> String {
    let (masked, note_of_masks) = readable(text, redactor);
    cut_middle(&masked, limit, not_kept) + &note_of_masks
}

fn not_kept(bytes: usize) -> String {
    format!("[… {bytes} bytes were not kept …]")
}

/// The text without terminal escapes and invisible characters, its secrets masked; and a note about
/// those, empty when there are none.
pub(crate) fn readable(text: &str, redactor: &Redactor) -> (String, String) {
    // The stripper drops tabs; a noncharacter, which no text may hold, stands for them meanwhile.
    const TAB: char = '\u{FDD0}';
    let plain = strip_ansi_escapes::strip_str(text.replace('\u{9b}', "\u{1b}[").replace('\t', &TAB.to_string()));
    let visible: String = plain
        .chars()
        .map(|c| if c == TAB { '\t' } else { c })
        // Without the selector of emoji, a file with one in its name would not be found by it.
        .filter(|c| matches!(c, '\n' | '\t' | '\u{FE0F}') || !is_invisible(*c))
        .collect();
    match redactor.mask(&visible) {
        (masked, 0) => (masked, String::new()),
        (masked, 1) => (masked, "\n[1 secret masked]".to_owned()),
        (masked, count) => (masked, format!("\n[{count} secrets masked]")),
    }
}

/// Head and tail of a text that is too long, with a note in between about what is missing.
fn cut_middle(text: &str, limit: usize, note: impl FnOnce(usize) -> String) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(limit * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - limit / 4);
    format!("{}\n{}\n{}", &text[..head], note(tail - head), &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean_all(text: &str) -> String {
        clean(text, &Redactor::default(), 1000, &"call_1".into()).text
    }

    #[test]
    fn terminal_escapes_and_invisible_characters_are_gone() {
        assert_eq!(clean_all("a\x1b[31mred\x1b[0m\x1b]52;c;Zm9v\x07b\x1b]8;;http://evil\x07c"), "aredbc");
        assert_eq!(clean_all("x\x1b[2Jy\u{9b}2Jz\0\x08"), "xyz");
        assert_eq!(clean_all("Hello\u{E0041}\u{202E}!"), "Hello!");
        assert_eq!(clean_all("keeps\ttabs\nand lines, ಕನ್ನಡ"), "keeps\ttabs\nand lines, ಕನ್ನಡ");
    }

    #[test]
    fn a_long_text_keeps_its_head_and_tail_and_says_what_is_missing() {
        let long = format!("START{}END", "ಕ".repeat(5000));
        let cut = clean_all(&long);
        assert!(cut.starts_with("START") && cut.ends_with("END"), "{cut}");
        assert!(cut.contains("14010 bytes left out; open_result with the id call_1"), "{cut}");
        assert!(cut.len() < 1200);
        let message = clean_message(&long, &Redactor::default(), 1000);
        assert!(message.contains("14010 bytes were not kept") && !message.contains("open_result"), "{message}");
        let whole = |text: &str| clean(text, &Redactor::default(), 1000, &"call_1".into()).whole;
        assert_eq!(whole(&long), Some(long.clone()), "nothing is lost");
        assert_eq!(whole("short"), None);
    }
}
