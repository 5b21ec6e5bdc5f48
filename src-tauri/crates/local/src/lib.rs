//! Models on this computer: their files, and a server of our own that ends with us.
//!
//! [`Shelf`] knows the files, [`Installs`] brings new ones, [`LocalServers`] runs one of them at a
//! time in a `llama-server`, and [`ManagedLocal`] is that server behind the core's Provider port.
//! Nothing runs before the first question, or before a model is installed and tried, and nothing for
//! long afterwards.
//!
//! HTTP is spoken by `namma-providers`, processes are held by `namma_core::kept`, settings
//! come from outside. To offer another model: an entry in `config/local-models.yaml`.

mod disk;
mod download;
mod error;
mod gguf;
mod installs;
mod provider;
mod run;
mod server;
mod servers;
mod shelf;
mod threads;

pub use error::LocalError;
pub use installs::{Install, Installs, Source, kept_elsewhere};
pub use provider::ManagedLocal;
pub use server::{ServerSettings, find_server};
pub use servers::LocalServers;
pub use shelf::{Shelf, ShelvedModel};
