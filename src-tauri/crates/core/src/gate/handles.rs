//! The only code in the house that touches the machine on behalf of the model. Each handle
//! compares every action with the effects the tool declared and refuses the rest.

mod chats;
mod files;
mod http;
mod memory;
mod open;
mod results;
mod sandbox;
mod shell;
mod system;

pub use chats::Chats;
pub use files::{DirEntry, EntryKind, FileBytes, Files, FilesToRead, Fingerprint, Reading};
pub use http::Http;
pub use memory::{Facts, FactsToSee};
pub use open::{Application, Opened, Opener};
pub use results::EarlierResults;
pub use sandbox::{Confinement, Network, Sandbox, sandbox_exec_if_asked};
pub use shell::{CommandEnding, CommandOutput, Shell};
pub use system::System;

pub(crate) use sandbox::{ASKED, KEEP, KeepPlan};
pub(crate) use shell::environment;

use crate::ports::{ChatSearch, HttpClient, Memory, Results};
use std::sync::Arc;

/// What the handles work with.
#[derive(Clone)]
pub struct Machine {
    pub http: Arc<dyn HttpClient>,
    pub sandbox: Sandbox,
    pub results: Arc<dyn Results>,
    pub chats: Arc<dyn ChatSearch>,
    pub memory: Arc<dyn Memory>,
}
