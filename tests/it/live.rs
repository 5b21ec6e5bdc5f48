//! The app while turns run: waiting and joining messages, coming back, opening, deleting, clocks.

use crate::support::{Home, Listener, Model, hanging, open_app, open_app_at, said, send};
use namma_app::App;
use namma_protocol::{
    ApprovalDecision, ApprovalRequest, Delivery, OpenSession, ResolveApproval, SessionId, TurnEvent, TurnOutcome,
    UnixMs,
};
use namma_testkit::ManualClock;
use namma_testkit::sse_server::{Reply, call, text};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A turn that waits at a question until the test answers it.
async fn waiting_turn(app: &App, listener: &mut Listener) -> (SessionId, ApprovalRequest) {
    let session = app.turn_send(send(None, "first", Delivery::Queue)).await.unwrap().session_id;
    let events = listener.until(&session, |event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
    match events.into_iter().next_back() {
        Some(TurnEvent::ApprovalRequested { request }) => (session, request),
        other => panic!("{other:?}"),
    }
}

fn decline(app: &App, request: &ApprovalRequest) {
    let answer = ResolveApproval {
        approval_id: request.approval_id.clone(),
        payload_hash: request.payload_hash.clone(),
        decision: ApprovalDecision::Decline { note: None },
    };
    app.approval_resolve(answer).unwrap();
}

fn asking() -> Reply {
    Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))])
}

fn answered(text: &str) -> TurnOutcome {
    TurnOutcome::Answered { text: text.into() }
}

fn outcome(events: &[TurnEvent]) -> TurnOutcome {
    match events.last() {
        Some(TurnEvent::TurnFinished { outcome, .. }) => outcome.clone(),
        other => panic!("not finished: {other:?}"),
    }
}

fn home_with_notes(model: &Model) -> Home {
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    home
}

#[tokio::test]
async fn a_message_sent_meanwhile_waits_and_starts_by_itself() {
    let model = Model::replies([asking(), said("one"), said("two")]).await;
    let home = home_with_notes(&model);
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let (session, request) = waiting_turn(&app, &mut listener).await;
    let receipt = app.turn_send(send(Some(&session), "second", Delivery::Queue)).await.unwrap();
    assert!(receipt.turn_id.is_none() && receipt.queued_id.is_some(), "{receipt:?}");
    let view = app.session_open(OpenSession { session_id: session.clone(), before: None, limit: 10 }).await.unwrap();
    assert_eq!(view.queue.iter().map(|queued| queued.text.as_str()).collect::<Vec<_>>(), ["second"]);
    decline(&app, &request);
    assert_eq!(outcome(&listener.until_finished(&session).await), answered("one"));
    assert_eq!(outcome(&listener.until_finished(&session).await), answered("two"));
    assert_eq!(model.messages(2).last().map(|message| message["content"].clone()), Some(json!("second")));
    let view = app.session_open(OpenSession { session_id: session, before: None, limit: 10 }).await.unwrap();
    assert_eq!((view.queue.len(), view.turns.len()), (0, 2));
    app.close().await;
}

#[tokio::test]
async fn a_message_that_steers_is_read_in_the_running_turn_and_only_there() {
    let model = Model::replies([asking(), said("As you wish.")]).await;
    let home = home_with_notes(&model);
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let (session, request) = waiting_turn(&app, &mut listener).await;
    let receipt = app.turn_send(send(Some(&session), "rather not", Delivery::Steer)).await.unwrap();
    assert!(receipt.turn_id.is_some() && receipt.queued_id.is_none(), "{receipt:?}");
    decline(&app, &request);
    let events = listener.until_finished(&session).await;
    assert_eq!(outcome(&events), answered("As you wish."));
    assert!(
        events.contains(&TurnEvent::UserMessageAdded { text: "rather not".into(), attachments: Vec::new() }),
        "{events:?}"
    );
    assert_eq!(model.messages(1).last().map(|message| message["content"].clone()), Some(json!("rather not")));
    app.turn_cancel(&session).await.unwrap();
    app.close().await;
    assert_eq!(model.asked(), 2, "it did not become a turn of its own as well");
    let view = home.only_session().await;
    assert_eq!(view["queue"], json!([]), "{view}");
}

