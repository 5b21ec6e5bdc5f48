//! The gate and the loop through their public doors, with the fakes of `namma-testkit`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::type_complexity, reason = "tests")]

mod attached;
mod brains;
mod gate;
mod history;
mod prompt;
mod support;
mod turn;
