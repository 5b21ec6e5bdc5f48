//! Starts the web engine in its safe way where the other one is known to fail: after a start that
//! never showed anything, with NVIDIA's driver, which leaves the window blank, and without a graphics
//! card, where drawing through buffers meant for one costs five times the processor time (measured:
//! 83 instead of 16 ms a frame, 10 instead of 43 frames a second while an answer arrives).
//!
//! A file says that a start is under way; the page's first request notes in it that all went well. A start that finds
//! it draws the safe way, and when that works keeps to it until the next version.

use crate::app_slot::Launch;
use namma_config::Environment;
use std::path::{Path, PathBuf};

const SAFE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
const STARTING: &str = "starting";
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
    let machine = Machine {
        last_start: marker(launch).and_then(|path| std::fs::read_to_string(path).ok()),
        nvidia: Path::new("/proc/driver/nvidia/version").exists(),
        graphics_card: launch.environment.get("LIBGL_ALWAYS_SOFTWARE").is_none() && has_graphics_card(),
    };
    if machine.needs_the_safe_way() {
        tracing::debug!("drawing in the safe way");
        begin_again();
    }
}

struct Machine {
    /// What the last start left behind.
    last_start: Option<String>,
    nvidia: bool,
    graphics_card: bool,
}

impl Machine {
    fn needs_the_safe_way(&self) -> bool {
        let failed = self.last_start.as_ref().is_some_and(|words| words == STARTING || *words == safe_words());
        failed || self.nvidia || !self.graphics_card
    }
}

/// Whether the kernel offers a card that draws.
fn has_graphics_card() -> bool {
    let devices = std::fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    devices.into_iter().any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
}

/// The window is about to open.
pub(crate) fn note_attempt(launch: &Launch) {
    write(launch, STARTING);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(last_start: &str, nvidia: bool, graphics_card: bool) -> bool {
        Machine { last_start: Some(last_start.into()), nvidia, graphics_card }.needs_the_safe_way()
    }

    #[test]
    fn the_safe_way_is_for_blank_windows_nvidia_and_machines_without_a_card() {
        assert!(!machine("painted", false, true), "an ordinary machine");
        assert!(machine(STARTING, false, true), "the last start showed nothing");
        assert!(machine(&safe_words(), false, true), "it worked the safe way");
        assert!(!machine("safe 0.0.0", false, true), "a new version tries again");
        assert!(machine("painted", true, true));
        assert!(machine("painted", false, false));
    }
}
