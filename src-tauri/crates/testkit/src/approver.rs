//! People who answer as the test says.

use namma_core::BoxFuture;
use namma_core::ports::Approver;
use namma_protocol::{ApprovalDecision, ApprovalRequest, ApprovalScope};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Gives its answers in order; when they are used up it declines. Keeps every question.
pub struct ScriptedApprover {
    answers: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<ApprovalRequest>>,
}

enum Answer {
    Say(ApprovalDecision),
    Act(Box<dyn FnOnce(&ApprovalRequest) -> ApprovalDecision + Send>),
    Never,
}

impl ScriptedApprover {
    fn of(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self { answers: Mutex::new(answers.into_iter().collect()), asked: Mutex::default() }
    }

    /// Says no, with this note.
    pub fn declines(note: Option<&str>) -> Self {
        Self::of([Answer::Say(ApprovalDecision::Decline { note: note.map(Into::into) })])
    }

    /// Allows once, as many times as told.
    pub fn allows_once(times: usize) -> Self {
        Self::of((0..times).map(|_| Answer::Say(ApprovalDecision::Allow { scope: ApprovalScope::Once })))
    }

    /// Allows the first question for the whole session.
    pub fn allows_for_session() -> Self {
        Self::of([Answer::Say(ApprovalDecision::Allow { scope: ApprovalScope::Session })])
    }

    /// Looks at the question and answers; then declines.
    pub fn acts(act: impl FnOnce(&ApprovalRequest) -> ApprovalDecision + Send + 'static) -> Self {
        Self::of([Answer::Act(Box::new(act))])
    }

    /// Sits there and says nothing.
    pub fn never_answers() -> Self {
        Self::of([Answer::Never])
    }

    /// Adds an "allow once" after what is there.
    #[must_use]
    pub fn then_allows_once(self) -> Self {
        let answer = Answer::Say(ApprovalDecision::Allow { scope: ApprovalScope::Once });
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push_back(answer);
        self
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<ApprovalRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Approver for ScriptedApprover {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let answer = self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            match answer {
                Some(Answer::Say(decision)) => decision,
                Some(Answer::Act(act)) => act(request),
                Some(Answer::Never) => std::future::pending().await,
                None => ApprovalDecision::Decline { note: None },
            }
        })
    }

    fn name(&self) -> &'static str {
        "script"
    }
}
