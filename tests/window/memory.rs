//! What is remembered, told and forgotten in the real window, before any model is set up.

use crate::support::{Home, PATIENCE, until};

const FACT: &str = "my sister's birthday is 4 May";

#[test]
fn a_fact_is_told_after_a_restart_and_gone_once_the_person_allowed_it() {
    let home = Home::new("memory");
    home.settings("ui:\n  theme: light\n");
    let window = home.open();
    window.click("button", "Not now");
    window.send(&format!("remember that {FACT}"));
    window.wait_for_text("I will remember");
    window.kill();

    let window = home.open();
    window.send("what do you know about my sister?");
    until("the fact", PATIENCE, || window.answers().last()?.contains(FACT).then_some(()));
    window.send("forget my sister's birthday");
    window.wait_for("[data-approval]", "Your turn");
    assert!(window.find("[data-approval]", "").is_some());
    window.picture("memory-forget-light");
    window.script("document.documentElement.dataset.theme = 'dark'");
    window.picture("memory-forget-dark");
    window.click_away("[data-approval] button", "Allow");
    window.wait_for_text("It is forgotten");
    window.send("what do you know about my sister?");
    until("nothing", PATIENCE, || {
        let last = window.answers().last()?.clone();
        (last.contains("sister") && !last.contains("4 May")).then_some(())
    });
    window.kill();
    let database = std::fs::read(home.data().join("namma.db")).unwrap();
    assert!(!database.windows(FACT.len()).any(|bytes| bytes == FACT.as_bytes()), "it is not in the file either");
}
