//! The page of the providers in the real window: a second connection is added, tested and put first,
//! and answers.

use crate::support::{Home, PATIENCE, Talk, Window, until};
use namma_testkit::sse_server::{Reply, text};

fn said(words: &str) -> Reply {
    Reply::step([text(words)])
}

fn open_providers(window: &Window) {
    window.click("a, button", "Settings");
    window.click_until("a", "Providers", "[aria-label=Connections]");
}

/// The names of the connections on the page, in order.
fn cards(window: &Window) -> String {
    let list = "return [...document.querySelectorAll('[aria-label=Connections] > li')].map((card) => card.innerText).join('|')";
    window.script(list).as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_second_connection_is_added_tested_put_first_and_answers() {
    let home = Home::new("providers");
    let first = home.run(Talk::of([said("from the first")]));
    let second = home.run(Talk::of([said("from the second")]));
    home.answers_from(&first.base_url(), "ui:\n  theme: light\n");
    let window = home.open();
    open_providers(&window);
    window.wait_for_text("answers first");
    window.picture("providers-light");

    window.click("button", "Add another connection");
    window.replace("input[name=address]", &second.base_url());
    window.replace("input[name=model]", "second-model");
    window.replace("input[name=name]", "work");
    window.click("button", "Test and add");
    until("the second card", PATIENCE, || cards(&window).contains("second-model").then_some(()));
    window.script("[...document.querySelectorAll('[aria-label=Connections] > li')][1].querySelector('button[aria-label^=Test], button').scrollIntoView()");
    window.script("[...document.querySelectorAll('[aria-label=Connections] > li:nth-child(2) button')].find((button) => button.innerText.trim() === 'Test').click()");
    window.wait_for_text("Works.");
    window.script("[...document.querySelectorAll('[aria-label=Connections] > li:nth-child(2) button')].find((button) => (button.getAttribute('aria-label') ?? '').endsWith(' up')).click()");
    until("the new order", PATIENCE, || {
        let cards = cards(&window);
        let (first, rest) = cards.split_once('|')?;
        (first.contains("second-model") && first.contains("answers first") && !rest.is_empty()).then_some(())
    });
    window.picture("providers-two-light");
    window.kill();

    let window = home.open();
    window.send("who answers?");
    window.wait_for_text("from the second");
    let talked =
        first.requests().iter().any(|request| request.body["messages"].as_array().is_some_and(|all| all.len() > 1));
    assert!(!talked, "the first one was never asked");
}
