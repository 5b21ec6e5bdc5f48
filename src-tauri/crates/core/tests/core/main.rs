//! The gate and the loop through their public doors, with the fakes of `namma-testkit`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod gate;
mod history;
mod prompt;
mod support;
mod turn;
