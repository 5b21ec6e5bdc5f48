//! The program dies without a word: what was said to be stored is there, and the chat goes on.

use crate::support::{Home, Model, ends_of, events_of, hanging, said};
use namma_testkit::sse_server::{Reply, call, text};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::time::Duration;

/// `ask` is killed as soon as the event came, then the chat is opened, and gone on with.
async fn killed_at(reply: Reply, fits: impl Fn(&Value) -> bool) -> Value {
    let model = Model::replies([reply, said("Hello again.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let mut ask = home.start(&["ask", "--json", "--approve", "always", "an important question"]);
    ask.until_event(fits).await;
    model.server.until_requests(1).await;
    ask.signal(Signal::SIGKILL);
    assert_eq!(ask.end().await.code(), None, "killed");
    let session = home.only_session().await;
    assert_eq!(ends_of(&session), ["interrupted"]);
    let id = session["session"]["sessionId"].as_str().unwrap();
    let ran = home.namma(&["ask", "--session", id, "hello"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Hello again.\n"), "{ran:?}");
    let after = home.only_session().await;
    assert_eq!(ends_of(&after), ["interrupted", "answered"]);
    session
}

fn text_of(session: &Value) -> String {
    events_of(session)
        .iter()
        .filter(|event| event["type"] == "textDelta")
        .filter_map(|event| event["text"].as_str())
        .collect()
}

#[tokio::test]
async fn killed_before_the_first_word_the_question_is_there() {
    let session = killed_at(Reply::open_step([]).then_hang(), |event| event["type"] == "turnStarted").await;
    assert_eq!(events_of(&session)[0]["userText"], "an important question");
    assert_eq!(text_of(&session), "");
}

#[tokio::test]
async fn killed_in_the_middle_the_words_before_the_last_half_second_are_there() {
    let more = json!({ "choices": [{ "index": 0, "delta": { "content": " a time" } }] });
    // The pause is longer than words may go unkept; the words after it say that it is over.
    let reply = Reply::open_step([text("Once upon")])
        .wait(Duration::from_millis(1200))
        .then(format!("data: {more}\n\n"))
        .then_hang();
    let session = killed_at(reply, |event| event["text"] == " a time").await;
    assert!(text_of(&session).starts_with("Once upon"), "{session}");
}

#[tokio::test]
async fn killed_after_words_that_were_never_kept_nothing_is_half() {
    let session = killed_at(hanging(&["Once upon"]), |event| event["type"] == "textDelta").await;
    assert!(["", "Once upon"].contains(&text_of(&session).as_str()), "{session}");
}

#[tokio::test]
async fn killed_while_a_tool_runs_its_call_is_answered_once() {
    let running = Reply::step([text("Running."), call("run_shell", &json!({ "command": "echo begun; sleep 3600" }))]);
    let session = killed_at(running, |event| event["type"] == "toolCallProgress").await;
    let answered: Vec<&Value> =
        events_of(&session).into_iter().filter(|event| event["type"] == "toolCallFinished").collect();
    assert_eq!(answered.len(), 1, "{session}");
    assert_eq!(answered[0]["outcome"]["type"], "interrupted");
    assert_eq!(text_of(&session), "Running.");
}

#[tokio::test]
async fn whoever_opens_next_is_told_of_the_interrupted_turn() {
    let model = Model::replies([hanging(&["Once upon"])]).await;
    let home = Home::with_model_at(&model.base_url());
    let mut ask = home.start(&["ask", "--json", "an important question"]);
    ask.until("textDelta").await;
    ask.signal(Signal::SIGKILL);
    ask.end().await;
    let list = home.namma(&["sessions", "list"]).await;
    assert!(list.stderr.contains("1 turn") && list.stderr.contains("interrupted"), "{list:?}");
    assert_eq!(home.namma(&["sessions", "list"]).await.stderr, "", "and only once");
}
