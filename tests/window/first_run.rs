//! A first start with nothing set up leads to an answer.

use crate::support::{Home, Talk, artifacts, delta};
use namma_testkit::sse_server::{Chunk, Reply, text};
use std::path::{Path, PathBuf};
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
fn a_pasted_key_is_in_the_vault_and_nowhere_else() {
    const KEY: &str = "sk-very-secret-4711-abcdef";
    let home = Home::new("pasted-key");
    let answers = ["Here I am.", "Here I am again."].map(|words| Reply::step([text(words)]));
    let server = home.run(Talk::of(answers));
    let window = home.open();
    window.wait_for_text("Which model shall answer?");
    window.replace("input[name=key]", KEY);
    window.replace("input[name=address]", &server.base_url());
    window.click("button", "Test and use");
    window.wait_for_text("Ready. Ask something.");
    window.click("button", "Teach me ten Kannada verbs");
    window.wait_for_text("Here I am.");
    let page = window.script("return document.documentElement.outerHTML + JSON.stringify(localStorage)");
    assert!(!page.to_string().contains(KEY), "not in the page");
    window.kill();
    let window = home.open();
    window.send("hello again");
    window.wait_for_text("Here I am again.");
    let authorization = format!("Bearer {KEY}");
    let asked = server.requests();
    assert!(asked.iter().all(|request| request.header("authorization") == Some(&authorization)));
    let log = artifacts().join("pasted-key.log");
    for file in files_below(home.data()).into_iter().chain([log]) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "in {}", file.display());
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files_below(&entry.path()),
        Ok(kind) if kind.is_file() => vec![entry.path()],
        _ => Vec::new(),
    });
    below.collect()
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
    window.wait_for("nav button", "New chat");
    println!("start to the first letter in the composer, by WebDriver, debug build: {} ms", window.age().as_millis());
    assert_eq!(window.draft(), "a");
}
