//! Tools called by a person, and the record of all calls.

use crate::builder::App;
use namma_core::gate::TurnScope;
use namma_core::ports::{ModelCall, TurnEvents};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{ApiError, Mode, SessionId, ToolCallId, ToolOutcome, TurnId};
use namma_store::{AuditRow, ChainReport};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

impl App {
    /// Runs one call through the gate, in a scope of its own: judged, asked about and recorded
    /// like every call of the model, and belonging to no chat.
    pub async fn tool_call(
        &self,
        name: &str,
        arguments: &str,
        events: Arc<dyn TurnEvents>,
        cancel: &CancellationToken,
    ) -> ToolOutcome {
        let mut scope = TurnScope::new(
            SessionId::fresh(),
            TurnId::fresh(),
            Trust::Owner,
            Mode::Agent,
            self.inner.place.clone(),
            self.inner.approver.clone(),
            events,
            TaintSet::CLEAN,
        );
        scope.add_owner_text(arguments);
        let call = ModelCall { id: ToolCallId::fresh(), name: name.to_owned(), arguments: arguments.to_owned() };
        let call = self.inner.gate.read(call, scope.place());
        self.inner.gate.run(call, &scope, cancel).await.outcome
    }

    /// The newest entries of the audit log, and whether its chain is whole.
    pub async fn audit(&self, limit: u32) -> Result<(Vec<AuditRow>, ChainReport), ApiError> {
        let rows = self.inner.store.audit_list(limit, None).await.map_err(|error| error.to_api_error())?;
        let chain = self.inner.store.audit_verify_chain().await.map_err(|error| error.to_api_error())?;
        Ok((rows, chain))
    }
}
