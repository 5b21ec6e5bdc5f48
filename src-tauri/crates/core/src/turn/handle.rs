use namma_protocol::{Attachment, TurnOutcome};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A message of the person for the turn that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steering {
    pub text: String,
    pub attachments: Vec<Attachment>,
}

/// A running turn. Dropping it cancels the turn, which then answers its open calls, stores what
/// had arrived and ends; it is never aborted in the middle.
pub struct TurnHandle {
    pub(crate) guard: DropGuard,
    pub(crate) token: CancellationToken,
    pub(crate) steering: mpsc::Sender<Steering>,
    pub(crate) task: JoinHandle<TurnOutcome>,
}

impl TurnHandle {
    /// Asks the turn to stop. Model stream, approvals and tools end; the outcome follows.
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// A token whose cancelling stops the turn, for owners that give the handle away.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Where further messages of the person go. Full or closed means: the turn cannot take it.
    pub fn steering(&self) -> mpsc::Sender<Steering> {
        self.steering.clone()
    }

    /// Waits for the end.
    pub async fn outcome(self) -> TurnOutcome {
        let outcome = self.task.await;
        self.guard.disarm();
        outcome.unwrap_or_else(|error| {
            tracing::error!(%error, "a turn ended without an outcome");
            TurnOutcome::Interrupted { text: String::new() }
        })
    }
}
