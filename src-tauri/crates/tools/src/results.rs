//! Results of earlier calls.

mod open_result;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(open_result::OpenResult)
}
