//! Journeys of the whole app, and the rules of the house.
//!
//! Each journey has a home of its own, the real database and a model on loopback; half of them go
//! through the real `namma`. No test waits for a time, needs another, or reaches the network.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests start programs, make files and stop at the first thing that is not as it should be"
)]

mod approvals;
mod architecture;
mod ask;
mod attachments;
mod bad_days;
mod brains;
mod commands;
mod compile_fail;
mod connections;
mod crash;
mod crowd;
mod live;
mod local_models;
mod memory;
mod stop;
mod storage;
mod support;
mod talk;
mod terminal;
mod unplugged;
