//! `namma chat` without a terminal: the same lines from a pipe.

use crate::support::{Home, Model, questions_of, said};

#[tokio::test]
async fn lines_become_turns_of_one_chat() {
    let model = Model::replies([said("one"), said("two")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma_reading("first\n\nsecond\n", &["chat"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "one\ntwo\n"), "{ran:?}");
    assert_eq!(questions_of(&home.only_session().await), ["first", "second"]);
    assert_eq!(model.messages(1).len(), 3, "the second request holds the first turn");
}

#[tokio::test]
async fn commands_start_anew_change_the_mode_and_leave() {
    let model = Model::replies([said("one"), said("two"), said("never")]).await;
    let home = Home::with_model_at(&model.base_url());
    let script = "first\n/new\n/mode chat\n/model other\nsecond\n/nonsense\n/quit\nthird\n";
    let ran = home.namma_reading(script, &["chat"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str(), model.asked()), (Some(0), "one\ntwo\n", 2), "{ran:?}");
    assert_eq!(model.messages(1).len(), 1, "a chat of its own");
    let second = model.server.body(1);
    assert_eq!((second["model"].as_str(), second.get("tools")), (Some("other"), None));
    assert!(ran.stderr.contains("there is no command /nonsense"), "{}", ran.stderr);
    let list = home.namma(&["sessions", "list", "--json"]).await.json();
    assert_eq!(list.as_array().map(Vec::len), Some(2), "{list}");
}

#[tokio::test]
async fn a_failure_is_told_and_the_talk_goes_on() {
    let refused = namma_testkit::sse_server::Reply::json(401, &serde_json::json!({ "error": { "message": "no" } }));
    let model = Model::replies([refused, said("two")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma_reading("first\nsecond\n", &["chat"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "two\n"), "{ran:?}");
    assert!(ran.stderr.contains("refused the key"), "{}", ran.stderr);
    assert_eq!(questions_of(&home.only_session().await), ["first", "second"]);
}
