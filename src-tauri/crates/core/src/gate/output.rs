//! Stage 7: what a tool gave back becomes safe to read, to show and to store.

use crate::gate::redact::Redactor;
use crate::tool::place::is_invisible;

/// Strips terminal escapes and invisible characters, masks secrets, and cuts to `limit` bytes
/// keeping head and tail.
pub(crate) fn clean(text: &str, redactor: &Redactor, limit: usize) -> String {
    // The stripper drops tabs; a noncharacter, which no text may hold, stands for them meanwhile.
    const TAB: char = '\u{FDD0}';
    let plain = strip_ansi_escapes::strip_str(text.replace('\u{9b}', "\u{1b}[").replace('\t', &TAB.to_string()));
    let visible: String = plain
        .chars()
        .map(|c| if c == TAB { '\t' } else { c })
        .filter(|c| matches!(c, '\n' | '\t') || !is_invisible(*c))
        .collect();
    let (masked, count) = redactor.mask(&visible);
    let mut cut = cut_middle(&masked, limit);
    if count > 0 {
        cut.push_str(&format!("\n[{count} secret{} masked]", if count == 1 { "" } else { "s" }));
    }
    cut
}

/// Head and tail of a text that is too long, with a note in between.
fn cut_middle(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut head = limit * 3 / 4;
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut tail = text.len() - limit / 4;
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!(
        "{}\n[… {} bytes left out of {}; ask for a smaller part to see them …]\n{}",
        &text[..head],
        tail - head,
        text.len(),
        &text[tail..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean_all(text: &str) -> String {
        clean(text, &Redactor::default(), 1000)
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
        assert!(cut.contains("left out of 15008"), "{cut}");
        assert!(cut.len() < 1200);
    }
}
