//! What the person wants kept for later chats.

mod forget;
mod recall;
mod remember;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(remember::Remember).with(recall::Recall).with(forget::Forget)
}
