//! Results of earlier calls and earlier chats, as the test wrote them.

use namma_core::BoxFuture;
use namma_core::ports::{ChatSearch, Results, StoreError, WholeResult};
use namma_core::trust::TaintSet;
use namma_protocol::{SearchHit, SessionId, ToolCallId, UnixMs};
use std::collections::HashMap;

/// In every session the same.
#[derive(Clone, Debug, Default)]
pub struct FixedResults(HashMap<ToolCallId, String>);

impl FixedResults {
    #[must_use]
    pub fn with(mut self, call: &str, content: &str) -> Self {
        self.0.insert(call.into(), content.into());
        self
    }
}

impl Results for FixedResults {
    fn whole<'a>(
        &'a self,
        _: &'a SessionId,
        call: &'a ToolCallId,
    ) -> BoxFuture<'a, Result<Option<WholeResult>, StoreError>> {
        let found = self.0.get(call).map(|content| WholeResult { content: content.clone(), taint: TaintSet::CLEAN });
        Box::pin(async { Ok(found) })
    }
}

impl ChatSearch for FixedResults {
    /// Every result is a message, too.
    fn search<'a>(&'a self, query: &'a str, limit: u32) -> BoxFuture<'a, Result<Vec<SearchHit>, StoreError>> {
        let hits = self.0.values().filter(|content| content.contains(query)).map(|content| SearchHit {
            session_id: "ses_1".into(),
            session_title: "an earlier chat".into(),
            turn_id: "turn_1".into(),
            message_id: "1".into(),
            role: "user".into(),
            excerpt: content.clone(),
            created_at: UnixMs(0),
        });
        let hits = hits.take(limit as usize).collect();
        Box::pin(async { Ok(hits) })
    }
}
