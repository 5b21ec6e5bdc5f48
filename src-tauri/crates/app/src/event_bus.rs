//! Numbers the events of each session, keeps the latest, and hands them to whoever listens.

use namma_core::ports::TurnEvents;
use namma_core::turn::Steering;
use namma_protocol::{AppEvent, EventsSince, Limit, SessionId, Tag, TurnEnvelope, TurnEvent, TurnId, TurnOutcome};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Events a slow listener may be behind before it is told to ask again.
const LISTENER_BACKLOG: usize = 8192;
/// Events kept per session for a listener that comes back.
const KEPT: usize = 20_000;
/// Sessions without a running turn whose events are kept.
const KEPT_SESSIONS: usize = 32;

/// The bus. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EventBus {
    sessions: Arc<Mutex<HashMap<SessionId, Log>>>,
    out: broadcast::Sender<AppEvent>,
}

#[derive(Default)]
struct Log {
    seq: u32,
    kept: VecDeque<TurnEnvelope>,
    /// The running turn with its deltas joined.
    live: Option<(TurnId, Vec<TurnEvent>)>,
}

/// A running turn as it is now, and the number of its last event.
pub(crate) struct Snapshot {
    pub(crate) live: Option<(TurnId, Vec<TurnEvent>)>,
    pub(crate) last_seq: u32,
}

/// One listener. Events come in order; one that is too slow gets [`AppEvent::Lagged`].
pub struct Subscription(broadcast::Receiver<AppEvent>);

impl Subscription {
    /// The next event, `None` when the program ends.
    pub async fn next(&mut self) -> Option<AppEvent> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(AppEvent::Lagged),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// An event that is already there.
    pub fn try_next(&mut self) -> Option<AppEvent> {
        match self.0.try_recv() {
            Ok(event) => Some(event),
            Err(broadcast::error::TryRecvError::Lagged(_)) => Some(AppEvent::Lagged),
            Err(broadcast::error::TryRecvError::Empty | broadcast::error::TryRecvError::Closed) => None,
        }
    }
}

impl EventBus {
    pub(crate) fn new() -> Self {
        Self { sessions: Arc::default(), out: broadcast::Sender::new(LISTENER_BACKLOG) }
    }

    pub(crate) fn subscribe(&self) -> Subscription {
        Subscription(self.out.subscribe())
    }

    pub(crate) fn data_changed(&self, tags: impl IntoIterator<Item = Tag>) {
        // Nobody listening is fine: whoever comes later reads the data itself.
        let _ = self.out.send(AppEvent::DataChanged { tags: tags.into_iter().collect() });
    }

    /// Where one turn tells what happens.
    pub(crate) fn sink(&self, session_id: SessionId, turn_id: TurnId, watch: TurnWatch) -> Arc<dyn TurnEvents> {
        Arc::new(Sink { bus: self.clone(), session_id, turn_id, watch })
    }

    pub(crate) fn snapshot(&self, session: &SessionId) -> Snapshot {
        let sessions = self.lock();
        let log = sessions.get(session);
        Snapshot { live: log.and_then(|log| log.live.clone()), last_seq: log.map_or(0, |log| log.seq) }
    }

    pub(crate) fn since(&self, session: &SessionId, seq: u32) -> EventsSince {
        let sessions = self.lock();
        let Some(log) = sessions.get(session) else { return EventsSince { events: Vec::new(), reopen: seq > 0 } };
        let first_kept = log.kept.front().map_or(log.seq + 1, |envelope| envelope.seq);
        if seq > log.seq || seq.saturating_add(1) < first_kept {
            return EventsSince { events: Vec::new(), reopen: true };
        }
        let events = log.kept.iter().filter(|envelope| envelope.seq > seq).cloned().collect();
        EventsSince { events, reopen: false }
    }

