use crate::ports::ChatSearch;
use crate::tool::{Effects, ToolFailure};
use namma_protocol::SearchHit;

/// The chats of this home.
pub struct Chats<'a> {
    effects: &'a Effects,
    chats: &'a dyn ChatSearch,
}

impl<'a> Chats<'a> {
    /// What a tool declares that looks into them.
    pub const KIND: &'static str = "your chats";

    pub(crate) fn new(effects: &'a Effects, chats: &'a dyn ChatSearch) -> Self {
        Self { effects, chats }
    }

    /// The messages that fit best.
    ///
    /// # Errors
    /// When that was not declared, or the store cannot say.
    pub async fn search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, ToolFailure> {
        if !self.effects.allow_system(Self::KIND) {
            return Err(ToolFailure::undeclared(format_args!("look into {}", Self::KIND)));
        }
        let found = self.chats.search(query, limit).await;
        found.map_err(|error| ToolFailure::failed(format!("the chats could not be searched: {error}")))
    }
}
