use unicode_normalization::char::is_combining_mark;

/// Characters of a title made from a question.
const TITLE_CHARS: usize = 60;

/// What a chat is called before anything is known about it.
pub(crate) const UNTITLED: &str = "New chat";

/// The first line that says something, cut at a word.
pub(crate) fn from_question(question: &str) -> String {
    let line = question.lines().map(clean).find(|line| !line.is_empty());
    let Some(line) = line else { return UNTITLED.to_owned() };
    shorten(&line, TITLE_CHARS)
}

/// A title as a person typed it: one line, nothing invisible, not endless.
pub(crate) fn from_person(title: &str) -> String {
    shorten(&clean(title), 200)
}

/// At most `limit` characters, cut between words where there are any.
pub(crate) fn shorten(line: &str, limit: usize) -> String {
    let Some((cut, _)) = line.char_indices().nth(limit) else { return line.to_owned() };
    // One less, for the ellipsis.
    let kept = &line[..line[..cut].char_indices().last().map_or(0, |(last, _)| last)];
    let at_word = match kept.rfind(' ') {
        // A cut that throws half of it away serves nobody (Chinese has no spaces).
        Some(space) if kept[..space].chars().count() >= limit / 2 => &kept[..space],
        _ => whole_characters(kept, line),
    };
    format!("{}…", at_word.trim_end_matches([' ', ',', ';', ':', '-', '–', '—', '.']))
}

/// `kept` without a last letter whose marks were cut off.
fn whole_characters<'a>(kept: &'a str, line: &str) -> &'a str {
    let is_mark = |c: char| is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}');
    let mut kept = kept;
    while line[kept.len()..].chars().next().is_some_and(is_mark) {
        match kept.char_indices().last() {
            Some((last, _)) if last > 0 => kept = &kept[..last],
            _ => break,
        }
    }
    kept
}

fn clean(line: &str) -> String {
    let visible: String =
        line.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !is_direction_mark(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Marks that turn the direction of text: in a list they would garble the neighbours.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
