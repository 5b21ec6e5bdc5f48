//! The turn loop, the tool gate and the ports they ask of the world.
//!
//! This crate never sees SQL, TLS or a window. The only code in the house that touches files,
//! processes or the network on behalf of the model is `gate::handles`, reached by a permit that
//! only [`ToolGate`] can make. `kept` holds the model servers that the settings name.
//!
//! To add a tool: one file in `namma-tools`, one line in its catalogue. To add a port: a file in
//! `ports/`, and only when there is a second implementation today.

pub mod address;
pub mod attached;
pub mod gate;
pub mod kept;
pub mod ports;
pub mod prompt;
pub mod tool;
pub mod trust;
pub mod turn;

pub use futures_util::future::BoxFuture;
pub use gate::ToolGate;
pub use tool::{Tool, ToolRegistry};
pub use turn::TurnEngine;
