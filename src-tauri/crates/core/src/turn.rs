//! One turn: everything from one input to the final answer, cancellation or failure.

mod ask;
mod books;
mod brain;
mod calls;
mod contents;
mod context;
mod engine;
mod handle;
mod history;
mod limits;
mod replay;
mod step;

pub use ask::CHECK;
pub use books::Allowance;
pub use brain::{Brain, BrainWatch, Brains};
pub use engine::{TurnEngine, TurnInput};
pub use handle::{Steering, TurnHandle};
pub use history::model_messages;
pub use limits::TurnLimits;
pub use replay::turn_events;
