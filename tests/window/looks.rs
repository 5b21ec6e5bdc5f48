//! The window in both themes, as the pictures of the README show it.

use crate::support::{Home, PATIENCE, Talk, Window, until};
use namma_testkit::sse_server::{Reply, call, text};
use serde_json::json;

const ANSWER: &str = "The largest is **holiday.mp4**; on its own it is 89 % of the folder.\n\n\
    | File | Size |\n|---|---:|\n| holiday.mp4 | 48.0 MB |\n| scans.pdf | 4.6 MB |\n| notes.txt | 1.2 kB |\n\n\
    If you want the space back, the film could move to another disk:\n\n\
    ```sh\nmv holiday.mp4 /media/archive/\n```\n\nShall I?";

#[test]
fn the_chat_in_light_and_dark() {
    let home = Home::new("looks");
    for (name, size) in [("holiday.mp4", 48_000_000), ("scans.pdf", 4_600_000), ("notes.txt", 1_200)] {
        let file = std::fs::File::create(home.work().join(name)).unwrap();
        file.set_len(size).unwrap();
    }
    let largest = call("run_shell", &json!({ "command": "du -b * | sort -rn" }));
    let list = call("list_dir", &json!({ "path": "." }));
    let server = home.run(Talk::of([
        Reply::step([text("Let me look at the folder first."), list]),
        Reply::step([largest]),
        Reply::step([text(ANSWER)]),
        Reply::step([text("One moment."), call("run_shell", &json!({ "command": "mv holiday.mp4 /media/archive/" }))]),
    ]));
    home.answers_from(&server.base_url(), "ui:\n  theme: light\n");
    let window = home.open();
    window.send("Which files in this folder are largest?");
    window.click_away("[data-approval] button", "Allow");
    window.wait_for_text("Shall I?");
    window.wait_for_the_end_of_the_turn(PATIENCE);
    until("the coloured code", PATIENCE, || (code_colours(&window) > 1).then_some(()));
    window.picture("chat-light");
    let light = canvas(&window);
    choose_theme(&window, "dark");
    until("the dark canvas", PATIENCE, || (canvas(&window) != light).then_some(()));
    window.picture("chat-dark");
    window.send("Yes, please");
    window.wait_for("[data-approval]", "Your turn");
    window.picture("approval-dark");
    choose_theme(&window, "light");
    until("the light canvas", PATIENCE, || (canvas(&window) == light).then_some(()));
    window.picture("approval-light");
}

/// How many colours the code in the answer has: colouring comes a moment after the text.
fn code_colours(window: &Window) -> u64 {
    let colours = "const spans = [...document.querySelectorAll('[role=log] pre span')];
        return new Set(spans.map((span) => getComputedStyle(span).color)).size";
    window.script(colours).as_u64().unwrap_or(0)
}

fn canvas(window: &Window) -> String {
    window.script("return getComputedStyle(document.body).backgroundColor").to_string()
}

fn choose_theme(window: &Window, theme: &str) {
    let script = format!(
        "const done = arguments[arguments.length - 1];
         const request = {{ key: 'ui.theme', value: '{theme}' }};
         window.__TAURI_INTERNALS__.invoke('settings_set', {{ request }}).then(() => done(true), (e) => done(e.message));"
    );
    assert_eq!(window.script_later(&script), true);
    let shown = || (window.script("return document.documentElement.dataset.theme") == theme).then_some(());
    until("the theme", PATIENCE, shown);
}
