//! Configuration, folders and secrets: what must be known before anything else exists.
//!
//! Settings are layered: `config/default.yaml` (compiled in, the reference) ← the file named by
//! `NAMMA_CONFIG` ← `config.local.yaml` (differences only) ← `NAMMA_<SECTION>__<KEY>`. Unknown
//! keys are errors. Keys of vendors live in the vault of the operating system, in the environment or
//! in the person's own `.env`, never in the settings.
//!
//! This crate is the only one that reads the environment and the only one that knows where files
//! live. It never asks the network and never prints.
//!
//! To add a setting, see `schema.rs`.

mod check;
mod environment;
mod error;
mod handle;
mod keys;
mod layer;
mod limits;
mod load;
mod local_models;
mod models;
mod overlay;
mod paths;
mod schema;
mod secret;
mod tree;
mod vault;

pub use environment::Environment;
pub use error::{ConfigError, Place, Problem};
pub use handle::{ConfigHandle, Saved};
pub use keys::{KeyProblem, resolve_key};
pub use layer::read_value;
pub use load::load;
pub use local_models::{Catalogue, load_catalogue};
pub use models::{Models, ModelsHandle};
pub use paths::Paths;
pub use schema::{
    Approvals, Assistant, Config, Connection, Conversation, Desktop, LocalModel, LogLevel, Logging, Provider,
    ProviderKind, Rule, RuleEffect, Sandbox, Security, Spending, Theme, Ui,
};
pub use secret::Secret;
pub use vault::{Keyring, MemoryVault, SecretStore, VaultError, VaultStatus};
