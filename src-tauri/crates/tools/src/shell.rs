//! Commands.

mod run_shell;

pub(crate) use run_shell::RunShell;
