//! Fakes for the core's ports and loopback servers: a dev-dependency only.
//!
//! Each fake implements the same port as the real thing and is given to the same constructors.

pub mod approver;
pub mod audit;
pub mod brains;
pub mod clock;
pub mod events;
pub mod facts;
pub mod heard;
pub mod provider;
pub mod results;
pub mod sse_server;
pub mod store;
pub mod web;
pub mod wire;

pub use approver::ScriptedApprover;
pub use audit::MemoryAudit;
pub use brains::NoWatch;
pub use clock::ManualClock;
pub use events::RecordingEvents;
pub use facts::MemoryFacts;
pub use heard::Heard;
pub use provider::{ScriptedProvider, call, calls, held, text};
pub use results::FixedResults;
pub use store::MemoryStore;
pub use web::FakeWeb;
