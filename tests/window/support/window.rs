//! What a person does in the window and sees in it.

use super::driver::{Driver, Element};
use super::home::artifacts;
use super::{PATIENCE, until};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A visible element of a kind whose name, as a screen reader says it, begins with given words.
const NAMED: &str = "
    const [kind, words] = arguments;
    const name = (e) => (e.getAttribute('aria-label') ?? e.innerText ?? '').trim();
    const seen = (e) => e.checkVisibility() && !e.disabled;
    return [...document.querySelectorAll(kind)].find((e) => seen(e) && name(e).startsWith(words)) ?? null;";

/// The app in its window.
pub(crate) struct Window {
    driver: Driver,
    began: Instant,
}

impl Window {
    pub(super) fn new(driver: Driver, began: Instant) -> Self {
        Self { driver, began }
    }

    /// How long ago the app was started.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.driver.app_pid().expect("the app runs")
    }

    pub(crate) fn is_open(&self) -> bool {
        self.driver.app_pid().is_some()
    }

    /// What a function body says in the page.
    pub(crate) fn script(&self, body: &str) -> Value {
        self.driver.script(body, &[]).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    /// What a function body passes to its last argument.
    pub(crate) fn script_later(&self, body: &str) -> Value {
        self.driver.script_later(body, &[]).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    pub(crate) fn find(&self, kind: &str, words: &str) -> Option<Element> {
        self.driver.element(NAMED, &[json!(kind), json!(words)])
    }

    pub(crate) fn wait_for(&self, kind: &str, words: &str) -> Element {
        let what = format!("{kind} named {words:?} in:\n{}", self.text());
        until(&what, PATIENCE, || self.find(kind, words))
    }

    /// Clicks, and again if the page changed under the pointer.
    pub(crate) fn click(&self, kind: &str, words: &str) {
        let began = Instant::now();
        loop {
            let clicked = match self.find(kind, words) {
                Some(element) => self.driver.click(&element),
                None => Err("it is not there".into()),
            };
            let Err(error) = clicked else { return };
            assert!(began.elapsed() < PATIENCE, "{kind} {words:?}: {error}; the window says:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Clicks until it is gone: a card of approval listens only after it has been seen for a while.
    pub(crate) fn click_away(&self, kind: &str, words: &str) {
        self.wait_for(kind, words);
        until(&format!("the end of {kind} {words:?}"), PATIENCE, || match self.find(kind, words) {
            None => Some(()),
            Some(element) => {
                self.press(&element);
                std::thread::sleep(Duration::from_millis(200));
                None
            }
        });
    }

    pub(crate) fn press(&self, element: &Element) {
        // It may leave the page at this very moment.
        let _ = self.driver.click(element);
    }

    /// Clicks until something else is there.
    pub(crate) fn click_until(&self, kind: &str, words: &str, other: &str) {
        until(other, PATIENCE, || {
            if self.find(other, "").is_some() {
                return Some(());
            }
            self.press(&self.wait_for(kind, words));
            std::thread::sleep(Duration::from_millis(200));
            None
        });
    }

    /// Writes over what a field holds.
    pub(crate) fn replace(&self, kind: &str, text: &str) {
        self.script(&format!("document.querySelector({}).select()", json!(kind)));
        self.type_into(kind, "", text);
    }

    /// The turns of the conversation, as they can be read.
    pub(crate) fn answers(&self) -> Vec<String> {
        let turns = self.script("return [...document.querySelectorAll('[data-turn]')].map((turn) => turn.innerText)");
        turns.as_array().into_iter().flatten().filter_map(|turn| turn.as_str().map(str::to_owned)).collect()
    }

    pub(crate) fn composer(&self) -> Element {
        self.wait_for("textarea", "Message")
    }

    pub(crate) fn write(&self, text: &str) {
        let composer = self.composer();
        self.driver.type_into(&composer, text).expect("typing");
    }

    /// Types a message and presses Enter.
    pub(crate) fn send(&self, text: &str) {
        self.write(text);
        self.write("\u{e007}");
    }

    pub(crate) fn type_into(&self, kind: &str, words: &str, text: &str) {
        let field = self.wait_for(kind, words);
        self.driver.type_into(&field, text).expect("typing");
    }

    pub(crate) fn draft(&self) -> String {
        self.script("return document.querySelector('textarea').value").as_str().unwrap_or_default().into()
    }

    /// All that can be read in the window.
    pub(crate) fn text(&self) -> String {
        let text = self.driver.script("return document.body.innerText", &[]);
        text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// What can be read in the conversation.
    pub(crate) fn log(&self) -> String {
        let text = self.driver.script("return document.querySelector('[role=log]')?.innerText ?? ''", &[]);
        text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    pub(crate) fn wait_for_text(&self, words: &str) {
        self.wait_for_text_within(words, PATIENCE);
    }

    pub(crate) fn wait_for_text_within(&self, words: &str, patience: Duration) {
        let mut last = String::new();
        let began = Instant::now();
        while began.elapsed() < patience {
            last = self.text();
            if last.contains(words) {
                return;
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        panic!("waited {} s for {words:?}; the window says:\n{last}", patience.as_secs());
    }

    /// Waits until no turn runs in the chat on screen.
    pub(crate) fn wait_for_the_end_of_the_turn(&self, patience: Duration) {
        until("the end of the turn", patience, || self.find("button", "Stop").is_none().then_some(()));
    }

    /// A picture of the page, in the folder of artifacts, and where `NAMMA_SHOTS` says.
    #[allow(clippy::print_stderr, reason = "the log of the test is where people look")]
    pub(crate) fn picture(&self, name: &str) -> PathBuf {
        let painted = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)))";
        self.script_later(painted);
        let path = artifacts().join(format!("{name}.png"));
        // For people to look at, no claim of the test: a driver that will not paint now is only told.
        let encoded = match self.driver.picture() {
            Ok(encoded) => encoded,
            Err(error) => {
                eprintln!("no picture of {name}: {error}");
                return path;
            }
        };
        std::fs::write(path.with_extension("b64"), encoded).expect("a picture");
        let decoded = Command::new("base64").arg("-d").arg(path.with_extension("b64")).output().expect("base64");
        std::fs::write(&path, decoded.stdout).expect("a picture");
        std::fs::remove_file(path.with_extension("b64")).expect("a picture");
        if let Some(shots) = std::env::var_os("NAMMA_SHOTS") {
            std::fs::create_dir_all(&shots).expect("the folder of pictures");
            std::fs::copy(&path, PathBuf::from(shots).join(format!("{name}.png"))).expect("a picture");
        }
        path
    }

    /// Ends the app as a power cut would.
    pub(crate) fn kill(self) {
        self.driver.kill_app();
    }
}
