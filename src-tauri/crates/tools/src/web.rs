//! The web.

mod page;
mod web_fetch;

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry.with(web_fetch::WebFetch)
}
