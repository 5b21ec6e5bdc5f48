//! Stop stops everything, at once.

use crate::support::{Home, PATIENCE, Talk, running_with, slowly, until};
use namma_testkit::sse_server::{Reply, call, text};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn stop_ends_the_stream_and_keeps_what_had_arrived() {
    let home = Home::new("stop-stream");
    let server = home.run(Talk::of([
        slowly("one two three four five six seven", Duration::from_millis(60)),
        Reply::step([text("Going on.")]),
    ]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Count");
    window.wait_for_text("one two three");
    window.click("button", "Stop");
    let asked = server.request_count() - 1;
    home.run(server.until_hung_up(asked));
    window.wait_for_the_end_of_the_turn(PATIENCE);
    window.wait_for_text("Stopped by you");
    assert!(window.log().contains("one two three"));
    window.send("Go on");
    window.wait_for_text("Going on.");
}

#[test]
fn stop_kills_a_running_command_within_two_seconds() {
    let home = Home::new("stop-command");
    // A length that nobody else sleeps, so that it is found among the processes.
    let server = home.run(Talk::of([Reply::step([call("run_shell", &json!({ "command": "sleep 61.5" }))])]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Wait a minute");
    window.click_away("[data-approval] button", "Allow");
    until("the command", PATIENCE, || (!running_with("sleep 61.5").is_empty()).then_some(()));
    let stopped = Instant::now();
    window.click("button", "Stop");
    until("the end of the command", Duration::from_secs(10), || running_with("sleep 61.5").is_empty().then_some(()));
    let took = stopped.elapsed();
    assert!(took < Duration::from_secs(2), "it took {} ms", took.as_millis());
    window.wait_for_text("Stopped by you");
}
