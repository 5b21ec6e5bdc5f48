//! What the window tests have in common: a home of their own, the app in its window, a person who
//! clicks and types, and the desktop around.

mod around;
mod driver;
mod home;
mod http;
mod models;
mod window;

pub(crate) use around::{EmptyBus, Tray, close_window, hears, is_on_screen, second_start, wait_until_on_screen};
pub(crate) use driver::running_with;
pub(crate) use home::{Home, artifacts};
pub(crate) use models::{RealModel, Talk, delta, slowly};
pub(crate) use window::Window;

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// On a busy machine the first frame took ten seconds: wait for a thing, never for a time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Asks again and again until there is an answer.
pub(crate) fn until<T>(what: &str, patience: Duration, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < patience, "waited {} s for {what}", patience.as_secs());
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// A variable that `cargo xtask test --only window` sets.
pub(crate) fn given(name: &str) -> PathBuf {
    let value = std::env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from).unwrap_or_else(|| panic!("{name} is not set: run `cargo xtask test --only window`"))
}
