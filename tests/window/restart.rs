//! What was said and written is there after the power went.

use crate::support::{Home, PATIENCE, Talk, slowly, until};
use namma_testkit::sse_server::{Reply, text};
use serde_json::json;
use std::time::Duration;

#[test]
fn a_chat_is_there_after_the_app_was_killed() {
    let home = Home::new("restart");
    let server = home.run(Talk::of([Reply::step([text("Forty-two, as always.")])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("What is the answer?");
    window.wait_for_text("Forty-two, as always.");
    window.wait_for_the_end_of_the_turn(PATIENCE);
    window.kill();
    let window = home.open();
    window.click("nav a", "What is the answer?");
    window.wait_for_text("Forty-two, as always.");
}

#[test]
fn a_kill_in_the_middle_of_an_answer_keeps_the_question_and_the_part() {
    let home = Home::new("cut");
    let server = home.run(Talk::of([
        slowly("The first part of a long story.", Duration::from_millis(20)),
        Reply::step([text("The whole story.")]),
    ]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Tell me a story");
    window.wait_for_text("The first part of a long story.");
    // The part is stored at least once a second.
    std::thread::sleep(Duration::from_millis(1500));
    window.kill();
    let window = home.open();
    window.click("nav a", "Tell me a story");
    window.wait_for_text("The first part of a long story.");
    let log = window.log();
    assert_eq!(log.matches("The first part").count(), 1, "nothing is doubled:\n{log}");
    assert_eq!(window.answers().len(), 1, "one question:\n{log}");
    window.send("Go on");
    window.wait_for_text("The whole story.");
}

#[test]
fn a_reload_shows_the_running_answer_whole() {
    let home = Home::new("reload");
    let server =
        home.run(Talk::of([slowly("one two three four five six seven eight nine ten", Duration::from_millis(80))]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Count");
    window.wait_for_text("one two");
    window.script("location.reload()");
    window.wait_for_text("one two three four five six seven eight nine ten");
    assert_eq!(window.log().matches("one").count(), 1, "{}", window.log());
}

/// Attaches an image and a text, as if the person had chosen them.
const ATTACH: &str = "
    const files = new DataTransfer();
    files.items.add(new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)], 'photo.png'));
    files.items.add(new File(['some words'], 'notes.txt'));
    const input = document.querySelector('input[type=file]');
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));";

/// The files that stand in the composer, with their sizes.
const ATTACHED: &str = "
    const chips = document.querySelectorAll('form ul[aria-label=Attachments] > li');
    return [...chips].map((chip) => chip.innerText.replace(/\\s+/g, ' ').trim());";

#[test]
fn a_draft_with_two_files_survives_a_reload_and_a_kill_and_stays_in_its_chat() {
    let home = Home::new("draft-files");
    let server = home.run(Talk::of([Reply::step([text("Yes.")]), Reply::step([text("Both of them.")])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Are you there?");
    window.wait_for_text("Yes.");
    window.wait_for_the_end_of_the_turn(PATIENCE);
    window.write("about these");
    window.script(ATTACH);
    let both = json!(["photo.png 8 bytes", "notes.txt 10 bytes"]);
    until("two files", PATIENCE, || (window.script(ATTACHED) == both).then_some(()));
    // Drafts go to the store a moment after the last change.
    std::thread::sleep(Duration::from_millis(1500));
    window.script("location.reload()");
    until("two files after the reload", PATIENCE, || (window.script(ATTACHED) == both).then_some(()));
    window.kill();
    let window = home.open();
    window.composer();
    assert_eq!(window.script(ATTACHED), json!([]), "the new chat has no files");
    window.click("nav a", "Are you there?");
    until("two files after the kill", PATIENCE, || (window.script(ATTACHED) == both).then_some(()));
    assert_eq!(window.draft(), "about these");
    window.write("\u{e007}");
    window.wait_for_text("Both of them.");
    assert_eq!(window.script(ATTACHED), json!([]), "what was sent is no draft any more");
    assert!(window.log().contains("notes.txt"), "{}", window.log());
    let asked = server.body(1).to_string();
    assert!(asked.contains("some words") && asked.contains("photo.png"), "{asked}");
}

#[test]
fn a_draft_survives_a_kill_and_stays_in_its_chat() {
    let home = Home::new("draft");
    let server = home.run(Talk::of([Reply::step([text("Yes.")])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Are you there?");
    window.wait_for_text("Yes.");
    window.write("half a thought");
    // Drafts go to the store a moment after the last key.
    std::thread::sleep(Duration::from_millis(1500));
    window.kill();
    let window = home.open();
    window.composer();
    assert_eq!(window.draft(), "", "the new chat has no draft");
    window.click("nav a", "Are you there?");
    until("the draft", PATIENCE, || (window.draft() == "half a thought").then_some(()));
}
