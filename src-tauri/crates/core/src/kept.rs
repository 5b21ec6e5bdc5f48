//! Programs of ours that run beside us and end with us: model servers.
//!
//! The kernel ends them when the thread that started them ends, so that thread does nothing else:
//! it starts the program, reads what it writes, and waits for its end. They are no commands of the
//! model: what they may do is not confined, only the settings name them, and only the crate of local
//! models may start them.

use crate::gate::{ASKED, KEEP, KeepPlan, environment};
use crate::ports::Clock;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, PipeReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// Between the polite signal and the other one.
const GRACE: Duration = Duration::from_secs(2);
/// What is kept of its log.
const LOG_LINES: usize = 8;
const MAX_LINE_CHARS: usize = 200;
/// A line that is longer is read as several.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// What to start.
pub struct KeptProgram {
    /// A program of ours that calls `sandbox_exec_if_asked` first of all.
    pub launcher: PathBuf,
    pub program: PathBuf,
    /// Everybody on this computer can read them.
    pub arguments: Vec<String>,
    /// Beside the usual ones. Only our own account can read them.
    pub variables: Vec<(String, String)>,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptEnding {
    Exited(i32),
    Signalled(i32),
    /// The system did not say.
    Unknown,
}

impl fmt::Display for KeptEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "ended with code {code}"),
            Self::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            Self::Unknown => f.write_str("ended"),
        }
    }
}

impl From<ExitStatus> for KeptEnding {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) => Self::Signalled(signal),
            (None, None) => Self::Unknown,
        }
    }
}

/// A running program. Dropping it ends the program with all that it started.
pub struct Kept {
    process: Pid,
    ending: watch::Receiver<Option<KeptEnding>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    log: Mutex<VecDeque<String>>,
    /// Its number may belong to somebody else from now on.
    collected: Mutex<bool>,
}

impl KeptProgram {
    /// Starts it. What it writes to either output is its log.
    ///
    /// # Errors
    /// When the system refuses; a program that cannot be found ends at once, and its log says so.
    pub async fn start(self) -> std::io::Result<Kept> {
        let (started, begun) = oneshot::channel();
        let (tell, ending) = watch::channel(None);
        let theirs = Arc::new(Shared::default());
        std::thread::Builder::new().name("model-server".into()).spawn(move || {
            let (child, log) = match self.spawn() {
                Ok(running) => running,
                // Whoever asked has gone.
                Err(error) => return drop(started.send(Err(error))),
            };
            let process = Pid::from_raw(child.id().cast_signed());
            // Where nobody takes it, it is dropped, which ends the program.
            drop(started.send(Ok(Kept { process, ending, shared: Arc::clone(&theirs) })));
            theirs.read(log);
            tell.send_replace(Some(theirs.collect(child, process)));
        })?;
        begun.await.unwrap_or_else(|_| Err(std::io::Error::other("its thread ended")))
    }

    #[expect(clippy::disallowed_methods, reason = "a program that the settings name, not the model")]
    fn spawn(self) -> std::io::Result<(Child, PipeReader)> {
        let plan = KeepPlan { parent: std::process::id(), program: self.program, arguments: self.arguments };
        let (log, written) = std::io::pipe()?;
        let mut command = std::process::Command::new(self.launcher);
        command
            .args([ASKED, KEEP, &serde_json::to_string(&plan)?])
            .env_clear()
            .envs(environment::of_a_model_server())
            .envs(self.variables)
            .stdin(Stdio::null())
            .stdout(written.try_clone()?)
            .stderr(written);
        Ok((command.spawn()?, log))
    }
}

impl Shared {
    fn read(&self, log: PipeReader) {
        let mut log = BufReader::new(log);
        let mut line = Vec::new();
        while log.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
            let text = strip_ansi_escapes::strip_str(String::from_utf8_lossy(&line));
            line.clear();
            let text: String = text.trim().chars().filter(|c| !c.is_control()).take(MAX_LINE_CHARS).collect();
            if text.is_empty() {
                continue;
            }
            let mut kept = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == LOG_LINES {
                kept.pop_front();
            }
            kept.push_back(text);
        }
    }

    /// Waits for the end, and only then lets the system forget the number of the process.
    fn collect(&self, mut child: Child, process: Pid) -> KeptEnding {
        while let Err(nix::errno::Errno::EINTR) = waitid(Id::Pid(process), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT)
        {
        }
        let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        *collected = true;
        child.wait().map_or(KeptEnding::Unknown, KeptEnding::from)
    }
}

impl Kept {
    /// Waits for its end.
    pub async fn ended(&self) -> KeptEnding {
        let mut ending = self.ending.clone();
        match ending.wait_for(Option::is_some).await {
            Ok(ended) => ended.clone().unwrap_or(KeptEnding::Unknown),
            Err(_) => KeptEnding::Unknown,
        }
    }

    /// The last lines it wrote.
    pub fn log(&self) -> String {
        let log = self.shared.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Its number in the system, which is that of its group as well.
    pub fn id(&self) -> u32 {
        self.process.as_raw().unsigned_abs()
    }

    /// Ends it, politely at first.
    pub async fn stop(self, clock: &dyn Clock) {
        end(self.process, &self.shared, Signal::SIGTERM);
        tokio::select! {
            _ended = self.ended() => {}
            () = clock.sleep(GRACE) => {}
        }
        end(self.process, &self.shared, Signal::SIGKILL);
        self.ended().await;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        end(self.process, &self.shared, Signal::SIGKILL);
    }
}

fn end(process: Pid, shared: &Shared, signal: Signal) {
    let collected = shared.collected.lock().unwrap_or_else(PoisonError::into_inner);
    if *collected {
        return;
    }
    // Before it has a group of its own it is known by its number alone.
    if killpg(process, signal).is_err() {
        let _gone = nix::sys::signal::kill(process, signal);
    }
}
