//! Closing hides, the tray brings back, a second start raises, Quit asks only when it must.

use crate::support::{
    EmptyBus, Home, PATIENCE, Talk, Tray, close_window, hears, is_on_screen, second_start, slowly, until,
    wait_until_on_screen,
};
use namma_testkit::sse_server::{Reply, call, text};
use serde_json::json;
use std::time::Duration;

const TITLE: &str = "Tray Test Assistant";
const NAMED: &str = "assistant:\n  name: Tray Test Assistant\n";

#[test]
fn closing_hides_and_the_tray_menu_opens_and_quits() {
    let home = Home::new("tray");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let (icons, notices) = (Tray::count(), hears("notification").len());
    let window = home.open();
    window.composer();
    let tray = Tray::after(icons);
    wait_until_on_screen(TITLE, true);
    close_window(TITLE);
    wait_until_on_screen(TITLE, false);
    assert!(window.is_open(), "the program goes on");
    until("the word on where it went", PATIENCE, || (hears("notification").len() > notices).then_some(()));
    tray.click("Open");
    wait_until_on_screen(TITLE, true);
    close_window(TITLE);
    wait_until_on_screen(TITLE, false);
    assert_eq!(hears("notification").len(), notices + 1, "told once");
    tray.click("Quit");
    until("the end of the program", PATIENCE, || (!window.is_open()).then_some(()));
}

#[test]
fn closing_quits_when_the_settings_say_so() {
    let home = Home::new("close-quits");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), &format!("{NAMED}ui:\n  close_to_tray: false\n"));
    let window = home.open();
    window.composer();
    wait_until_on_screen(TITLE, true);
    close_window(TITLE);
    until("the end of the program", PATIENCE, || (!window.is_open()).then_some(()));
}

#[test]
fn without_a_tray_closing_quits() {
    let home = Home::new("no-tray");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let bus = EmptyBus::start();
    let window = home.open_on(&bus);
    window.composer();
    wait_until_on_screen(TITLE, true);
    close_window(TITLE);
    until("the end of the program", PATIENCE, || (!window.is_open()).then_some(()));
}

#[test]
fn a_second_start_raises_the_window() {
    let home = Home::new("second");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let window = home.open();
    window.composer();
    wait_until_on_screen(TITLE, true);
    close_window(TITLE);
    wait_until_on_screen(TITLE, false);
    assert!(second_start(&home).success());
    wait_until_on_screen(TITLE, true);
    assert!(window.is_open());
}

#[test]
fn a_hidden_start_shows_no_window() {
    let home = Home::new("hidden");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let icons = Tray::count();
    let window = home.open_with(&["--hidden"]);
    let tray = Tray::after(icons);
    assert!(!is_on_screen(TITLE));
    tray.click("Open");
    wait_until_on_screen(TITLE, true);
    window.composer();
}

#[test]
fn a_turn_goes_on_in_the_tray_and_quit_asks_and_names_it() {
    let home = Home::new("quit-asks");
    let server = home.run(Talk::of([slowly("working on it", Duration::from_millis(50))]));
    home.answers_from(&server.base_url(), NAMED);
    let icons = Tray::count();
    let window = home.open();
    window.send("Sort my photos");
    window.wait_for_text("working on it");
    let tray = Tray::after(icons);
    close_window(TITLE);
    wait_until_on_screen(TITLE, false);
    tray.click("Quit");
    wait_until_on_screen(TITLE, true);
    window.wait_for_text("Stop and quit?");
    window.wait_for("[role=dialog] li", "Sort my photos");
    window.picture("quit-asks");
    window.click("[role=dialog] button", "Stay");
    assert!(window.is_open());
    tray.click("Quit");
    window.wait_for_text("Stop and quit?");
    window.press(&window.wait_for("[role=dialog] button", "Stop and quit"));
    until("the end of the program", PATIENCE, || (!window.is_open()).then_some(()));
    let window = home.open();
    window.click("nav a", "Sort my photos");
    window.wait_for_text("working on it");
}

#[test]
fn a_question_that_nobody_sees_becomes_one_notification() {
    let home = Home::new("your-turn");
    let note = |name: &str| call("write_file", &json!({ "path": home.work().join(name), "content": "x" }));
    let server = home
        .run(Talk::of([slowly_then_calls([note("a.txt"), note("b.txt")]), Reply::step([text("Both are written.")])]));
    home.answers_from(&server.base_url(), &format!("{NAMED}security:\n  approvals: ask_all\n"));
    let window = home.open();
    let before = hears("notification").len();
    window.send("Write two notes");
    close_window(TITLE);
    wait_until_on_screen(TITLE, false);
    let yours = || {
        hears("notification")
            .iter()
            .skip(before)
            .filter(|notice| notice["body"].to_string().contains("Your turn"))
            .count()
    };
    until("the notification", PATIENCE, || (yours() > 0).then_some(()));
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(yours(), 1, "two questions of one chat are one notification");
    assert!(second_start(&home).success());
    window.click_away("[data-approval] button", "Allow");
    window.wait_for_text("Both are written.");
}

/// Time to hide the window, then the calls.
fn slowly_then_calls(calls: [namma_testkit::sse_server::Chunk; 2]) -> Reply {
    Reply::step(calls).wait_first(Duration::from_millis(2500))
}
