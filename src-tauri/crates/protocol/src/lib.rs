//! Plain data shared by every layer, both hosts and the user interface.
//!
//! This crate holds requests, replies and events, and nothing that acts. TypeScript is generated
//! from it. Wire rules: camelCase; tagged unions by `type`; ids are strings; times are numbers;
//! optional means `null`, never absent; fields are only added.
//!
//! To add an event: a variant in `turn_event.rs`; the compiler then names every place to handle it.

mod app_event;
mod approval;
mod attachment;
mod effect;
mod error;
mod ids;
mod local_models;
mod outcome;
mod requests;
mod session;
mod time;
mod turn_event;

pub use app_event::{AppEvent, NoticeKind, Tag};
pub use approval::{ApprovalDecision, ApprovalRequest, ApprovalScope, Preview};
pub use attachment::{AddAttachment, AttachedFile, Attachment, Draft, FileId};
pub use effect::Effect;
pub use error::{ApiError, ErrorCode};
pub use ids::{ApprovalId, FactId, MessageId, QueuedId, SessionId, ToolCallId, TurnId};
pub use local_models::{
    CatalogueModel, InstallLocalModel, InstallProgress, LocalKeeper, LocalModel, LocalModels, LocalWay, OfferedModel,
    RemovedLocalModel,
};
pub use outcome::{Limit, ToolOutcome, TurnOutcome, Usage};
pub use requests::*;
pub use session::{Mode, QueuedMessage, SearchHit, SessionSummary, SessionView, ThinkLevel, TurnRecord};
pub use time::UnixMs;
pub use turn_event::{StepTitle, ToolCall, TurnEnvelope, TurnEvent};
