//! The chats of this home.

mod search_chats;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(search_chats::SearchChats)
}
