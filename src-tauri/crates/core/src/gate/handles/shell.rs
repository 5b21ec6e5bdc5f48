//! Commands, limited to what a call declared, below the launcher of [`Sandbox`].
//!
//! A command gets no input, a small environment and two ends of one pipe. It ends with its time,
//! with the turn, when it prints too much, and when this future is dropped: the launcher hears
//! the closed socket and leaves no process behind.

mod capture;
pub(crate) mod environment;

use self::capture::Capture;
use super::sandbox::{ASKED, Plan, Report, SUPERVISE, Sandbox};
use crate::tool::{Effects, ToolFailure};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;
use tokio_util::sync::CancellationToken;

/// A command that prints more is stopped.
const MAX_OUTPUT_BYTES: u64 = 10 << 20;
/// How long the launcher may take to end everything, before it is ended itself.
const STOP_LIMIT: Duration = Duration::from_millis(1500);
/// Between the end of a command and the last of its output.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    pub ending: CommandEnding,
    /// Head and tail of what it printed, standard output and error as they came.
    pub text: String,
    /// Something between head and tail was left out.
    pub truncated: bool,
    pub duration: Duration,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEnding {
    /// By itself; as the shell does, 128 and more is a signal.
    Exited(i32),
    /// Its time was over.
    TimedOut,
    /// It printed more than is read.
    TooMuchOutput,
}

/// Declared commands.
pub struct Shell<'a> {
    effects: &'a Effects,
    sandbox: &'a Sandbox,
    cancel: &'a CancellationToken,
}

impl<'a> Shell<'a> {
    pub(crate) fn new(effects: &'a Effects, sandbox: &'a Sandbox, cancel: &'a CancellationToken) -> Self {
        Self { effects, sandbox, cancel }
    }

    /// Runs a command of `/bin/sh` in a folder. `progress` hears a line of output now and then.
    ///
    /// # Errors
    /// When the command was not declared, could not be started, or was stopped with the turn.
    pub async fn run(
        &self,
        command: &str,
        cwd: &Path,
        timeout: Duration,
        progress: &(dyn Fn(String) + Send + Sync),
    ) -> Result<CommandOutput, ToolFailure> {
        if !self.effects.allow_command(command, cwd) {
            return Err(ToolFailure::undeclared(format_args!("run `{command}` in {}", cwd.display())));
        }
        if !cwd.is_dir() {
            return Err(ToolFailure::bad_input(format!(
                "there is no folder `{}` to run the command in",
                cwd.display()
            )));
        }
        let started = tokio::time::Instant::now();
        let mut running = Running::start(self.sandbox, command, cwd, timeout).await?;
        let watched = self.cancel.run_until_cancelled(running.until_the_end(progress));
        let ending = match tokio::time::timeout(timeout, watched).await {
            Ok(Some(ended)) => ended?,
            Ok(None) => {
                running.stop().await;
                return Err(ToolFailure::failed(format!("`{command}` was stopped")));
            }
            Err(_over) => CommandEnding::TimedOut,
        };
        if !matches!(ending, CommandEnding::Exited(_)) {
            running.stop().await;
        }
        let (text, truncated) = running.capture.finish();
        Ok(CommandOutput { ending, text, truncated, duration: started.elapsed() })
    }
}

/// A command and both lines to it.
struct Running {
    launcher: tokio::process::Child,
    /// To the launcher; closing it ends the command.
    line: UnixStream,
    output: Receiver,
    capture: Capture,
}

impl Running {
    async fn start(sandbox: &Sandbox, command: &str, cwd: &Path, timeout: Duration) -> Result<Self, ToolFailure> {
        // Finding out what works here starts a program; later calls answer at once.
        let here = sandbox.clone();
        let (text, folder) = (command.to_owned(), cwd.to_owned());
        let plan = tokio::task::spawn_blocking(move || here.plan(&text, &folder, timeout))
            .await
            .map_err(|panic| ToolFailure::failed(format!("BUG: the sandbox could not be prepared: {panic}")))?;
        spawn(sandbox, &plan).map_err(|error| ToolFailure::failed(format!("could not start `{command}`: {error}")))
    }

    /// Reads output and the launcher's report until both have ended.
    async fn until_the_end(&mut self, progress: &(dyn Fn(String) + Send + Sync)) -> Result<CommandEnding, ToolFailure> {
        let mut report = Vec::new();
        let mut buffer = vec![0; 16 << 10];
        let mut has_output = true;
        let mut has_report = false;
        while !has_report {
            tokio::select! {
                read = self.output.read(&mut buffer), if has_output => match read {
                    Ok(0) | Err(_) => has_output = false,
                    Ok(count) => {
                        if let Some(line) = self.capture.take(&buffer[..count]) {
                            progress(line);
                        }
                        if self.capture.total() > MAX_OUTPUT_BYTES {
                            return Ok(CommandEnding::TooMuchOutput);
                        }
                    }
                },
                read = self.line.read_buf(&mut report) => has_report = read.map_or(true, |count| count == 0),
            }
        }
        if has_output {
            self.drain(LAST_OUTPUT).await;
        }
        match serde_json::from_slice(&report) {
            Ok(Report::Exited(code)) => Ok(CommandEnding::Exited(code)),
            Ok(Report::Failed(problem)) => Err(ToolFailure::failed(problem)),
            Err(_) => Err(ToolFailure::failed("the command's launcher ended without a report")),
        }
    }

    /// Takes what is still in the pipe.
    async fn drain(&mut self, limit: Duration) {
        let mut buffer = vec![0; 16 << 10];
        let rest = async {
            while let Ok(count @ 1..) = self.output.read(&mut buffer).await {
                self.capture.take(&buffer[..count]);
                if self.capture.total() > MAX_OUTPUT_BYTES {
                    break;
                }
            }
        };
        // What has not come by then does not come: everything that could write has ended.
        let _over = tokio::time::timeout(limit, rest).await;
    }

    /// Ends the command with all that it started.
    async fn stop(&mut self) {
        // The launcher hears the end of the line; if the line is broken, it has heard it already.
        let _broken = self.line.shutdown().await;
        let ended = tokio::time::timeout(STOP_LIMIT, self.launcher.wait()).await;
        if ended.is_err() {
            // Its children die with it in bubblewrap; below weaker levels this is all that is left.
            let _gone = self.launcher.kill().await;
        }
        self.drain(Duration::ZERO).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where a command of the model starts")]
fn spawn(sandbox: &Sandbox, plan: &Plan) -> std::io::Result<Running> {
    let plan = serde_json::to_string(plan)?;
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    let (output, printed) = std::io::pipe()?;
    ours.set_nonblocking(true)?;
    let mut command = tokio::process::Command::new(sandbox.launcher());
    command
        .args([ASKED, SUPERVISE, &plan])
        .env_clear()
        .envs(environment::of_a_command(sandbox.home()))
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(printed.try_clone()?)
        .stderr(printed);
    let launcher = command.spawn()?;
    Ok(Running {
        launcher,
        line: UnixStream::from_std(ours)?,
        output: Receiver::from_owned_fd(OwnedFd::from(output))?,
        capture: Capture::default(),
    })
}
