use super::{Home, in_time};
use namma_app::{App, AppOptions, Subscription, SystemClock, Who};
use namma_config::{MemoryVault, Paths};
use namma_core::ports::Clock;
use namma_protocol::{AppEvent, Delivery, Mode, SendMessage, SessionId, TurnEnvelope, TurnEvent};
use std::sync::Arc;

/// The app of a home, with the desk as approver.
pub(crate) async fn open_app(home: &Home) -> App {
    open_app_at(home, Arc::new(SystemClock)).await
}

/// The same with another clock.
pub(crate) async fn open_app_at(home: &Home, clock: Arc<dyn Clock>) -> App {
    open_app_with(home, |options| options.clock = clock).await
}

/// The same with whatever a test changes.
pub(crate) async fn open_app_with(home: &Home, change: impl FnOnce(&mut AppOptions)) -> App {
    let environment = home.environment();
    let paths = Paths::find(&environment).unwrap();
    let mut options = AppOptions::new(paths, environment, home.work(""), super::program::namma(), Who::Desk);
    options.vault = Some(Arc::new(MemoryVault::default()));
    change(&mut options);
    App::open(options).await.unwrap()
}

/// A message in agent mode.
pub(crate) fn send(session_id: Option<&SessionId>, text: &str, delivery: Delivery) -> SendMessage {
    SendMessage {
        session_id: session_id.cloned(),
        text: text.into(),
        attachments: Vec::new(),
        mode: Mode::Agent,
        model: None,
        think: None,
        allow_spending: false,
        delivery,
    }
}

/// Hears the events of one session, in order and without a gap.
pub(crate) struct Listener {
    app: App,
    subscription: Subscription,
    pub(crate) last_seq: u32,
}

impl Listener {
    /// From now on.
    pub(crate) fn new(app: &App) -> Self {
        Self { app: app.clone(), subscription: app.subscribe(), last_seq: 0 }
    }

    /// As a window that comes back: subscribes, asks for what it missed, and goes on from there.
    pub(crate) fn back(app: &App, session: &SessionId, last_seq: u32) -> (Self, Vec<TurnEnvelope>) {
        let subscription = app.subscribe();
        let missed = app.turn_events_since(session, last_seq);
        assert!(!missed.reopen, "what was missed is still there");
        let last_seq = missed.events.last().map_or(last_seq, |envelope| envelope.seq);
        (Self { app: app.clone(), subscription, last_seq }, missed.events)
    }

    /// The next event of that session that was not heard yet.
    pub(crate) async fn next(&mut self, session: &SessionId) -> TurnEnvelope {
        loop {
            match in_time("an event", self.subscription.next()).await.expect("the app lives") {
                AppEvent::Turn { envelope } if envelope.session_id == *session && envelope.seq > self.last_seq => {
                    assert_eq!(envelope.seq, self.last_seq + 1, "no gap");
                    self.last_seq = envelope.seq;
                    return envelope;
                }
                AppEvent::Lagged => panic!("too slow for {:?}", self.app.settings_get().data_dir),
                _ => {}
            }
        }
    }

    /// Hears until an event fits, and gives all of them.
    pub(crate) async fn until(&mut self, session: &SessionId, fits: impl Fn(&TurnEvent) -> bool) -> Vec<TurnEvent> {
        let mut heard = Vec::new();
        loop {
            let event = self.next(session).await.event;
            let done = fits(&event);
            heard.push(event);
            if done {
                return heard;
            }
        }
    }

    /// Hears until the turn is over.
    pub(crate) async fn until_finished(&mut self, session: &SessionId) -> Vec<TurnEvent> {
        self.until(session, |event| matches!(event, TurnEvent::TurnFinished { .. })).await
    }
}