#[tokio::test]
async fn whoever_comes_back_at_any_event_misses_nothing_and_sees_nothing_twice() {
    let turn = || {
        [
            Reply::step([text("Let me "), text("look."), call("list_dir", &json!({ "path": "." }))]),
            Reply::step((0..12).map(|number| text(format!("word{number} ")))),
        ]
    };
    let mut whole: Option<Vec<serde_json::Value>> = None;
    let mut cut = 0;
    loop {
        let model = Model::replies(turn()).await;
        let home = Home::with_model_at(&model.base_url());
        let app = open_app(&home).await;
        let mut listener = Listener::new(&app);
        let session = app.turn_send(send(None, "what is here?", Delivery::Queue)).await.unwrap().session_id;
        let mut seen = Vec::new();
        for _ in 0..cut {
            seen.push(listener.next(&session).await);
        }
        let last_seq = listener.last_seq;
        drop(listener);
        let (mut listener, missed) = Listener::back(&app, &session, last_seq);
        seen.extend(missed);
        while !matches!(seen.last().map(|envelope| &envelope.event), Some(TurnEvent::TurnFinished { .. })) {
            seen.push(listener.next(&session).await);
        }
        app.close().await;
        let seqs: Vec<u32> = seen.iter().map(|envelope| envelope.seq).collect();
        assert_eq!(seqs, (1..=seen.len() as u32).collect::<Vec<_>>(), "cut at {cut}");
        let told: Vec<serde_json::Value> = seen.iter().map(|envelope| comparable(&envelope.event)).collect();
        let whole = whole.get_or_insert_with(|| told.clone());
        assert_eq!(told, *whole, "cut at {cut}");
        cut += 1;
        if cut > whole.len() {
            break;
        }
    }
    assert!(cut > 15, "every event was a place to cut: {cut}");
}

/// An event without what differs from run to run: ids, times and temporary folders.
fn comparable(event: &TurnEvent) -> serde_json::Value {
    let mut value = serde_json::to_value(event).unwrap();
    for key in ["startedAt", "finishedAt", "callId", "durationMs"] {
        if let Some(field) = value.get_mut(key) {
            *field = json!(null);
        }
    }
    if let Some(content) = value.get_mut("outcome").and_then(|outcome| outcome.get_mut("content")) {
        *content = json!(null);
    }
    if let Some(call) = value.get_mut("call") {
        call["id"] = json!(null);
    }
    value
}

#[tokio::test]
async fn a_session_opened_while_its_turn_runs_shows_it_as_far_as_it_got() {
    let model = Model::replies([hanging(&["Once ", "upon"])]).await;
    let home = Home::with_model_at(&model.base_url());
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "tell me", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, |event| *event == TurnEvent::TextDelta { text: "upon".into() }).await;
    let open = OpenSession { session_id: session.clone(), before: None, limit: 10 };
    let view = app.session_open(open.clone()).await.unwrap();
    assert_eq!(view.last_seq, listener.last_seq);
    assert!(view.session.running, "{:?}", view.session);
    assert_eq!(view.turns.len(), 1);
    assert_eq!(view.turns[0].events.last(), Some(&TurnEvent::TextDelta { text: "Once upon".into() }));
    app.turn_cancel(&session).await.unwrap();
    let rest = app.turn_events_since(&session, view.last_seq);
    let ends = rest.events.iter().filter(|one| matches!(one.event, TurnEvent::TurnFinished { .. })).count();
    assert_eq!((rest.reopen, ends), (false, 1));
    let view = app.session_open(open).await.unwrap();
    assert!(!view.session.running);
    assert_eq!(outcome(&view.turns[0].events), TurnOutcome::Cancelled { text: "Once upon".into() });
    app.close().await;
}

