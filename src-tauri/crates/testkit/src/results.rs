//! Results of earlier calls, as the test wrote them.

use namma_core::BoxFuture;
use namma_core::ports::{Results, StoreError, WholeResult};
use namma_core::trust::TaintSet;
use namma_protocol::{SessionId, ToolCallId};
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
