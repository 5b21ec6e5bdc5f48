//! What may go wrong on the way to the model: a plain error with the next step, the question kept,
//! nothing twice, and no more requests than promised.

use crate::support::{Home, Model, closed_port, ends_of, events_of, questions_of, said};
use namma_testkit::sse_server::{Reply, call, finish, text};
use serde_json::{Value, json};

fn refusal(status: u16, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": { "message": message } }))
}

/// Asks once on a bad day and checks all that must hold on every one of them.
async fn bad_day(name: &str, code: &str, requests: usize, replies: Vec<Reply>) -> (Home, Value) {
    let model = Model::replies(replies).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma(&["ask", "--json", "what now?"]).await;
    let outcome = ran.outcome();
    assert_eq!((ran.code(), outcome["error"]["code"].as_str()), (Some(1), Some(code)), "{name}: {outcome}");
    let (message, hint) = (outcome["error"]["message"].as_str().unwrap(), outcome["error"]["hint"].as_str());
    let hint = hint.unwrap_or_else(|| panic!("{name}: no next step"));
    assert!(ran.stderr.contains(message) && ran.stderr.contains(hint), "{name}: {}", ran.stderr);
    assert_eq!(model.asked(), requests, "{name}: requests");
    let session = home.only_session().await;
    assert_eq!(questions_of(&session), ["what now?"], "{name}: the question is kept, once");
    assert_eq!(ends_of(&session), ["failed"], "{name}");
    (home, session)
}

fn texts(session: &Value) -> Vec<&str> {
    events_of(session)
        .into_iter()
        .filter(|event| event["type"] == "textDelta")
        .filter_map(|event| event["text"].as_str())
        .collect()
}

#[tokio::test]
async fn a_refusal_that_will_not_change_is_told_at_once() {
    let days = [
        ("401", "keyRefused", refusal(401, "Incorrect API key provided")),
        ("402", "noCredit", refusal(402, "Insufficient balance")),
        ("404 model", "modelNotFound", refusal(404, "The model `test-model` does not exist")),
        ("422", "badRequest", refusal(422, "temperature is not allowed")),
        ("too long", "contextTooLong", refusal(400, "This model's maximum context length is 4096 tokens.")),
        ("429 for an hour", "rateLimited", refusal(429, "slow down").header("retry-after", "3600")),
    ];
    for (name, code, reply) in days {
        bad_day(name, code, 1, vec![reply]).await;
    }
}

#[tokio::test]
async fn a_passing_failure_is_tried_again_as_often_as_the_settings_say() {
    let days = [
        ("429", "rateLimited", refusal(429, "slow down").header("retry-after", "0")),
        ("500", "serverFailed", refusal(500, "oops")),
        ("529", "serverFailed", refusal(529, "overloaded")),
        ("cut before the first word", "streamCut", Reply::open_step([]).then_close()),
    ];
    for (name, code, reply) in days {
        bad_day(name, code, 2, vec![reply.clone(), reply]).await;
    }
}

