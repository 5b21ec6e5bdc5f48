//! The desktop program. `--hidden` starts it without showing the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: this very program is also the launcher of confined commands.
    namma_core::gate::sandbox_exec_if_asked();
    namma_desktop::run(std::env::args().any(|argument| argument == "--hidden"))
}
