//! The one way to run a tool: eight stages in order, each of which can only say no, ask or pass on.

mod handles;
mod permit;

pub use handles::{CommandOutput, DirEntry, EntryKind, Files, Http, Machine, Sandbox, Shell, System};
pub use permit::{Look, Permitted};

pub(crate) use permit::Stamp;

/// The gate.
pub struct ToolGate;
