use crate::screen::{self, note};
use namma_protocol::{ApiError, TurnOutcome};
use std::process::ExitCode;

/// How the program ends. The numbers are a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked.
    Done,
    Failed,
    /// The command line itself was wrong; clap uses the same number.
    Usage,
    /// A turn stopped at a limit.
    Limit,
    Cancelled,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Limit => 3,
            Self::Cancelled => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<&TurnOutcome> for Exit {
    fn from(outcome: &TurnOutcome) -> Self {
        match outcome {
            TurnOutcome::Answered { .. } => Self::Done,
            TurnOutcome::Cancelled { .. } => Self::Cancelled,
            TurnOutcome::LimitReached { .. } => Self::Limit,
            TurnOutcome::Failed { .. } | TurnOutcome::Interrupted { .. } => Self::Failed,
        }
    }
}

/// Says what went wrong, and what to do about it. A reader who has gone needs no words.
pub(crate) fn explain(error: &anyhow::Error) -> Exit {
    if screen::reader_is_gone(error) {
        return Exit::Done;
    }
    match error.downcast_ref::<ApiError>() {
        Some(error) => explain_api(error),
        None => note(&format!("namma: {error:#}")),
    }
    Exit::Failed
}

pub(crate) fn explain_api(error: &ApiError) {
    note(&format!("namma: {}", error.message));
    if let Some(hint) = &error.hint {
        note(&format!("  {hint}"));
    }
}
