//! Questions that wait for the person in front of the window.

use namma_core::BoxFuture;
use namma_core::ports::Approver;
use namma_protocol::{
    ApiError, ApprovalDecision, ApprovalId, ApprovalRequest, ErrorCode, ResolveApproval, SessionId, Tag,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

use crate::event_bus::EventBus;

/// The desk. A question waits as long as its turn does: there is no time-out that says yes, and
/// none that says no while the person may still be reading.
#[derive(Clone)]
pub(crate) struct ApprovalDesk {
    open: Arc<Mutex<HashMap<ApprovalId, Open>>>,
    bus: EventBus,
}

struct Open {
    session_id: SessionId,
    request: ApprovalRequest,
    answer: oneshot::Sender<ApprovalDecision>,
}

impl ApprovalDesk {
    pub(crate) fn new(bus: EventBus) -> Self {
        Self { open: Arc::default(), bus }
    }

    /// Sessions in which a question waits.
    pub(crate) fn waiting(&self) -> Vec<SessionId> {
        self.lock().values().map(|open| open.session_id.clone()).collect()
    }

    /// The person's answer. It counts only for exactly what they saw.
    pub(crate) fn resolve(&self, answer: ResolveApproval) -> Result<(), ApiError> {
        let mut open = self.lock();
        let Some(found) = open.get(&answer.approval_id) else {
            return Err(ApiError::new(ErrorCode::NotFound, "this question no longer stands")
                .hint("It was answered or withdrawn; look at the chat."));
        };
        if found.request.payload_hash != answer.payload_hash {
            return Err(ApiError::new(ErrorCode::ApprovalChanged, "the action changed since it was shown")
                .hint("Look at it again and answer anew."));
        }
        if let ApprovalDecision::Allow { scope } = answer.decision
            && !found.request.scopes.contains(&scope)
        {
            return Err(
                ApiError::new(ErrorCode::InvalidInput, "this action cannot be allowed that far").hint("Allow it once.")
            );
        }
        if let Some(found) = open.remove(&answer.approval_id) {
            // The turn may have ended in this very moment; then nothing runs, which is right.
            let _ = found.answer.send(answer.decision);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ApprovalId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for ApprovalDesk {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision> {
        let (answer, answered) = oneshot::channel();
        let session_id = request.session_id.clone();
        self.lock().insert(request.approval_id.clone(), Open { session_id, request: request.clone(), answer });
        self.bus.data_changed([Tag::Sessions]);
        let withdrawn = Withdraw { desk: self.clone(), approval_id: request.approval_id.clone() };
        Box::pin(async move {
            let decision = answered.await.unwrap_or(ApprovalDecision::Decline { note: None });
            drop(withdrawn);
            decision
        })
    }

    fn name(&self) -> &'static str {
        "desk"
    }
}

/// Takes the question off the desk, answered or not.
struct Withdraw {
    desk: ApprovalDesk,
    approval_id: ApprovalId,
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        self.desk.lock().remove(&self.approval_id);
        self.desk.bus.data_changed([Tag::Sessions]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_protocol::{ApprovalScope, Preview, ToolCallId, UnixMs};

    fn request(scopes: &[ApprovalScope]) -> ApprovalRequest {
        ApprovalRequest {
            approval_id: ApprovalId::from("apr_1"),
            session_id: SessionId::from("ses_1"),
            call_id: ToolCallId::from("call_1"),
            tool: "run_shell".into(),
            sentence: "Run a command".into(),
            reasons: vec![],
            effects: vec![],
            preview: Preview::None,
            input: serde_json::json!({}),
            payload_hash: "abc".into(),
            undo: None,
            scopes: scopes.to_vec(),
            sandbox: None,
            asked_at: UnixMs(1),
        }
    }

    fn answer(hash: &str, scope: ApprovalScope) -> ResolveApproval {
        ResolveApproval {
            approval_id: ApprovalId::from("apr_1"),
            payload_hash: hash.into(),
            decision: ApprovalDecision::Allow { scope },
        }
    }

    #[tokio::test]
    async fn an_answer_counts_once_and_only_for_what_was_shown() {
        let desk = ApprovalDesk::new(EventBus::new());
        let request = request(&[ApprovalScope::Once]);
        let asking = desk.ask(&request);
        assert_eq!(desk.waiting(), [SessionId::from("ses_1")]);
        let code = |result: Result<(), ApiError>| result.map_err(|error| error.code);
        assert_eq!(code(desk.resolve(answer("abd", ApprovalScope::Once))), Err(ErrorCode::ApprovalChanged));
        assert_eq!(code(desk.resolve(answer("abc", ApprovalScope::Session))), Err(ErrorCode::InvalidInput));
        assert_eq!(code(desk.resolve(answer("abc", ApprovalScope::Once))), Ok(()));
        assert_eq!(code(desk.resolve(answer("abc", ApprovalScope::Once))), Err(ErrorCode::NotFound), "single use");
        assert_eq!(asking.await, ApprovalDecision::Allow { scope: ApprovalScope::Once });
    }

    #[tokio::test]
    async fn a_withdrawn_question_cannot_be_answered() {
        let desk = ApprovalDesk::new(EventBus::new());
        let request = request(&[ApprovalScope::Once]);
        drop(desk.ask(&request));
        assert!(desk.waiting().is_empty());
        let late = desk.resolve(answer("abc", ApprovalScope::Once));
        assert_eq!(late.map_err(|error| error.code), Err(ErrorCode::NotFound));
    }
}