    fn emit(&self, session_id: &SessionId, turn_id: &TurnId, event: TurnEvent) {
        let mut sessions = self.lock();
        if sessions.get(session_id).is_none_or(|log| log.kept.is_empty())
            && sessions.values().filter(|log| !log.kept.is_empty()).count() >= KEPT_SESSIONS
        {
            // The numbers go on: a listener that comes back is told to read the chat anew.
            sessions.values_mut().filter(|log| log.live.is_none()).for_each(|log| log.kept = VecDeque::new());
        }
        let log = sessions.entry(session_id.clone()).or_default();
        log.seq += 1;
        match &event {
            TurnEvent::TurnStarted { .. } => log.live = Some((turn_id.clone(), vec![event.clone()])),
            TurnEvent::TurnFinished { .. } => log.live = None,
            _ => {
                if let Some((_, events)) = &mut log.live {
                    join(events, &event);
                }
            }
        }
        let envelope = TurnEnvelope { session_id: session_id.clone(), turn_id: turn_id.clone(), seq: log.seq, event };
        if log.kept.len() >= KEPT {
            log.kept.pop_front();
        }
        log.kept.push_back(envelope.clone());
        // Sent under the lock, so that the order on the wire is the order of the numbers.
        let _ = self.out.send(AppEvent::Turn { envelope });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Log>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds an event to a list, joining it with the last one when both are pieces of the same text.
pub(crate) fn join(events: &mut Vec<TurnEvent>, event: &TurnEvent) {
    match (events.last_mut(), event) {
        (Some(TurnEvent::TextDelta { text }), TurnEvent::TextDelta { text: more })
        | (Some(TurnEvent::ThinkingDelta { text }), TurnEvent::ThinkingDelta { text: more }) => text.push_str(more),
        _ => events.push(event.clone()),
    }
}

/// What the program itself notices of a turn's events.
#[derive(Clone, Default)]
pub(crate) struct TurnWatch {
    /// Steering messages that the turn has taken over.
    taken: Arc<Mutex<Vec<Steering>>>,
    /// The turn has said how it ended; whoever hears of it may count on nothing more from it.
    finished: CancellationToken,
    /// It ended in a way after which nothing starts by itself.
    holds_the_queue: Arc<AtomicBool>,
}

impl TurnWatch {
    pub(crate) fn drain_taken(&self) -> Vec<Steering> {
        std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.finished.is_cancelled()
    }

    pub(crate) fn holds_the_queue(&self) -> bool {
        self.holds_the_queue.load(Ordering::Acquire)
    }
}

/// After Stop, and at a limit on spending, nothing starts by itself: what waits is shown and can be
/// sent.
pub(crate) fn holds_the_queue(outcome: &TurnOutcome) -> bool {
    match outcome {
        TurnOutcome::Cancelled { .. } | TurnOutcome::Interrupted { .. } => true,
        TurnOutcome::LimitReached { limit, .. } => *limit == Limit::Spending,
        TurnOutcome::Answered { .. } | TurnOutcome::Failed { .. } => false,
    }
}

struct Sink {
    bus: EventBus,
    session_id: SessionId,
    turn_id: TurnId,
    watch: TurnWatch,
}

impl TurnEvents for Sink {
    fn emit(&self, event: TurnEvent) {
        match &event {
            TurnEvent::UserMessageAdded { text, attachments } => {
                let taken = Steering { text: text.clone(), attachments: attachments.clone() };
                self.watch.taken.lock().unwrap_or_else(PoisonError::into_inner).push(taken);
            }
            TurnEvent::TurnFinished { outcome, .. } => {
                self.watch.holds_the_queue.store(holds_the_queue(outcome), Ordering::Release);
                self.watch.finished.cancel();
            }
            _ => {}
        }
        self.bus.emit(&self.session_id, &self.turn_id, event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_protocol::{Mode, TurnOutcome, UnixMs};

    fn started() -> TurnEvent {
        TurnEvent::TurnStarted {
            user_text: "hi".into(),
            attachments: Vec::new(),
            model: "m".into(),
            mode: Mode::Agent,
            started_at: UnixMs(1),
        }
    }

    fn delta(text: &str) -> TurnEvent {
        TurnEvent::TextDelta { text: text.into() }
    }

    fn bus_with(events: impl IntoIterator<Item = TurnEvent>) -> (EventBus, SessionId) {
        let (bus, session) = (EventBus::new(), SessionId::from("ses_1"));
        let sink = bus.sink(session.clone(), TurnId::from("turn_1"), TurnWatch::default());
        events.into_iter().for_each(|event| sink.emit(event));
        (bus, session)
    }

    #[test]
    fn whoever_comes_back_gets_exactly_what_was_missed() {
        let (bus, session) = bus_with([started(), delta("a"), delta("b"), delta("c")]);
        for seq in 0..=4 {
            let since = bus.since(&session, seq);
            let seqs: Vec<u32> = since.events.iter().map(|envelope| envelope.seq).collect();
            assert_eq!(seqs, (seq + 1..=4).collect::<Vec<_>>());
            assert!(!since.reopen);
        }
        assert!(bus.since(&session, 5).reopen, "numbers of another run of the program");
        assert!(bus.since(&SessionId::from("ses_2"), 3).reopen);
        assert!(!bus.since(&SessionId::from("ses_2"), 0).reopen);
    }

    #[test]
    fn events_too_old_to_be_kept_mean_reopen() {
        let many = (0..KEPT + 10).map(|_| delta("x"));
        let (bus, session) = bus_with(std::iter::once(started()).chain(many));
        assert!(bus.since(&session, 5).reopen);
        assert!(!bus.since(&session, 100).reopen);
    }

    #[test]
    fn a_chat_that_was_let_go_counts_on_from_where_it_was() {
        let (bus, session) = bus_with([started(), delta("a")]);
        let outcome = TurnOutcome::Answered { text: "a".into() };
        let sink = bus.sink(session.clone(), TurnId::from("turn_1"), TurnWatch::default());
        sink.emit(TurnEvent::TurnFinished { outcome, finished_at: UnixMs(2) });
        for number in 0..KEPT_SESSIONS {
            let other = SessionId(format!("ses_other_{number}"));
            bus.sink(other, TurnId::from("turn_x"), TurnWatch::default()).emit(started());
        }
        assert!(bus.since(&session, 2).reopen, "event 3 is no longer there");
        assert!(!bus.since(&session, 3).reopen, "nothing was missed");
        sink.emit(started());
        let since = bus.since(&session, 3);
        assert_eq!((since.events.first().map(|envelope| envelope.seq), since.reopen), (Some(4), false));
    }

    #[test]
    fn the_snapshot_of_a_running_turn_has_its_text_joined_and_ends_with_it() {
        let (bus, session) = bus_with([started(), delta("a"), delta("b")]);
        let snapshot = bus.snapshot(&session);
        assert_eq!(snapshot.last_seq, 3);
        assert_eq!(snapshot.live.map(|(_, events)| events), Some(vec![started(), delta("ab")]));
        let outcome = TurnOutcome::Answered { text: "ab".into() };
        let sink = bus.sink(session.clone(), TurnId::from("turn_1"), TurnWatch::default());
        sink.emit(TurnEvent::TurnFinished { outcome, finished_at: UnixMs(2) });
        assert!(bus.snapshot(&session).live.is_none());
    }

    #[tokio::test]
    async fn a_listener_that_is_too_slow_is_told_so() {
        let bus = EventBus::new();
        let mut slow = bus.subscribe();
        let sink = bus.sink(SessionId::from("ses_1"), TurnId::from("turn_1"), TurnWatch::default());
        (0..LISTENER_BACKLOG + 1).for_each(|_| sink.emit(delta("x")));
        assert_eq!(slow.next().await, Some(AppEvent::Lagged));
    }
}
