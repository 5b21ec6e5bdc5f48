use crate::BoxFuture;
use namma_protocol::{ApprovalDecision, ApprovalRequest};

/// The person, or whoever answers for them.
///
/// Dropping the future withdraws the question. An implementation that cannot ask declines at
/// once: silence means no.
pub trait Approver: Send + Sync + 'static {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision>;

    /// Who answers, for the audit: `desk`, `terminal`, `nobody`.
    fn name(&self) -> &'static str;
}

/// Nobody is there: every question is answered with no, at once.
#[derive(Clone, Copy, Debug)]
pub struct DeclineAll;

impl DeclineAll {
    /// What the model and the person are told.
    pub const REASON: &str = "nobody is here to approve it";
}

impl Approver for DeclineAll {
    fn ask<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async { ApprovalDecision::Decline { note: Some(Self::REASON.into()) } })
    }

    fn name(&self) -> &'static str {
        "nobody"
    }
}
