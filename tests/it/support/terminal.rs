use super::Home;
use expectrl::process::unix::{Signal, WaitStatus};
use expectrl::session::OsSession;
use expectrl::{Expect, Session};
use std::time::Duration;
use tokio::process::Command;
use tokio::task::block_in_place;

/// `namma` at a terminal of its own. For tests with several threads: waiting blocks one.
pub(crate) struct Terminal(OsSession);

impl Terminal {
    pub(crate) fn start(home: &Home, arguments: &[&str]) -> Self {
        Self::of(home.command(arguments))
    }

    /// Any program.
    pub(crate) fn of(command: Command) -> Self {
        let mut command = command.into_std();
        command.env("TERM", "xterm");
        let mut session = Session::spawn(command).unwrap();
        session.set_expect_timeout(Some(Duration::from_secs(60)));
        Self(session)
    }

    /// The same, with keys that are typed before anything is on the screen.
    pub(crate) fn start_typing(home: &Home, arguments: &[&str], keys: &str) -> Self {
        let mut terminal = Self::start(home, arguments);
        terminal.types(keys);
        terminal
    }

    /// Waits for these words and gives what was on the screen before them.
    pub(crate) fn until(&mut self, words: &str) -> String {
        let found = block_in_place(|| self.0.expect(words));
        let found = found.unwrap_or_else(|error| panic!("`{words}` never came: {error}"));
        String::from_utf8_lossy(found.before()).into_owned()
    }

    /// Types these keys, control characters included.
    pub(crate) fn types(&mut self, keys: &str) {
        self.0.send(keys).unwrap();
    }

    /// The program dies without a word.
    pub(crate) fn kill(mut self) {
        self.0.get_process_mut().kill(Signal::SIGKILL).unwrap();
        assert_eq!(self.code(), None);
    }

    /// How it ended; `None` when a signal ended it.
    pub(crate) fn code(self) -> Option<i32> {
        match block_in_place(|| self.0.get_process().wait()).unwrap() {
            WaitStatus::Exited(_, code) => Some(code),
            _ => None,
        }
    }
}
