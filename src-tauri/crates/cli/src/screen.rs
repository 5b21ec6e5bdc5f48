//! The two outputs. Nothing else in this program writes to them.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

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
    let mut line = as_it_is_called(text).into_owned();
    line.push('\n');
    // Nobody reads it, and there is nowhere to say so.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Notes that have to wait, because a question stands on the screen.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// As [`note`], but never between a question and its answer.
pub(crate) fn note_when_quiet(text: &str) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    match held.as_mut() {
        Some(waiting) => waiting.push(plain(text)),
        None => note(text),
    }
}

/// While it lives, a question stands on the screen.
pub(crate) struct Question;

impl Question {
    pub(crate) fn begin() -> Self {
        *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        Self
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        let waiting = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
        waiting.into_iter().flatten().for_each(|line| note_raw(&line));
    }
}

/// Advice names this program as the person started it: before it is installed there is no `namma`.
fn as_it_is_called(text: &str) -> Cow<'_, str> {
    static CALLED: OnceLock<Option<String>> = OnceLock::new();
    match CALLED.get_or_init(|| namma_config::Environment::process().get("NAMMA_CALLED_AS")) {
        Some(called) => Cow::Owned(spell(text, called)),
        None => Cow::Borrowed(text),
    }
}

fn spell(text: &str, called: &str) -> String {
    text.replace("`namma ", &format!("`{called} ")).replace("    namma ", &format!("    {called} "))
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
    use super::{plain, spell};

    #[test]
    fn advice_is_spelled_as_the_program_was_called() {
        let called = "cargo xtask run --";
        assert_eq!(spell("run `namma doctor`", called), "run `cargo xtask run -- doctor`");
        assert_eq!(spell("    namma config set a b", called), "    cargo xtask run -- config set a b");
        assert_eq!(spell("namma: stopped", called), "namma: stopped");
    }

    #[test]
    fn text_from_outside_cannot_move_the_cursor_or_hide() {
        assert_eq!(plain("a\x1b[2Jb\r\n\tc\u{202e}d\u{7}"), "a\\u{1b}[2Jb\n\tc\\u{202e}d\\u{7}");
        assert_eq!(plain("rm\u{200b} -rf\u{feff}"), "rm\\u{200b} -rf\\u{feff}");
        assert_eq!(plain("ನಮಸ್ಕಾರ 👩\u{200d}🌾"), "ನಮಸ್ಕಾರ 👩\u{200d}🌾", "joiners of scripts and emoji stay");
    }
}
