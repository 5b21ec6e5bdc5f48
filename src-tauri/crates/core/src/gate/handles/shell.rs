use crate::tool::{Effects, ToolFailure};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How commands are confined on this computer.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Our own program, which applies limits and confinement to itself and then becomes the command.
    pub launcher: PathBuf,
    /// Folders a command may write to, beside its working folder.
    pub writable: Vec<PathBuf>,
}

impl Sandbox {
    /// How commands are confined, in one line for people.
    pub fn describe(&self) -> String {
        "no OS sandbox".into()
    }
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// `None` when it was killed by a signal.
    pub exit_code: Option<i32>,
    /// Head and tail of what it printed, standard output and error as they came.
    pub text: String,
    pub truncated: bool,
    pub timed_out: bool,
}

/// Declared commands, in a process group of their own that dies with the call.
pub struct Shell<'a> {
    effects: &'a Effects,
    sandbox: &'a Sandbox,
    cancel: &'a CancellationToken,
}

impl<'a> Shell<'a> {
    pub(crate) fn new(effects: &'a Effects, sandbox: &'a Sandbox, cancel: &'a CancellationToken) -> Self {
        Self { effects, sandbox, cancel }
    }
}
