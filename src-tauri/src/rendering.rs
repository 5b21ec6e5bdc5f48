//! Starts the web engine in its safe way after a start that never showed anything: with some
//! graphics drivers the fast way leaves the window blank.
//!
//! A file says that a start is under way; the page's first request removes it. A start that finds
//! it draws the safe way, and when that works keeps to it until the next version.

use crate::app_slot::Launch;
use namma_config::Environment;
use std::path::PathBuf;

const SAFE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether the web engine draws in its safe way.
pub(crate) fn is_safe() -> bool {
    Environment::process().get(SAFE).is_some_and(|value| value != "0")
}

/// Begins again with the safe setting when the last start failed. Only a new process can have
/// another environment without reaching into the threads of this one.
pub(crate) fn start_safely_after_a_blank_window(launch: &Launch) {
    if cfg!(not(target_os = "linux")) || launch.environment.get(SAFE).is_some() {
        return;
    }
    let last = marker(launch).and_then(|path| std::fs::read_to_string(path).ok());
    let failed = last.is_some_and(|last| last == "starting" || last == safe_words());
    let nvidia = std::path::Path::new("/proc/driver/nvidia/version").exists();
    if failed || nvidia {
        tracing::info!("drawing in the safe way");
        begin_again();
    }
}

/// The window is about to open.
pub(crate) fn note_attempt(launch: &Launch) {
    write(launch, "starting");
}

/// The page is there.
pub(crate) fn note_success(launch: &Launch) {
    let words = if is_safe() { safe_words() } else { "painted".into() };
    write(launch, &words);
}

fn safe_words() -> String {
    format!("safe {VERSION}")
}

fn marker(launch: &Launch) -> Option<PathBuf> {
    launch.paths.as_ref().ok().map(|paths| paths.run_dir().join("window-start"))
}

#[expect(clippy::disallowed_methods, reason = "the shell's own mark, in our own folder")]
fn write(launch: &Launch, words: &str) {
    let written = marker(launch).map(|path| std::fs::write(path, words));
    if let Some(Err(error)) = written {
        tracing::debug!(%error, "how the start went is not remembered");
    }
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this very program, with one more variable")]
fn begin_again() {
    use std::os::unix::process::CommandExt;
    let Ok(program) = std::env::current_exe() else { return };
    let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SAFE, "1").exec();
    tracing::warn!(%error, "the program could not begin again");
}

#[cfg(not(unix))]
fn begin_again() {}
