//! Commands.

mod run_shell;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(run_shell::RunShell)
}
