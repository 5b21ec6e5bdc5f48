use super::*;
use crate::builder::{AppOptions, Who};
use namma_config::{Environment, MemoryVault, Paths};
use namma_core::ports::DeclineAll;
use namma_protocol::{TurnEvent, TurnOutcome, UnixMs};
use std::path::Path;
use std::sync::Arc;

async fn app_in(home: &Path) -> App {
    let environment = Environment::given([("NAMMA_HOME", home.display().to_string())]);
    let paths = Paths::find(&environment).unwrap();
    let who = Who::Other(Arc::new(DeclineAll));
    let mut options = AppOptions::new(paths, environment, home.to_owned(), "namma".into(), who);
    options.vault = Some(Arc::new(MemoryVault::new()));
    App::open(options).await.unwrap()
}

#[tokio::test]
async fn a_message_sent_while_a_finished_turn_is_being_put_away_starts_a_turn() {
    let home = tempfile::tempdir().unwrap();
    let app = app_in(home.path()).await;
    let (session, watch, ended) = (SessionId::fresh(), TurnWatch::default(), CancellationToken::new());
    let (steering, _inbox) = mpsc::channel(1);
    let running = Running {
        turn_id: TurnId::fresh(),
        token: CancellationToken::new(),
        steering,
        watch: watch.clone(),
        ended: ended.clone(),
    };
    // The turn has told its end, and is still in the list.
    let sink = app.inner.bus.sink(session.clone(), running.turn_id.clone(), watch);
    let outcome = TurnOutcome::Cancelled { text: String::new() };
    sink.emit(TurnEvent::TurnFinished { outcome, finished_at: UnixMs(1) });
    app.inner.running.lock().insert(session.clone(), running);

    let message = SendMessage {
        session_id: Some(session.clone()),
        text: "hello".into(),
        attachments: Vec::new(),
        mode: Mode::Agent,
        model: None,
        think: None,
        allow_spending: false,
        delivery: Delivery::Queue,
    };
    let putting_away = async {
        tokio::task::yield_now().await;
        app.inner.running.lock().remove(&session);
        ended.cancel();
    };
    let (receipt, ()) = tokio::join!(app.turn_send(message), putting_away);
    let receipt = receipt.unwrap();
    assert!(receipt.turn_id.is_some() && receipt.queued_id.is_none(), "{receipt:?}");
    app.close().await;
}