#[tokio::test]
async fn a_request_that_works_the_second_time_is_an_answer() {
    let model = Model::replies([refusal(429, "slow down").header("retry-after", "0"), said("Here I am.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma(&["ask", "hello"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str(), model.asked()), (Some(0), "Here I am.\n", 2), "{ran:?}");
    assert!(ran.stderr.contains("asks us to wait"), "the wait is told: {}", ran.stderr);
}

#[tokio::test]
async fn a_stream_cut_after_words_keeps_them_and_asks_no_second_time() {
    let cut = Reply::open_step([text("The answer begins")]).then_close();
    let (_home, session) = bad_day("cut", "streamCut", 1, vec![cut]).await;
    assert_eq!(texts(&session), ["The answer begins"], "once");
}

#[tokio::test]
async fn an_answer_that_the_filter_broke_off_says_so_and_keeps_its_words() {
    let filtered = Reply::step([text("First you take"), finish("content_filter")]);
    let (_home, session) = bad_day("filtered", "contentFiltered", 1, vec![filtered]).await;
    assert_eq!(texts(&session), ["First you take"]);
}

#[tokio::test]
async fn an_answer_that_ends_without_a_reason_is_not_taken_for_whole() {
    for end in ["", ",\"finish_reason\":null"] {
        let chunk = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"Well\"}}{end}}}]}}\n\n");
        let (_home, session) = bad_day("no reason", "streamCut", 1, vec![Reply::events(chunk.clone())]).await;
        assert_eq!(texts(&session), ["Well"], "{end}");
        // A server that says `[DONE]` has said all it wants to say.
        let model = Model::replies([Reply::events(chunk + "data: [DONE]\n\n")]).await;
        let ran = Home::with_model_at(&model.base_url()).namma(&["ask", "what now?"]).await;
        assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Well\n"), "{ran:?}");
    }
}

#[tokio::test]
async fn nothing_at_the_address_is_told() {
    let home = Home::with_model_at(&closed_port());
    let ran = home.namma(&["ask", "--json", "what now?"]).await;
    let error = &ran.outcome()["error"];
    assert_eq!((ran.code(), error["code"].as_str()), (Some(1), Some("unreachable")), "{ran:?}");
    assert!(error["hint"].as_str().is_some_and(|hint| ran.stderr.contains(hint)), "the next step is told: {ran:?}");
    let retries = ran.events().iter().filter(|line| line["event"]["kind"] == "retrying").count();
    assert_eq!(retries, 1, "as often as the settings say");
    let session = home.only_session().await;
    assert_eq!((questions_of(&session), ends_of(&session)), (vec!["what now?"], vec!["failed"]));
}

#[tokio::test]
async fn garbage_is_told_as_garbage() {
    let days = [
        ("not HTTP", Reply::garbage("\u{1}\u{2}\u{3} what is this")),
        ("not a stream", Reply::body(200, "text/html", "<html>Welcome to the captive portal</html>")),
    ];
    for (name, reply) in days {
        bad_day(name, "malformed", 1, vec![reply]).await;
    }
}

#[tokio::test]
async fn a_token_of_200_megabytes_is_stopped_early() {
    let head = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"";
    let endless = Reply::events(head).then_repeat(vec![b'a'; 256 * 1024], 800);
    let (home, _) = bad_day("endless", "malformed", 1, vec![endless]).await;
    let size = std::fs::metadata(home.database()).unwrap().len();
    assert!(size < 40 * 1024 * 1024, "{size} bytes in the database");
}

#[tokio::test]
async fn a_silent_model_is_given_up() {
    let model = Model::replies([Reply::silence()]).await;
    let home = Home::with_model_at(&model.base_url())
        .setting("NAMMA_PROVIDER__FIRST_TOKEN_TIMEOUT_SECONDS", "1")
        .setting("NAMMA_PROVIDER__MAX_RETRIES", "0");
    let ran = home.namma(&["ask", "--json", "what now?"]).await;
    assert_eq!((ran.code(), ran.outcome()["error"]["code"].as_str()), (Some(1), Some("timedOut")), "{ran:?}");
    model.server.until_hung_up(0).await;
}

#[tokio::test]
async fn the_chat_goes_on_after_every_bad_day() {
    let model = Model::replies([
        refusal(401, "no"),
        Reply::open_step([text("Half an")]).then_close(),
        Reply::garbage("?"),
        said("All is well again."),
    ])
    .await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "first"]).await;
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    for question in ["second", "third"] {
        assert_eq!(home.namma(&["ask", "--session", &id, question]).await.code(), Some(1));
    }
    let ran = home.namma(&["ask", "--session", &id, "fourth"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "All is well again.\n"), "{ran:?}");
    assert_eq!(questions_of(&home.only_session().await), ["first", "second", "third", "fourth"]);
}

#[tokio::test]
async fn a_result_of_two_megabytes_does_not_reach_the_model_whole() {
    let model = Model::replies([
        Reply::step([call("run_shell", &json!({ "command": "head -c 2000000 /dev/zero | tr '\\0' x; echo the-end" }))]),
        said("That was much."),
    ])
    .await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma(&["ask", "--approve", "always", "print much"]).await;
    assert_eq!(ran.stdout, "That was much.\n", "{ran:?}");
    let result = model.messages(1)[2]["content"].as_str().unwrap().to_owned();
    assert!(result.len() <= 66_000 && result.len() > 30_000, "{} bytes", result.len());
    assert!(result.contains("the-end"), "the end is there, the middle is left out");
    let whole = model.server.body(1).to_string().len();
    assert!(whole < 150_000, "{whole} bytes in the request");
}
