//! The programs of the person's desktop.

mod open_target;
mod target;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(open_target::OpenTarget)
}
