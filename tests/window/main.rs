//! Journeys of a person through the real app in its real window.
//!
//! Each test starts `namma-desktop` through WebKitWebDriver in a home of its own, clicks and types,
//! and looks at the page, the desktop around it and the machine below. The model is played on
//! loopback; only the module `model` asks a real one. Run by `cargo xtask test --only window`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "whole-app tests start programs, write files and wait for the world"
)]

mod approvals;
mod first_run;
mod looks;
mod memory;
mod model;
mod providers;
mod restart;
mod shut;
mod stopping;
mod support;
mod system;
mod tray;
mod trouble;