#[tokio::test]
async fn deleting_a_session_stops_its_turn_and_can_be_undone() {
    let model = Model::replies([hanging(&["Once"])]).await;
    let home = Home::with_model_at(&model.base_url());
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "tell me", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, |event| matches!(event, TurnEvent::TextDelta { .. })).await;
    app.session_delete(&session).await.unwrap();
    model.server.until_hung_up(0).await;
    assert_eq!(app.session_list().await.unwrap(), []);
    app.session_restore(&session).await.unwrap();
    let view = app.session_open(OpenSession { session_id: session, before: None, limit: 10 }).await.unwrap();
    assert_eq!(outcome(&view.turns[0].events), TurnOutcome::Cancelled { text: "Once".into() });
    app.close().await;
}

#[tokio::test]
async fn a_clock_that_jumps_changes_no_order_and_breaks_nothing() {
    let model = Model::replies([
        said("one"),
        Reply::step([call("list_dir", &json!({ "path": "." }))]),
        said("two"),
        said("three"),
    ])
    .await;
    let home = Home::with_model_at(&model.base_url());
    let clock = Arc::new(ManualClock::at(UnixMs(1_893_456_000_000)));
    let app = open_app_at(&home, clock.clone()).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "first", Delivery::Queue)).await.unwrap().session_id;
    assert_eq!(outcome(&listener.until_finished(&session).await), answered("one"));
    clock.set(UnixMs(946_684_800_000));
    app.turn_send(send(Some(&session), "second", Delivery::Queue)).await.unwrap();
    assert_eq!(outcome(&listener.until_finished(&session).await), answered("two"));
    clock.advance(Duration::from_secs(60 * 60 * 24 * 365 * 40));
    app.turn_send(send(Some(&session), "third", Delivery::Queue)).await.unwrap();
    assert_eq!(outcome(&listener.until_finished(&session).await), answered("three"));
    app.close().await;
    let session = home.only_session().await;
    assert_eq!(crate::support::questions_of(&session), ["first", "second", "third"]);
    let contents: Vec<String> = model.messages(3).iter().map(|message| message["role"].to_string()).collect();
    assert_eq!(contents.len(), 7, "the last request holds it all in order: {contents:?}");
}

#[tokio::test]
async fn of_several_waiting_messages_the_one_that_was_chosen_is_sent() {
    let model = Model::replies([hanging(&["Half"]), said("As you wish.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "first", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, |event| matches!(event, TurnEvent::TextDelta { .. })).await;
    app.turn_send(send(Some(&session), "second", Delivery::Queue)).await.unwrap();
    let third = app.turn_send(send(Some(&session), "third", Delivery::Queue)).await.unwrap().queued_id.unwrap();
    app.turn_cancel(&session).await.unwrap();
    listener.until_finished(&session).await;
    assert_eq!(model.asked(), 1, "after Stop nothing starts by itself");
    app.queue_send_now(&session, &third).await.unwrap();
    let events = listener.until(&session, |event| matches!(event, TurnEvent::TurnStarted { .. })).await;
    assert!(
        matches!(events.last(), Some(TurnEvent::TurnStarted { user_text, .. }) if user_text == "third"),
        "{events:?}"
    );
    app.queue_send_now(&session, &third).await.unwrap_err();
    app.close().await;
}

#[tokio::test]
async fn messages_sent_at_the_same_time_into_one_session_are_all_kept() {
    let model = Model::replies((0..8).map(|number| said(&format!("answer {number}")))).await;
    let home = Home::with_model_at(&model.base_url());
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = SessionId::fresh();
    let texts: Vec<String> = (0..8).map(|number| format!("question {number}")).collect();
    let sent = texts.iter().map(|text| app.turn_send(send(Some(&session), text, Delivery::Queue)));
    for receipt in futures_util::future::join_all(sent).await {
        receipt.unwrap();
    }
    for _ in 0..8 {
        listener.until_finished(&session).await;
    }
    let view = app.session_open(OpenSession { session_id: session, before: None, limit: 20 }).await.unwrap();
    let mut asked: Vec<String> = view
        .turns
        .iter()
        .filter_map(|turn| match turn.events.first() {
            Some(TurnEvent::TurnStarted { user_text, .. }) => Some(user_text.clone()),
            _ => None,
        })
        .collect();
    asked.sort();
    assert_eq!((asked, view.queue.len()), (texts, 0));
    app.close().await;
}
