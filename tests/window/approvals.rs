//! Tools run when the person said so, on the screen.

use crate::support::{Home, Talk, Window};
use namma_testkit::sse_server::{Reply, SseServer, call, text};
use serde_json::json;

const ASK_ALL: &str = "security:\n  approvals: ask_all\n";

fn writes_a_note(home: &Home) -> (SseServer, Window) {
    let path = home.work().join("note.txt");
    let input = json!({ "path": path, "content": "from the assistant\n" });
    let server = home.run(Talk::of([
        Reply::step([text("I write it down."), call("write_file", &input)]),
        Reply::step([text("It is written.")]),
        Reply::step([text("Still written.")]),
    ]));
    home.answers_from(&server.base_url(), ASK_ALL);
    let window = home.open();
    window.send("Write a note");
    window.wait_for("[data-approval]", "Your turn");
    (server, window)
}

#[test]
fn a_tool_runs_after_allow_was_clicked() {
    let home = Home::new("allow");
    let (_server, window) = writes_a_note(&home);
    let note = home.work().join("note.txt");
    assert!(!note.exists(), "nothing happens before the answer");
    window.picture("approval");
    window.click_away("[data-approval] button", "Allow");
    window.wait_for_text("It is written.");
    assert_eq!(std::fs::read_to_string(note).unwrap(), "from the assistant\n");
}

#[test]
fn a_declined_tool_does_not_run_and_the_model_hears_of_it() {
    let home = Home::new("decline");
    let (server, window) = writes_a_note(&home);
    window.click_until("[data-approval] button", "Don't", "[data-approval] input[type=text]");
    window.click_away("[data-approval] button", "Don't do it");
    window.wait_for_text("It is written.");
    assert!(!home.work().join("note.txt").exists());
    let told = server.requests().last().unwrap().body["messages"].to_string();
    assert!(told.contains("declined") || told.contains("said no"), "{told}");
}

#[test]
fn another_instance_of_the_page_cannot_answer_with_a_guess() {
    let home = Home::new("guess");
    let (_server, window) = writes_a_note(&home);
    let guess = "
        const done = arguments[arguments.length - 1];
        const request = { approvalId: 'apr_guess', payloadHash: 'x', decision: { type: 'allow', scope: 'once' } };
        window.__TAURI_INTERNALS__.invoke('approval_resolve', { request }).then(() => done('allowed'), (e) => done(e.code));";
    assert_eq!(window.script_later(guess), "notFound");
    assert!(!home.work().join("note.txt").exists());
    window.wait_for("[data-approval]", "Your turn");
}
