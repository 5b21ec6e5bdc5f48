//! A key that is typed or pasted: never shown on the screen.

use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::screen::note;
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use std::io::{self, IsTerminal};

/// One line of standard input; `None` when the person chose to stop.
///
/// # Errors
/// When there is no line, or the terminal would show it.
pub(crate) async fn read_key() -> anyhow::Result<Option<String>> {
    let mut interrupts = Interrupts::listen()?;
    let _hidden = if io::stdin().is_terminal() {
        let hidden = Hidden::begin()?;
        note("namma: paste the key and press Enter; it is not shown");
        Some(hidden)
    } else {
        None
    };
    let lines = Lines::of_stdin();
    let line = tokio::select! {
        line = lines.next() => line,
        () = interrupts.next() => return Ok(None),
    };
    match line.filter(|line| !line.trim().is_empty()) {
        Some(key) => Ok(Some(key)),
        None => anyhow::bail!("there is no key on standard input"),
    }
}

/// The terminal shows nothing of what is typed but the end of the line, as long as this lives.
struct Hidden {
    before: Termios,
}

impl Hidden {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_flags.remove(LocalFlags::ECHO);
        quiet.local_flags.insert(LocalFlags::ECHONL);
        // What was typed before was shown, so it is no key.
        tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &quiet)?;
        Ok(Self { before })
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // A terminal that refuses is closed, and shows nothing any more.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.before);
    }
}
