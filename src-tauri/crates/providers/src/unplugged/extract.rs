//! An extract of a text: its headings, and the first sentence of its first paragraphs, unchanged.

const MAX_HEADINGS: usize = 10;
const MAX_SENTENCES: usize = 6;
const MAX_CHARS: usize = 300;

/// The lines of the extract, in the order of the text. Empty when there is nothing to take.
pub(super) fn extract(text: &str) -> Vec<String> {
    let (mut headings, mut sentences) = (0, 0);
    let mut taken = Vec::new();
    let mut in_code = false;
    let mut at_start = true;
    let mut lines = text.lines().peekable();
    while let Some(raw) = lines.next() {
        let line = raw.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            at_start = true;
            continue;
        }
        if line.is_empty() || in_code {
            at_start = true;
            continue;
        }
        if is_heading(line) {
            at_start = true;
            if headings < MAX_HEADINGS {
                headings += 1;
                taken.push(cut(line.trim_start_matches(['#', ' '])));
            }
            continue;
        }
        // Code that is set in, and tables, are no sentences.
        if at_start && (raw.starts_with("    ") || raw.starts_with('\t')) || line.starts_with('|') {
            continue;
        }
        if at_start && sentences < MAX_SENTENCES && line.chars().any(char::is_alphabetic) {
            sentences += 1;
            let mut paragraph = line.to_owned();
            while end_of_sentence(&paragraph).is_none() && paragraph.len() < MAX_CHARS * 4 {
                let Some(next) = lines.next_if(|next| !next.trim().is_empty() && !is_heading(next.trim())) else {
                    break;
                };
                paragraph.push(' ');
                paragraph.push_str(next.trim());
            }
            let end = end_of_sentence(&paragraph).unwrap_or(paragraph.len());
            taken.push(cut(&paragraph[..end]));
        }
        at_start = false;
    }
    taken
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

/// Where the first sentence ends. A point within a number or a short form does not end it.
fn end_of_sentence(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let mut word = 0;
    while let Some((at, c)) = chars.next() {
        word = if c.is_alphanumeric() { word + 1 } else { word };
        let next = chars.peek().map(|(_, next)| *next);
        let before_gap = next.is_none_or(char::is_whitespace);
        match c {
            '।' | '。' => return Some(at + c.len_utf8()),
            '!' | '?' if before_gap => return Some(at + c.len_utf8()),
            // "e.g.", "Dr.", an initial: a word of one or two letters goes on.
            '.' if before_gap && word > 2 => return Some(at + 1),
            _ => {}
        }
        if !c.is_alphanumeric() {
            word = 0;
        }
    }
    None
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.trim().to_owned();
    }
    let head: String = text.chars().take(MAX_CHARS).collect();
    format!("{}…", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_first_sentences_are_taken_as_they_stand() {
        assert_eq!(extract("    code here\n\n| a | b |\n| - | - |\n\nA sentence. More."), ["A sentence."]);
        let text = "# Plan\n\nWe move in May, e.g. on the 4th at 3.30 sharp. Bring boxes.\n\n```\ncode. here.\n```\n\n## Cost\n\
                    It is not\ncheap! Really.\nMore.\n";
        let expected = ["Plan", "We move in May, e.g. on the 4th at 3.30 sharp.", "Cost", "It is not cheap!"];
        assert_eq!(extract(text), expected);
        assert_eq!(extract("यह पहला वाक्य है। यह दूसरा।"), ["यह पहला वाक्य है।"]);
    }

    #[test]
    fn a_long_text_gives_a_short_extract_and_an_empty_one_none() {
        let long = format!("{}\n\n", "word ".repeat(500)).repeat(100);
        let taken = extract(&long);
        assert_eq!(taken.len(), MAX_SENTENCES);
        assert!(taken.iter().all(|line| line.chars().count() <= MAX_CHARS + 1));
        assert!(extract("\n\n---\n").is_empty());
    }
}
