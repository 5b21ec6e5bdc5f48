use crate::ports::{Results, WholeResult};
use crate::tool::{Effects, ToolFailure};
use namma_protocol::{SessionId, ToolCallId};

/// Results of earlier calls of this chat.
pub struct EarlierResults<'a> {
    effects: &'a Effects,
    results: &'a dyn Results,
    session: &'a SessionId,
}

impl<'a> EarlierResults<'a> {
    /// What a tool declares that reads them.
    pub const KIND: &'static str = "earlier results of this chat";

    pub(crate) fn new(effects: &'a Effects, results: &'a dyn Results, session: &'a SessionId) -> Self {
        Self { effects, results, session }
    }

    /// The whole result of a call.
    ///
    /// # Errors
    /// When that was not declared, there is no such call in this chat, or the store cannot say.
    pub async fn open(&self, call: &ToolCallId) -> Result<WholeResult, ToolFailure> {
        if !self.effects.allow_system(Self::KIND) {
            return Err(ToolFailure::undeclared(format_args!("read {}", Self::KIND)));
        }
        let found = self.results.whole(self.session, call).await;
        let found = found.map_err(|error| ToolFailure::failed(format!("the result could not be read: {error}")))?;
        found.ok_or_else(|| {
            ToolFailure::failed(format!("there is no result `{call}` in this chat"))
                .hint("Use the id that stands in the shortened result, exactly.")
        })
    }
}
