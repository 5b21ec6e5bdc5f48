use std::io;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

/// The lines of standard input, for whoever asks next. Cheap to clone.
///
/// A line is read only when somebody waits for one: what is typed ahead stays with the terminal.
#[derive(Clone)]
pub(crate) struct Lines(Arc<Mutex<Reader>>);

struct Reader {
    wanted: Option<std::sync::mpsc::Sender<()>>,
    lines: mpsc::UnboundedReceiver<String>,
    /// A line was asked for and has not come yet: whoever asked has gone.
    pending: bool,
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
        Self(Arc::new(Mutex::new(Reader { wanted: Some(wanted), lines, pending: false })))
    }

    /// The next line without its end; `None` when there is no more.
    pub(crate) async fn next(&self) -> Option<String> {
        let mut reader = self.0.lock().await;
        if !reader.pending {
            reader.wanted.as_ref()?.send(()).ok()?;
            reader.pending = true;
        }
        let line = reader.lines.recv().await;
        reader.pending = false;
        if line.is_none() {
            reader.wanted = None;
        }
        line.map(|line| line.trim_end_matches(['\n', '\r']).to_owned())
    }
}
