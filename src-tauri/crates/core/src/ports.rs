//! What the core asks of the world. Each has a real adapter and a fake in `namma-testkit`.

mod approver;
mod audit;
mod chat_search;
mod clock;
mod events;
mod http;
mod memory;
mod model_info;
mod provider;
mod results;
mod session_store;

pub use approver::{Approver, DeclineAll};
pub use audit::{AuditEntry, AuditLog, AuditPhase};
pub use chat_search::ChatSearch;
pub use clock::Clock;
pub use events::TurnEvents;
pub use http::{HttpClient, HttpFailure, HttpReply, HttpRequest};
pub use memory::{Fact, Memory, NewFact, Remembered};
pub use model_info::{ModelInfo, Price, ThinkingControl, micros};
pub use provider::{
    Image, ModelCall, ModelEvent, ModelMessage, ModelRequest, ModelStream, Provider, ProviderError, Replay, StopReason,
    Thinking, ToolSpec,
};
pub use results::{Results, WholeResult};
pub use session_store::{AnsweredApproval, Entry, NewTurn, SessionStore, Spent, StoreError, StoredCall, StoredTurn};
