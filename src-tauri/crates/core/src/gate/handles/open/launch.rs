//! The launcher's side of opening: our own program, started again to let go of another one.

use nix::unistd::setsid;
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(in super::super) const OPEN: &str = "open";

/// How long a program is watched before it is said to run.
pub(super) const LOOK: Duration = Duration::from_millis(2500);
const STEP: Duration = Duration::from_millis(20);

/// What to start. It stands on a command line, which everybody on this computer can read.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) struct OpenPlan {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) cwd: PathBuf,
}

/// What the launcher saw.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OpenReport {
    Runs,
    /// As the shell does, 128 and more is a signal.
    Ended(i32),
    Missing,
    Failed(String),
}

/// Starts the program in a session of its own, so that no signal to us reaches it, and looks at it
/// for a moment. The launcher's end makes it nobody's child: it outlives whoever asked.
pub(in super::super) fn launch(plan: &OpenPlan) -> i32 {
    let report = match start(plan) {
        Ok(child) => watch(child),
        Err(error) if error.kind() == ErrorKind::NotFound && plan.cwd.is_dir() => OpenReport::Missing,
        Err(error) => OpenReport::Failed(error.to_string()),
    };
    let sent = serde_json::to_vec(&report).is_ok_and(|line| std::io::stdout().write_all(&line).is_ok());
    i32::from(!sent)
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the desktop's programs start, after the gate allowed them"
)]
fn start(plan: &OpenPlan) -> std::io::Result<Child> {
    setsid()?;
    Command::new(&plan.program)
        .args(&plan.arguments)
        .current_dir(&plan.cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

#[expect(clippy::disallowed_methods, reason = "the launcher is a program of its own, without a clock or a runtime")]
fn watch(mut child: Child) -> OpenReport {
    use std::os::unix::process::ExitStatusExt;
    let mut watched = Duration::ZERO;
    while watched < LOOK {
        match child.try_wait() {
            Ok(Some(status)) => {
                let signal = status.signal().map_or(1, |signal| 128 + signal);
                return OpenReport::Ended(status.code().unwrap_or(signal));
            }
            Ok(None) => std::thread::sleep(STEP),
            Err(error) => return OpenReport::Failed(error.to_string()),
        }
        watched += STEP;
    }
    OpenReport::Runs
}
