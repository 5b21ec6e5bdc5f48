//! A core that cannot start says why, in the window, and can be tried again.

use crate::support::{Home, PATIENCE, until};

#[test]
fn a_home_that_cannot_be_used_is_told_and_can_be_mended() {
    let home = Home::new("no-home");
    // A file where a folder belongs: no permission can get in the way of this test.
    let run = home.data().join("run");
    std::fs::write(&run, "in the way").unwrap();
    let window = home.open();
    window.wait_for_text("The assistant could not start");
    std::fs::remove_file(&run).unwrap();
    window.click("button", "Try again");
    window.wait_for_text("Which model shall answer?");
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let home = Home::new("newer");
    let window = home.open();
    window.wait_for_text("Which model shall answer?");
    drop(window);
    let database = home.data().join("namma.db");
    make_newer(&database);
    let before = std::fs::metadata(&database).unwrap().len();
    let window = home.open();
    window.wait_for_text("The assistant could not start");
    assert!(window.text().contains("newer"), "{}", window.text());
    assert_eq!(std::fs::metadata(&database).unwrap().len(), before);
    window.press(&window.wait_for("button", "Quit"));
    until("the end of the program", PATIENCE, || (!window.is_open()).then_some(()));
}

#[test]
fn a_broken_configuration_is_told_and_the_window_opens() {
    let home = Home::new("broken-config");
    home.settings("assistant:\n  nmae: Someone\n");
    let window = home.open();
    window.wait_for_text("Which model shall answer?");
    window.wait_for_text("nmae");
    window.picture("broken-config");
}

/// As a later version leaves it.
fn make_newer(database: &std::path::Path) {
    let script =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('pragma user_version = 999'); c.close()";
    let done = std::process::Command::new("/usr/bin/python3").args(["-c", script]).arg(database).status().unwrap();
    assert!(done.success());
}
