//! The two outputs. Nothing else in this program writes to them.

use std::io::{self, IsTerminal, Write};

/// Writes what was asked for.
///
/// # Errors
/// When the reader has gone or the disk is full; the caller gives up.
pub(crate) fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes a piece of an answer that still arrives.
///
/// # Errors
/// As [`say`].
pub(crate) fn say_piece(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a document as JSON.
///
/// # Errors
/// As [`say`].
pub(crate) fn say_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(say(&text)?)
}

/// Writes one line of a stream of JSON.
///
/// # Errors
/// As [`say`].
pub(crate) fn say_json_line(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    Ok(say(&text)?)
}

/// Says something about what is going on. Foreign text in it cannot move the cursor.
pub(crate) fn note(text: &str) {
    note_raw(&plain(text));
}

/// As [`note`], for text that is coloured by us.
pub(crate) fn note_raw(text: &str) {
    let mut line = text.to_owned();
    line.push('\n');
    // Nobody reads it, and there is nowhere to say so.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// As [`note`], without ending the line.
pub(crate) fn prompt(text: &str) {
    let mut err = io::stderr().lock();
    // As in `note_raw`.
    let _ = err.write_all(text.as_bytes());
    let _ = err.flush();
}

/// Whether somebody can be asked: they see the question and can type.
pub(crate) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether the answer appears on a screen rather than in a file or another program.
pub(crate) fn answers_on_screen() -> bool {
    io::stdout().is_terminal()
}

/// Whether notes may be coloured.
pub(crate) fn may_colour(environment: &namma_config::Environment) -> bool {
    io::stderr().is_terminal() && environment.get("NO_COLOR").is_none()
}

/// Whether an error means that whoever read our output has gone.
pub(crate) fn reader_is_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Text that only appears and does nothing: control characters, and marks that reorder or hide
/// text, are shown as their numbers.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            // A progress bar or the line ends of another system.
            '\r' => {}
            c if c.is_control() || is_deceptive(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn is_deceptive(c: char) -> bool {
    matches!(
        c,
        // They reorder what follows.
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{061C}'
            // They are not seen. The joiners of scripts and emoji (200C and 200D) are left alone.
            | '\u{00AD}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn text_from_outside_cannot_move_the_cursor_or_hide() {
        assert_eq!(plain("a\x1b[2Jb\r\n\tc\u{202e}d\u{7}"), "a\\u{1b}[2Jb\n\tc\\u{202e}d\\u{7}");
        assert_eq!(plain("rm\u{200b} -rf\u{feff}"), "rm\\u{200b} -rf\\u{feff}");
        assert_eq!(plain("ನಮಸ್ಕಾರ 👩\u{200d}🌾"), "ನಮಸ್ಕಾರ 👩\u{200d}🌾", "joiners of scripts and emoji stay");
    }
}
