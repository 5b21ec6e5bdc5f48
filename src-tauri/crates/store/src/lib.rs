//! The one SQLite file: migrations, sessions, messages, search, audit, usage.
//!
//! Writes go through one connection in short immediate transactions; reads through a few read-only
//! ones. Every acknowledged message survives the death of the process, and a turn whose process
//! died is closed by whoever looks at it next. This crate never decides what is kept in a
//! conversation and never talks to the network.
//!
//! To add a table: a new file in `migrations/`, a line in `migrations.rs`, a line in
//! `salvage.rs`, and a module with its methods, each with a round-trip test.

mod attached;
mod audit;
mod choice;
mod connect;
mod connection_health;
mod drafts;
mod export;
mod fault;
mod files;
mod liveness;
mod memory;
mod migrations;
mod open;
mod purge;
mod queue;
mod read;
mod results;
mod salvage;
mod search;
mod sessions;
mod settings;
mod statistics;
mod store;
mod title;
mod turns;
mod usage;

#[doc(hidden)]
pub mod bench;

pub use attached::{FileFacts, KEEP_UNNAMED_MS};
pub use audit::{AuditRow, ChainReport};
pub use choice::Choice;
pub use connection_health::ConnectionHealth;
pub use export::{ExportedEntry, ExportedSession, ExportedTurn};
pub use migrations::SCHEMA_VERSION;
pub use namma_core::ports::StoreError;
pub use open::{OpenOptions, OpenOutcome};
pub use purge::KEEP_DELETED_MS;
pub use queue::QueuedTurn;
pub use salvage::{RecoveryReport, TableRecovery};
pub use statistics::Statistics;
pub use store::Store;
pub use usage::{DAY_MS, UsageOfChat, UsageOfDay, Used};
