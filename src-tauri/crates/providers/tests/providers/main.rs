//! The contract of the adapters, held against servers on loopback that do what real ones do,
//! and what they should not.

#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod anthropic;
mod broken;
mod capabilities;
mod chaos;
mod contract;
mod discovery;
mod downloads;
mod errors;
mod gemini;
mod guarded;
mod guarded_bodies;
mod limits;
mod local_servers;
mod recordings;
mod requests;
mod responses;
mod streams;
mod support;
