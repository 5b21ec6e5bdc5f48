//! What the core asks of the world. Each has a real adapter and a fake in `namma-testkit`.

mod approver;
mod audit;
mod clock;
mod events;
mod http;
mod provider;
mod session_store;

pub use approver::{Approver, DeclineAll};
pub use audit::{AuditEntry, AuditLog, AuditPhase};
pub use clock::Clock;
pub use events::TurnEvents;
pub use http::{HttpClient, HttpFailure, HttpReply, HttpRequest};
pub use provider::{
    ModelCall, ModelEvent, ModelMessage, ModelRequest, ModelStream, Provider, ProviderError, Replay, StopReason,
    ToolSpec,
};
pub use session_store::{AnsweredApproval, Entry, NewTurn, SessionStore, StoreError, StoredCall, StoredTurn};
