//! A fresh install: no model, and simple requests through the real loop and gate all the same.

use crate::support::{Home, Listener, Model, Ran, events_of, open_app_at, said, send};
use namma_protocol::{ApprovalDecision, Delivery, ResolveApproval, TurnEvent, TurnOutcome, UnixMs};
use namma_testkit::ManualClock;
use serde_json::Value;
use std::sync::Arc;

/// A home without a model, with a few files to work on.
fn home() -> Home {
    let home = Home::bare();
    std::fs::create_dir_all(home.work("films")).unwrap();
    std::fs::write(home.work("films/long.mp4"), vec![0; 90_000]).unwrap();
    std::fs::write(home.work("notes.txt"), "# Plan\n\nWe move in May. Bring boxes.\n").unwrap();
    std::fs::write(home.work("two words.txt"), "keep me").unwrap();
    home
}

/// Asks as somebody who allows everything.
async fn ask(home: &Home, words: &str) -> Ran {
    let ran = home.namma(&["ask", "--approve", "always", words]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    ran
}

fn tools_of(session: &Value) -> Vec<&str> {
    let calls = events_of(session).into_iter().filter(|event| event["type"] == "toolCallStarted");
    calls.map(|event| event["call"]["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_question_runs_a_tool_and_its_result_is_worded() {
    let home = home();
    let ran = ask(&home, "which files in this folder are largest?").await;
    assert!(ran.stdout.starts_with("The largest files in `.` and below it:"), "{}", ran.stdout);
    let order: Vec<_> = ["films/long.mp4", "notes.txt", "two words.txt"].map(|name| ran.stdout.find(name)).into();
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{}", ran.stdout);
    let session = home.only_session().await;
    assert_eq!(tools_of(&session), ["list_dir"]);
    let started = events_of(&session)[0];
    assert_eq!(started["model"], "No model: simple requests only");
}

#[tokio::test]
async fn files_are_found_read_and_extracted() {
    let home = home();
    for (words, answer) in [
        ("find *.mp4", "films/long.mp4"),
        ("which files contain boxes", "We move in May. Bring boxes."),
        ("read notes.txt", "```text\n# Plan"),
        ("summarise notes.txt", "> Plan\n>\n> We move in May."),
        ("what's in films/", "long.mp4"),
        ("disk space", "- disk"),
        ("battery", "- battery: "),
        ("read gone.txt", "That did not work: "),
        ("find *.xyz", "I found nothing that fits `*.xyz`"),
        ("notes.txt पढ़ो", "We move in May."),
        ("ಫೈಲ್‌ಗಳನ್ನು ತೋರಿಸು", "notes.txt"),
    ] {
        let ran = ask(&home, words).await;
        assert!(ran.stdout.contains(answer), "{words}: {}", ran.stdout);
    }
}

#[tokio::test]
async fn what_nobody_allows_is_declined_and_said() {
    let home = home();
    let ran = home.namma(&["ask", "delete \"two words.txt\""]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("It was not done: "), "{}", ran.stdout);
    assert!(home.work("two words.txt").exists());
    let audit = home.audit().await;
    let rows: Vec<_> = audit.iter().map(|row| (row["tool"].as_str(), row["phase"].as_str())).collect();
    assert_eq!(rows, [(Some("delete_path"), Some("refused"))]);
}

#[tokio::test]
async fn what_is_allowed_is_done_and_looked_at() {
    let home = home();
    let ran = ask(&home, "delete \"two words.txt\"").await;
    assert!(ran.stdout.starts_with("`two words.txt` is in the trash"), "{}", ran.stdout);
    assert!(!home.work("two words.txt").exists());
    let ran = ask(&home, "rename notes.txt to plan.txt").await;
    assert_eq!(ran.stdout, "`notes.txt` is now `plan.txt`. I looked: it is there.\n");
    let ran = ask(&home, "make a folder called archive").await;
    assert_eq!(ran.stdout, "The folder `archive` is there.\n");
    let ran = ask(&home, "move plan.txt to archive/").await;
    assert_eq!(ran.stdout, "`plan.txt` is now `archive/`. I looked: it is there.\n");
    assert!(home.work("archive/plan.txt").exists());
}

#[tokio::test]
async fn what_is_not_a_clear_order_runs_nothing() {
    let home = home();
    for words in
        ["delete everything", "delete *", "don't delete notes.txt", "how do I delete notes.txt?", "notes.txt मत हटाओ"]
    {
        ask(&home, words).await;
    }
    assert_eq!(home.audit().await, Vec::<Value>::new(), "no tool was even asked for");
    let ran = ask(&home, "delete the largest file").await;
    assert!(ran.stdout.contains("long.mp4") && ran.stdout.contains("Say which one"), "{}", ran.stdout);
    assert!(home.work("films/long.mp4").exists());
}

#[tokio::test]
async fn in_chat_mode_it_says_that_agent_mode_is_needed() {
    let home = home();
    let ran = home.namma(&["ask", "--mode", "chat", "list files"]).await;
    assert!(ran.stdout.contains("agent mode"), "{}", ran.stdout);
    assert_eq!(home.namma(&["ask", "--mode", "chat", "18% of 2499"]).await.stdout, "449.82\n");
}

#[tokio::test]
async fn a_person_is_asked_and_a_no_is_kept() {
    let home = home();
    // 2026-03-01, 08:00 UTC.
    let app = open_app_at(&home, Arc::new(ManualClock::at(UnixMs(1_772_352_000_000)))).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "delete notes.txt", Delivery::Queue)).await.unwrap().session_id;
    let events = listener.until(&session, |event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
    let Some(TurnEvent::ApprovalRequested { request }) = events.last() else { panic!("{events:?}") };
    app.approval_resolve(ResolveApproval {
        approval_id: request.approval_id.clone(),
        payload_hash: request.payload_hash.clone(),
        decision: ApprovalDecision::Decline { note: None },
    })
    .unwrap();
    let events = listener.until_finished(&session).await;
    let Some(TurnEvent::TurnFinished { outcome: TurnOutcome::Answered { text }, .. }) = events.last() else {
        panic!("{events:?}")
    };
    assert!(text.starts_with("It was not done: "), "{text}");
    assert!(home.work("notes.txt").exists());
    app.turn_send(send(Some(&session), "days until 24 December", Delivery::Queue)).await.unwrap();
    let events = listener.until_finished(&session).await;
    let told = "298 days from Sunday, 1 March 2026 to Thursday, 24 December 2026.";
    assert!(events.iter().any(|event| *event == TurnEvent::TextDelta { text: told.into() }), "{events:?}");
    app.close().await;
}

#[tokio::test]
async fn a_model_that_is_set_up_later_answers_from_the_next_message_on() {
    let home = home();
    ask(&home, "hello").await;
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    let model = Model::replies([said("Here I am.")]).await;
    home.namma(&["config", "set", "provider.base_url", &model.base_url()]).await;
    home.namma(&["config", "set", "provider.model", "test-model"]).await;
    let ran = home.namma(&["ask", "--session", &id, "and now?"]).await;
    assert_eq!(ran.stdout, "Here I am.\n", "{ran:?}");
    assert!(!ran.stderr.contains("no model"), "{}", ran.stderr);
    assert_eq!(home.only_session().await["turns"].as_array().map(Vec::len), Some(2));
}
