//! The real `namma` against servers that we did not write, and its requests against the vendors' own
//! types.
//!
//! `llmock` (Python) breaks in many ways and judges the client from outside; `aimock` (Node) plays
//! scripted answers; the packages of Anthropic, OpenAI and Google hold the types. `cargo xtask test
//! --only servers` installs them and runs this. To add a server: a start in `support.rs`, a file here,
//! its installation in `xtask/src/servers.rs`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "whole-app tests start programs, write files and wait for the world"
)]

mod aimock;
mod connections;
mod faults;
mod schemas;
mod support;
mod verdict;
