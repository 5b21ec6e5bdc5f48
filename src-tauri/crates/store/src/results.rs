//! What tools ask the store: results, whole, and what was said.

use crate::read::count;
use crate::store::Store;
use namma_core::BoxFuture;
use namma_core::ports::{ChatSearch, Results, StoreError, WholeResult};
use namma_core::trust::TaintSet;
use namma_protocol::{SearchHit, SessionId, ToolCallId, ToolOutcome};
use sqlx::Row;

impl Results for Store {
    fn whole<'a>(
        &'a self,
        session: &'a SessionId,
        call: &'a ToolCallId,
    ) -> BoxFuture<'a, Result<Option<WholeResult>, StoreError>> {
        Box::pin(async move { self.explain(self.whole_result(session, call).await) })
    }
}

impl ChatSearch for Store {
    fn search<'a>(&'a self, query: &'a str, limit: u32) -> BoxFuture<'a, Result<Vec<SearchHit>, StoreError>> {
        Box::pin(Store::search(self, query, limit))
    }
}

impl Store {
    async fn whole_result(
        &self,
        session: &SessionId,
        call: &ToolCallId,
    ) -> Result<Option<WholeResult>, crate::fault::Fault> {
        let row = sqlx::query(
            "select w.content, c.outcome, c.taint
             from tool_calls c
             join turns t on t.key = c.turn_key
             join sessions s on s.key = t.session_key
             left join whole_results w on w.call_key = c.key
             where c.id = ? and s.id = ? and c.outcome is not null",
        )
        .bind(call.as_str())
        .bind(session.as_str())
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let taint = TaintSet(count(&row, 2)?);
        if let Some(content) = row.try_get(0)? {
            return Ok(Some(WholeResult { content, taint }));
        }
        Ok(match serde_json::from_str(row.try_get(1)?)? {
            ToolOutcome::Succeeded { content } => Some(WholeResult { content, taint }),
            ToolOutcome::Failed { .. } | ToolOutcome::Declined { .. } | ToolOutcome::Interrupted => None,
        })
    }
}
