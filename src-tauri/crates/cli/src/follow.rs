use namma_app::{App, Subscription};
use namma_protocol::{AppEvent, SessionId, TurnEnvelope, TurnEvent, TurnId};
use std::collections::VecDeque;

/// The events of one turn, in order and without a gap, until it is finished.
pub(crate) struct Follower {
    app: App,
    subscription: Subscription,
    session: SessionId,
    turn: TurnId,
    /// The last event of the session that was seen.
    last_seq: u32,
    fetched: VecDeque<TurnEnvelope>,
    finished: bool,
}

impl Follower {
    /// `subscription` must be older than the turn.
    pub(crate) fn new(app: App, subscription: Subscription, session: SessionId, turn: TurnId) -> Self {
        Self { app, subscription, session, turn, last_seq: 0, fetched: VecDeque::new(), finished: false }
    }

    /// The next event; `None` after the last one.
    pub(crate) async fn next(&mut self) -> Option<TurnEnvelope> {
        while !self.finished {
            let envelope = match self.fetched.pop_front() {
                Some(envelope) => envelope,
                None => match self.subscription.next().await? {
                    AppEvent::Turn { envelope } => envelope,
                    AppEvent::DataChanged { .. } | AppEvent::QuitAsked { .. } => continue,
                    AppEvent::Lagged => {
                        // More came than the channel holds; the bus has kept it.
                        self.fetched = self.app.turn_events_since(&self.session, self.last_seq).events.into();
                        continue;
                    }
                },
            };
            if envelope.session_id != self.session || envelope.seq <= self.last_seq {
                continue;
            }
            self.last_seq = envelope.seq;
            if envelope.turn_id == self.turn {
                self.finished = matches!(envelope.event, TurnEvent::TurnFinished { .. });
                return Some(envelope);
            }
        }
        None
    }
}
