//! The store through its public door, on real files.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests damage files, start processes and read the environment; a fault ends the test"
)]

mod attached;
mod audit;
mod brains;
mod concurrency;
mod damage;
mod drafts_and_settings;
mod export;
mod kill;
mod memory;
mod migrations;
mod queue;
mod search;
mod search_languages;
mod sessions;
mod size;
mod support;
mod turns;
mod turns_interrupted;
mod unwritable;
