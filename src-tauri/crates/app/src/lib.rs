//! Composition root and the one API that both hosts use.
//!
//! [`App`] is what a window or a command line talks to: it owns the store, the gate, the engine
//! and the running turns. Adapters meet ports in `builder.rs` and only there. It decides nothing
//! about tools and never draws.
//!
//! To add a request: a type in `namma-protocol`, a method here in the file of its area, and one
//! command per host.

mod approval_desk;
mod attachments;
mod brains;
mod builder;
mod checks;
mod choice;
mod clock;
mod configure;
mod connections;
mod event_bus;
mod health;
mod local_models;
mod memory;
mod policy;
mod providers;
mod sessions;
mod settings;
mod spending;
mod tidy;
mod tools;
mod turns;
mod usage;
mod watch;

pub use brains::NO_MODEL;
pub use builder::{App, AppOptions, StartReport, Who};
pub use clock::SystemClock;
pub use event_bus::Subscription;
pub use local_models::LocalInstall;
pub use providers::vendors;
pub use spending::SpentOf;

pub use namma_core::ports::Fact;
#[doc(hidden)]
pub use namma_store::bench;
pub use namma_store::{AuditRow, ChainReport, ExportedSession, RecoveryReport, Store, UsageOfChat, UsageOfDay, Used};
