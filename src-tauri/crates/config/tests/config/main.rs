//! What the configuration promises.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where it cannot go on")]
#![allow(
    clippy::disallowed_methods,
    reason = "tests make files and folders in a temporary home, and start a vault of their own"
)]

mod defaults;
mod errors;
mod home;
mod keys;
mod layers;
mod local_models;
mod models;
mod overlay;
mod paths;
mod reload;
mod vault;
