//! A first start with nothing set up leads to an answer.

use crate::support::{Home, Talk, delta};
use namma_testkit::sse_server::{Chunk, Reply, text};
use std::time::Duration;

#[test]
fn a_server_that_is_typed_in_answers_the_first_question() {
    let home = Home::new("first-run");
    let answer = Reply::open_step([text("Ten verbs, ")])
        .wait(Duration::from_millis(300))
        .then(delta("coming **right** up."))
        .then("data: [DONE]\n\n");
    let server = home.run(Talk::of([answer]));
    let window = home.open();
    window.wait_for_text("Which model shall answer?");
    window.picture("first-run");
    window.replace("input[name=address]", &server.base_url());
    window.click("button", "Test and use");
    window.wait_for_text("Ready. Ask something.");
    window.click("button", "Teach me ten Kannada verbs");
    window.wait_for_text("Ten verbs, coming right up.");
    let log = window.script("return document.querySelector('[role=log] strong')?.innerText");
    assert_eq!(log, "right", "Markdown is drawn");
    let asked = server.requests();
    let last = asked.last().unwrap();
    assert!(last.body["tools"].as_array().is_some_and(|tools| tools.len() > 5), "the tools are offered");
}

#[test]
fn not_now_opens_a_window_that_can_be_looked_at_and_written_in() {
    let home = Home::new("not-now");
    let window = home.open();
    window.wait_for_text("Which model shall answer?");
    window.click("button", "Not now");
    window.wait_for_text("There is no model to ask yet");
    window.write("kept for later");
    assert_eq!(window.draft(), "kept for later");
}

#[test]
fn a_start_is_quick_and_its_time_is_told() {
    let home = Home::new("start");
    let server = home.run(Talk::of([Reply::step([Chunk::Text("hello".into())])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.write("a");
    println!("start to the first letter in the composer, by WebDriver, debug build: {} ms", window.age().as_millis());
    assert_eq!(window.draft(), "a");
}
