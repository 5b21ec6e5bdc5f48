//! A person at a real terminal: a pseudo-terminal, with the line discipline of the system.

use crate::support::{Home, Model, Terminal, ends_of, events_of, hanging, questions_of, said};
use namma_testkit::sse_server::{Reply, call};
use serde_json::json;

const QUESTION: &str = "(decline): ";

/// A model that wants to delete a file of the person, and then says that it is done.
async fn deleting() -> (Model, Home) {
    let wish = Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))]);
    let model = Model::replies([wish, said("That was that.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    (model, home)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_put_on_the_screen_and_waits_for_the_answer() {
    for (keys, is_left) in [("a\r", false), ("yes\r", false), ("\r", true), ("d\r", true), ("\u{4}", true)] {
        let (_model, home) = deleting().await;
        let mut terminal = Terminal::start(&home, &["ask", "clean up"]);
        assert!(terminal.until(QUESTION).contains("notes.txt"), "what would go is named");
        assert!(home.work("notes.txt").exists(), "nothing ran yet");
        terminal.types(keys);
        let answer = terminal.until("That was that.");
        assert!(answer.contains("ing notes.txt"), "the step is told after the answer: {answer}");
        assert_eq!(terminal.code(), Some(0), "{keys:?}");
        assert_eq!(home.work("notes.txt").exists(), is_left, "{keys:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unclear_answer_is_asked_again_and_the_arguments_can_be_seen() {
    let (_model, home) = deleting().await;
    let mut terminal = Terminal::start(&home, &["ask", "clean up"]);
    terminal.until(QUESTION);
    terminal.types("sure, why not\r");
    terminal.until("one of the letters");
    terminal.until(QUESTION);
    terminal.types("e\r");
    terminal.until("\"path\"");
    terminal.until(QUESTION);
    terminal.types("n\r");
    terminal.until("That was that.");
    assert!(home.work("notes.txt").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_before_a_question_is_no_answer_to_it() {
    for typed in ["a\r", "y\ra\rallow\r", "a"] {
        let (_model, home) = deleting().await;
        let mut terminal = Terminal::start_typing(&home, &["ask", "clean up"], typed);
        terminal.until(QUESTION);
        terminal.types("\r");
        terminal.until("That was that.");
        assert!(home.work("notes.txt").exists(), "{typed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_lines_become_messages_and_never_answers() {
    let wish = Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))]);
    let model = Model::replies([wish, said("That was that."), said("Noted.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    let mut terminal = Terminal::start(&home, &["chat"]);
    terminal.until("› ");
    terminal.types("clean up\ra\r");
    terminal.until(QUESTION);
    terminal.types("d\r");
    terminal.until("That was that.");
    terminal.until("Noted.");
    assert!(home.work("notes.txt").exists());
    assert_eq!(questions_of(&home.only_session().await), ["clean up", "a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn text_of_a_chat_cannot_act_on_the_screen() {
    let evil = "before \u{1b}]52;c;ZXZpbA==\u{7} after";
    let model =
        Model::replies([Reply::step([call("x\n\nWrite notes.txt\n[a]llow once", &json!({}))]), said(evil)]).await;
    let home = Home::with_model_at(&model.base_url());
    let asked = home.namma(&["ask", "hello"]).await;
    assert!(!asked.stderr.contains("\nWrite notes.txt"), "{}", asked.stderr);
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    for command in ["show", "export"] {
        let mut terminal = Terminal::start(&home, &["sessions", command, &id]);
        let screen = terminal.until("after");
        assert!(screen.contains("before \\u{1b}]52"), "{command}: {screen:?}");
        assert!(!screen.contains('\u{1b}'), "{command}: {screen:?}");
    }
    let file = home.namma(&["sessions", "export", &id]).await.stdout;
    assert!(file.contains(evil), "a file gets what was said");
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_at_a_question_ends_the_turn_and_nothing_runs() {
    let (model, home) = deleting().await;
    let mut terminal = Terminal::start(&home, &["ask", "clean up"]);
    terminal.until(QUESTION);
    terminal.types("\u{3}");
    assert_eq!(terminal.code(), Some(130));
    assert!(home.work("notes.txt").exists() && model.asked() == 1);
    assert_eq!(ends_of(&home.only_session().await), ["cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_question_waits_nothing_runs_and_the_call_has_its_result() {
    let (_model, home) = deleting().await;
    let mut terminal = Terminal::start(&home, &["ask", "clean up"]);
    terminal.until(QUESTION);
    terminal.kill();
    assert!(home.work("notes.txt").exists());
    let session = home.only_session().await;
    assert_eq!(ends_of(&session), ["interrupted"]);
    let outcomes: Vec<_> =
        events_of(&session).into_iter().filter_map(|event| event["outcome"]["type"].as_str()).collect();
    assert_eq!(outcomes, ["interrupted", "interrupted"], "of the call and of the turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talk_goes_on_after_ctrl_c_stopped_an_answer() {
    let model = Model::replies([hanging(&["Half an"]), said("The whole.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let mut terminal = Terminal::start(&home, &["chat"]);
    terminal.until("/help");
    terminal.until("› ");
    terminal.types("first\r");
    terminal.until("Half an");
    terminal.types("\u{3}");
    terminal.until("› ");
    terminal.types("second\r");
    terminal.until("The whole.");
    terminal.until("› ");
    terminal.types("\u{3}");
    terminal.until("Ctrl-C once more");
    terminal.types("\u{3}");
    assert_eq!(terminal.code(), Some(0));
    let session = home.only_session().await;
    assert_eq!(questions_of(&session), ["first", "second"]);
    assert_eq!(ends_of(&session), ["cancelled", "answered"]);
}
