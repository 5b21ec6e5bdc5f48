//! Stop at any point, then say hello: the next request is one that a vendor takes.

use crate::support::{Home, Listener, Model, ends_of, events_of, hanging, open_app, said, send};
use namma_app::App;
use namma_protocol::{ApprovalDecision, ApprovalRequest, ApprovalScope, Delivery, ResolveApproval, TurnEvent};
use namma_testkit::sse_server::{Reply, call, text};
use nix::sys::signal::Signal;
use serde_json::{Value, json};

/// Where a turn can be stopped: what the model did until then, and the event that says so.
fn points() -> Vec<(&'static str, Reply, &'static str)> {
    let begun_call = json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [
        { "index": 0, "id": "a", "type": "function", "function": { "name": "run_shell", "arguments": "{\"comm" } }
    ] } }] });
    // What it prints tells that it runs.
    let shell = call("run_shell", &json!({ "command": "echo begun; sleep 3600" }));
    vec![
        ("before the first word", Reply::open_step([]).then_hang(), "turnStarted"),
        ("after some words", hanging(&["Once upon"]), "textDelta"),
        (
            "in the middle of a call's arguments",
            Reply::open_step([text("I will"), namma_testkit::sse_server::raw(begun_call.to_string())]).then_hang(),
            "textDelta",
        ),
        ("while a tool runs", Reply::step([text("Running."), shell]), "toolCallProgress"),
    ]
}

fn allow(app: &App, request: &ApprovalRequest) {
    let answer = ResolveApproval {
        approval_id: request.approval_id.clone(),
        payload_hash: request.payload_hash.clone(),
        decision: ApprovalDecision::Allow { scope: ApprovalScope::Once },
    };
    app.approval_resolve(answer).unwrap();
}

/// What a vendor would have refused is answered with 400 by the model, so `hello` must succeed.
async fn says_hello(home: &Home, name: &str) -> Value {
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    let ran = home.namma(&["ask", "--session", &id, "hello"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Hello again.\n"), "{name}: {ran:?}");
    home.only_session().await
}

#[tokio::test]
async fn after_ctrl_c_at_any_point_the_chat_goes_on() {
    for (name, reply, event) in points() {
        let model = Model::replies([reply, said("Hello again.")]).await;
        let home = Home::with_model_at(&model.base_url());
        let mut ask = home.start(&["ask", "--json", "--approve", "always", "do something long"]);
        ask.until(event).await;
        model.server.until_requests(1).await;
        ask.signal(Signal::SIGINT);
        let ran = ask.end().await;
        assert_eq!(ran.code(), Some(130), "{name}: {ran:?}");
        assert_eq!(ran.outcome()["type"], "cancelled", "{name}");
        let session = says_hello(&home, name).await;
        assert_eq!(ends_of(&session), ["cancelled", "answered"], "{name}");
        let calls = events_of(&session).iter().filter(|event| event["type"] == "toolCallStarted").count();
        let results = events_of(&session).iter().filter(|event| event["type"] == "toolCallFinished").count();
        assert_eq!(calls, results, "{name}: every call has its result");
    }
}

#[tokio::test]
async fn the_polite_request_of_the_system_to_end_is_a_stop() {
    let model = Model::replies([hanging(&["Once upon"]), said("Hello again.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let mut ask = home.start(&["ask", "--json", "tell me a story"]);
    ask.until("textDelta").await;
    ask.signal(Signal::SIGTERM);
    let ran = ask.end().await;
    assert_eq!((ran.code(), ran.outcome()), (Some(130), json!({ "type": "cancelled", "text": "Once upon" })));
    model.server.until_hung_up(0).await;
    says_hello(&home, "SIGTERM").await;
    let told = model.messages(1);
    assert_eq!(told[1]["role"], "assistant", "{told:?}");
    assert!(told[1]["content"].as_str().unwrap().starts_with("Once upon"), "what had arrived is remembered");
}

#[tokio::test]
async fn stop_in_the_app_at_any_point_closes_the_books() {
    for (name, reply, event) in points() {
        let model = Model::replies([reply, said("Hello again.")]).await;
        let home = Home::with_model_at(&model.base_url());
        let app = open_app(&home).await;
        let mut listener = Listener::new(&app);
        let session = app.turn_send(send(None, "do something long", Delivery::Queue)).await.unwrap().session_id;
        loop {
            let heard = listener.next(&session).await.event;
            if let TurnEvent::ApprovalRequested { request } = &heard {
                allow(&app, request);
            }
            if serde_json::to_value(&heard).unwrap()["type"] == event {
                break;
            }
        }
        model.server.until_requests(1).await;
        app.turn_cancel(&session).await.unwrap();
        let events = listener.until_finished(&session).await;
        let end = events.last().and_then(|event| serde_json::to_value(event).ok()).unwrap();
        assert_eq!(end["outcome"]["type"], "cancelled", "{name}");
        app.turn_send(send(Some(&session), "hello", Delivery::Queue)).await.unwrap();
        let events = listener.until_finished(&session).await;
        assert!(
            matches!(events.last(), Some(TurnEvent::TurnFinished { outcome, .. })
                if *outcome == (namma_protocol::TurnOutcome::Answered { text: "Hello again.".into() })),
            "{name}: {events:?}"
        );
        app.close().await;
    }
}

#[tokio::test]
async fn stop_while_a_question_waits_withdraws_it_and_nothing_runs() {
    let wish = Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))]);
    let model = Model::replies([wish, said("Hello again.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "tidy up", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, |event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
    app.turn_cancel(&session).await.unwrap();
    let events = listener.until_finished(&session).await;
    assert!(events.iter().any(|event| matches!(event, TurnEvent::ApprovalWithdrawn { .. })), "{events:?}");
    app.close().await;
    assert!(home.work("notes.txt").exists());
    assert_eq!(home.audit().await[0]["verdict"], "interrupted");
    says_hello(&home, "waiting question").await;
}
