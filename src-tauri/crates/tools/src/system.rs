//! This computer.

mod battery;
mod system_info;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(system_info::SystemInfo)
}
