//! Keeps what a turn told.

use namma_core::ports::TurnEvents;
use namma_protocol::TurnEvent;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// Records every event in order.
pub struct RecordingEvents {
    events: Mutex<Vec<TurnEvent>>,
    count: watch::Sender<usize>,
}

impl Default for RecordingEvents {
    fn default() -> Self {
        Self { events: Mutex::default(), count: watch::Sender::new(0) }
    }
}

impl RecordingEvents {
    pub fn all(&self) -> Vec<TurnEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until an event fits.
    pub async fn wait_for(&self, fits: impl Fn(&TurnEvent) -> bool) -> TurnEvent {
        let mut count = self.count.subscribe();
        loop {
            if let Some(found) = self.all().into_iter().find(|event| fits(event)) {
                return found;
            }
            if count.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl TurnEvents for RecordingEvents {
    fn emit(&self, event: TurnEvent) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.count.send_modify(|count| *count += 1);
    }
}
