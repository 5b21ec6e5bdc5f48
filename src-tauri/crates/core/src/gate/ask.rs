//! Stages 4 and 5 together: whether a call needs a question, and the question until its answer fits.

use crate::gate::policy::Requirement;
use crate::gate::provenance::Concern;
use crate::gate::read::ReadCall;
use crate::gate::record::Recorder;
use crate::gate::refusal::Refusal;
use crate::gate::scope::TurnScope;
use crate::gate::{ToolGate, grants};
use crate::ports::AnsweredApproval;
use crate::tool::{ErasedTool, Prepared};
use namma_protocol::{ApprovalDecision, ApprovalRequest, ApprovalScope, Preview, TurnEvent};
use tokio_util::sync::CancellationToken;

const CHANGED: &str = "It changed since you were asked, so here it is again.";

impl ToolGate {
    /// The reasons to ask, `None` when nothing needs to be asked.
    pub(super) fn question(
        &self,
        tool: &str,
        prepared: &Prepared,
        concern: &Concern,
        turn: &TurnScope,
    ) -> Result<Option<Vec<String>>, Refusal> {
        let effects = prepared.effects.as_slice();
        match (self.policy)().decide(tool, effects) {
            Requirement::Deny { reason } => Err(Refusal::declined(4, "policy_denied", reason)),
            Requirement::Allow if *concern == Concern::None => Ok(None),
            Requirement::Allow => Ok(Some(Vec::new())),
            Requirement::Ask { .. }
                if *concern == Concern::None && self.grants.covers(&turn.session_id, tool, effects) =>
            {
                Ok(None)
            }
            Requirement::Ask { reason } => Ok(Some(vec![reason])),
        }
    }

    /// Asks until the answer fits what would run now: a call that changed since it was shown is
    /// shown again.
    #[expect(clippy::too_many_arguments, reason = "one private stage; a struct would only rename them")]
    pub(super) async fn ask(
        &self,
        tool: &dyn ErasedTool,
        call: &ReadCall,
        reasons: Vec<String>,
        concern: &Concern,
        turn: &TurnScope,
        cancel: &CancellationToken,
        record: &mut Recorder,
        approvals: &mut Vec<AnsweredApproval>,
    ) -> Result<Prepared, Refusal> {
        let (mut prepared, mut preview) = self.prepare_again(tool, call, turn, cancel).await?;
        let mut reasons = reasons;
        for _ in 0..5 {
            let request = grants::request(
                call.name(),
                call.id(),
                &prepared,
                preview,
                reasons.clone(),
                concern,
                self.sandbox_of(&prepared),
                turn,
                self.clock.now(),
            );
            turn.events.emit(TurnEvent::ApprovalRequested { request: request.clone() });
            let asked = self.clock.now();
            let Some(decision) = cancel.run_until_cancelled(turn.approver.ask(&request)).await else {
                let (approval_id, call_id) = (request.approval_id.clone(), call.id().clone());
                turn.events.emit(TurnEvent::ApprovalWithdrawn { approval_id, call_id });
                return Err(Refusal::interrupted(5));
            };
            record.approval(turn.approver.name(), asked, self.clock.now());
            let (approval_id, call_id) = (request.approval_id.clone(), call.id().clone());
            turn.events.emit(TurnEvent::ApprovalResolved { approval_id, call_id, decision: decision.clone() });
            let hash = request.payload_hash.clone();
            let offered = request.scopes.clone();
            approvals.push(AnsweredApproval { request: without_facts(request), decision: decision.clone() });
            let scope = match decision {
                ApprovalDecision::Allow { scope } => scope,
                ApprovalDecision::Decline { note } => {
                    let reason = note.filter(|note| !note.trim().is_empty());
                    let reason = reason.unwrap_or_else(|| "the person said no".into());
                    return Err(Refusal::declined(5, "declined", reason));
                }
            };
            (prepared, preview) = self.prepare_again(tool, call, turn, cancel).await?;
            if grants::payload_hash(call.name(), &prepared, &preview) == hash {
                if scope == ApprovalScope::Session && offered.contains(&scope) {
                    self.grants.remember(&turn.session_id, call.name(), prepared.effects.as_slice());
                }
                return Ok(prepared);
            }
            reasons.retain(|reason| reason != CHANGED);
            reasons.push(CHANGED.into());
        }
        Err(Refusal::declined(5, "keeps_changing", "what it would do kept changing while it was being approved"))
    }

    async fn prepare_again(
        &self,
        tool: &dyn ErasedTool,
        call: &ReadCall,
        turn: &TurnScope,
        cancel: &CancellationToken,
    ) -> Result<(Prepared, Preview), Refusal> {
        let prepared = call.prepare(tool, &turn.place)?;
        let stamp = self.stamp(&prepared, call, turn, cancel);
        let preview = match tool.preview(&prepared, &stamp).await {
            Ok(Some(preview)) => preview,
            Ok(None) => grants::preview_of(prepared.effects.as_slice()),
            Err(failure) => return Err(Refusal::failed(5, failure.code, failure.message, failure.hint)),
        };
        Ok((prepared, preview))
    }
}

/// The question as it is kept: a fact that was shown before it was forgotten must not live on there.
fn without_facts(mut request: ApprovalRequest) -> ApprovalRequest {
    if matches!(request.preview, Preview::Facts { .. }) {
        request.preview = Preview::None;
    }
    request
}
