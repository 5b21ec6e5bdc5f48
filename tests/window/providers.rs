//! The pages of the providers and of money in the real window: what is set there holds.

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

#[test]
fn a_changed_model_answers_a_limit_holds_and_a_connection_can_be_removed() {
    let home = Home::new("money");
    let model = home.run(Talk::of([said("the first answer"), said("the second answer")]));
    home.answers_from(&model.base_url(), "ui:\n  theme: light\n");
    // A dollar a token: an answer of the script costs 15.
    let price = "models: [{ name: other-model, price: { input: 1000000, output: 1000000 } }]";
    std::fs::write(home.data().join("models.yaml"), price).unwrap();
    let window = home.open();
    open_providers(&window);
    window.click("button", "Change model of");
    window.type_into("[role=combobox]", "Model of", "other-model\u{e007}");
    until("the other model", PATIENCE, || cards(&window).contains("other-model").then_some(()));
    window.click("a", "Models and money");
    window.type_into("input", "For a day, in US dollars", "10\u{e007}");
    until("the limit", PATIENCE, || {
        let settings = std::fs::read_to_string(home.data().join("config.local.yaml")).unwrap_or_default();
        settings.contains("per_day: 10").then_some(())
    });
    window.picture("money-light");
    window.kill();

    let window = home.open();
    window.send("what is it?");
    window.wait_for_text("the first answer");
    window.send("and the other one?");
    window.click("button", "Go on anyway");
    window.wait_for_text("the second answer");
    window.picture("money-limit-light");
    let asked: Vec<_> = model.requests().into_iter().map(|request| request.body["model"].clone()).collect();
    assert!(asked.len() > 2 && asked.iter().all(|name| name == "other-model" || name.is_null()), "{asked:?}");

    open_providers(&window);
    window.click("button", "Remove");
    window.click("[role=dialog] button, dialog button", "Remove");
    window.wait_for_text("There is no model to ask yet.");
    let settings = std::fs::read_to_string(home.data().join("config.local.yaml")).unwrap();
    assert!(!settings.contains(&model.base_url()) && settings.contains("per_day: 10"), "{settings}");
}
