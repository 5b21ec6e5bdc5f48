//! One turn: everything from one input to the final answer, cancellation or failure.

mod calls;
mod engine;
mod handle;
mod history;
mod limits;
mod replay;
mod step;

pub use engine::{CHECK, TurnEngine, TurnInput};
pub use handle::TurnHandle;
pub use history::model_messages;
pub use limits::TurnLimits;
pub use replay::turn_events;
