//! What the app asks of the system: its hotkey, start at login, the graphics driver.

use crate::support::{Home, PATIENCE, Talk, Tray, until, wait_until_on_screen};
use std::path::PathBuf;
use std::process::Command;

const TITLE: &str = "System Test Assistant";
const NAMED: &str = "assistant:\n  name: System Test Assistant\n";

/// Puts the window in front: the hotkey hides only what is there.
fn focus() {
    let active = || {
        Command::new("wmctrl").args(["-F", "-a", TITLE]).status().ok()?;
        let name = Command::new("xdotool").args(["getactivewindow", "getwindowname"]).output().ok()?;
        String::from_utf8_lossy(&name.stdout).trim().eq(TITLE).then_some(())
    };
    until("the window in front", PATIENCE, active);
}

fn press_the_hotkey() {
    assert!(Command::new("xdotool").args(["key", "ctrl+shift+space"]).status().expect("xdotool").success());
}

#[test]
fn the_hotkey_hides_the_window_and_brings_it_back() {
    let home = Home::new("hotkey");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let window = home.open();
    window.composer();
    wait_until_on_screen(TITLE, true);
    focus();
    press_the_hotkey();
    wait_until_on_screen(TITLE, false);
    press_the_hotkey();
    wait_until_on_screen(TITLE, true);
}

#[test]
fn keys_that_nobody_knows_are_reported_and_stop_nothing() {
    let home = Home::new("bad-hotkey");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), &format!("{NAMED}desktop:\n  hotkey: Ctrl+Nonsense\n"));
    let window = home.open();
    window.composer();
    window.script("location.hash = '/settings/status'");
    window.wait_for_text("Ctrl+Nonsense does not work");
}

#[test]
fn start_at_login_is_a_line_of_the_tray_menu() {
    let home = Home::new("login");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let icons = Tray::count();
    let window = home.open();
    window.composer();
    let tray = Tray::after(icons);
    let entry = PathBuf::from(std::env::var_os("HOME").unwrap()).join(".config/autostart/Namma Agent.desktop");
    assert!(!entry.exists());
    tray.click("Start at login");
    let text = until("the entry", PATIENCE, || std::fs::read_to_string(&entry).ok().filter(|text| !text.is_empty()));
    let exec = text.lines().find(|line| line.starts_with("Exec=")).unwrap_or_default();
    assert!(exec.contains("namma-desktop") && exec.ends_with("--hidden"), "{exec}");
    tray.click("Start at login");
    until("the end of the entry", PATIENCE, || (!entry.exists()).then_some(()));
}

#[test]
fn a_start_after_a_blank_window_draws_the_safe_way_and_keeps_to_it() {
    let home = Home::new("blank");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), NAMED);
    let is_safe = || {
        let window = home.open();
        window.composer();
        let environment = std::fs::read(format!("/proc/{}/environ", window.pid())).unwrap();
        String::from_utf8_lossy(&environment).split('\0').any(|line| line == "WEBKIT_DISABLE_DMABUF_RENDERER=1")
    };
    let run = home.data().join("run");
    std::fs::create_dir(&run).unwrap();
    std::fs::write(run.join("window-start"), "starting").unwrap();
    assert!(is_safe(), "after a start that showed nothing");
    let said = std::fs::read_to_string(run.join("window-start")).unwrap();
    assert!(said.starts_with("safe "), "what worked is remembered: {said}");
    assert!(is_safe(), "and used from then on");
}
