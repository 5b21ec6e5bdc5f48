//! The main job with a real model on this computer: `cargo xtask test --only model`.

mod local;

use crate::support::{Home, PATIENCE, RealModel, Window, until};
use std::time::{Duration, Instant};

/// A small model on one processor reads the 2,000 tokens of instructions and tools first: a minute
/// on a quiet machine, several on a busy one.
const ANSWER: Duration = Duration::from_secs(600);
const QUESTION: &str = "which files in this folder are largest?";

#[test]
fn a_question_about_a_folder_is_answered_with_a_tool_and_is_there_after_a_kill() {
    let model = RealModel::start();
    let home = home_of(&model, "model", "auto");
    let window = home.open();
    let began = Instant::now();
    window.send(QUESTION);
    until("a question to the person", ANSWER, || window.find("[data-approval]", "Your turn").map(drop));
    let asked = began.elapsed();
    window.picture("model-approval");
    let card = window.script("return document.querySelector('[data-approval]').innerText");
    println!("asked after {} s: {card}", asked.as_secs());
    allow_until_the_end(&window);
    println!("answered after {} s", began.elapsed().as_secs());
    window.picture("model-answer");
    let log = window.log();
    println!("{log}");
    let answer = window.answers();
    assert!(answer.last().is_some_and(|answer| answer.len() > 10), "an answer in words:\n{log}");
    window.kill();
    assert_looked(&home);
    let window = home.open();
    window.click("nav a", "which files");
    until("the chat, complete", PATIENCE, || (window.answers() == answer).then_some(()));
    window.picture("model-after-restart");
}

#[test]
fn the_same_question_in_the_messages_dialect() {
    let model = RealModel::start();
    let home = home_of(&model, "model-messages", "anthropic");
    let window = home.open();
    window.send(QUESTION);
    until("a question to the person", ANSWER, || window.find("[data-approval]", "Your turn").map(drop));
    allow_until_the_end(&window);
    let answer = window.answers();
    assert!(answer.last().is_some_and(|answer| answer.len() > 10), "an answer in words:\n{}", window.log());
    window.kill();
    assert_looked(&home);
}

/// A folder with files of several sizes, and the model in one of the dialects it speaks.
fn home_of(model: &RealModel, name: &str, dialect: &str) -> Home {
    let home = Home::new(name);
    for (name, size) in [("holiday.mp4", 3_000_000), ("letter.txt", 1_200), ("picture.png", 400_000)] {
        let file = std::fs::File::create(home.work().join(name)).unwrap();
        file.set_len(size).unwrap();
    }
    // Looking is free by default; with `ask_all` the person is asked about every look, too.
    home.settings(&format!(
        "provider:\n  type: {dialect}\n  base_url: {}\n  model: {}\n  first_token_timeout_seconds: 600\n\
         security:\n  approvals: ask_all\n",
        model.base_url(),
        model.name()
    ));
    home
}

/// It may want to look more than once.
fn allow_until_the_end(window: &Window) {
    until("the end of the turn", ANSWER, || {
        if let Some(allow) = window.find("[data-approval] button", "Allow") {
            window.press(&allow);
        }
        std::thread::sleep(Duration::from_millis(300));
        window.find("button", "Stop").is_none().then_some(())
    });
}

fn assert_looked(home: &Home) {
    let used = home.tools_that_ran();
    assert!(used.iter().any(|tool| ["list_dir", "run_shell", "find_files"].contains(&tool.as_str())), "{used:?}");
}
