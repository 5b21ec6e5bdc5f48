use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{FlushArg, tcflush};
use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

/// The lines of standard input: messages, and answers to questions. Cheap to clone.
///
/// A line is read only when somebody waits for one: what is typed ahead stays with the terminal.
#[derive(Clone)]
pub(crate) struct Lines(Arc<Mutex<Reader>>);

struct Reader {
    wanted: Option<std::sync::mpsc::Sender<()>>,
    lines: mpsc::UnboundedReceiver<String>,
    /// A line was asked for and has not come yet: whoever asked has gone.
    pending: bool,
    /// Typed before a question was on the screen: messages, never its answer.
    ahead: VecDeque<String>,
}

impl Lines {
    /// Reads nothing yet.
    pub(crate) fn of_stdin() -> Self {
        let (wanted, wants) = std::sync::mpsc::channel();
        let (found, lines) = mpsc::unbounded_channel();
        // A thread of its own: a runtime would wait at its end for a line that may never come.
        std::thread::spawn(move || {
            while wants.recv().is_ok() {
                let mut line = String::new();
                match io::stdin().read_line(&mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {
                        if found.send(line).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        let reader = Reader { wanted: Some(wanted), lines, pending: false, ahead: VecDeque::new() };
        Self(Arc::new(Mutex::new(reader)))
    }

    /// The next line without its end; `None` when there is no more.
    pub(crate) async fn next(&self) -> Option<String> {
        let mut reader = self.0.lock().await;
        match reader.ahead.pop_front() {
            Some(line) => Some(line),
            None => reader.read().await,
        }
    }

    /// A question is on the screen now. What a person typed before cannot be its answer: whole
    /// lines stay for [`Lines::next`], the beginning of one is dropped. From a file or another
    /// program the answers come beforehand, and stay.
    pub(crate) async fn begin_answer(&self) {
        if io::stdin().is_terminal() {
            self.0.lock().await.set_aside().await;
        }
    }

    /// The next line that was not set aside; `None` when there is no more.
    pub(crate) async fn answer(&self) -> Option<String> {
        self.0.lock().await.read().await
    }
}

impl Reader {
    async fn read(&mut self) -> Option<String> {
        if !self.pending {
            self.wanted.as_ref()?.send(()).ok()?;
            self.pending = true;
        }
        let line = self.lines.recv().await;
        self.pending = false;
        if line.is_none() {
            self.wanted = None;
        }
        line.map(|line| line.trim_end_matches(['\n', '\r']).to_owned())
    }

    async fn set_aside(&mut self) {
        loop {
            let line = if self.pending {
                // The thread reads; it may have found one already.
                self.lines.try_recv().ok().inspect(|_| self.pending = false)
            } else if a_line_waits() {
                self.read().await
            } else {
                None
            };
            let Some(line) = line else { break };
            self.ahead.push_back(line.trim_end_matches(['\n', '\r']).to_owned());
        }
        // A terminal that cannot is closed, and then no answer comes either.
        let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
    }
}

/// The terminal has a whole line that nobody has read.
fn a_line_waits() -> bool {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    poll(&mut watched, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}
