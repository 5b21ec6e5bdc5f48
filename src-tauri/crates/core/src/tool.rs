//! What a tool is. A tool says what it would do before it may do it.
//!
//! Nothing here can run a tool: [`ToolRegistry`] lists and looks up, and [`Tool::run`] needs a
//! [`Permitted`](crate::gate::Permitted) that only the gate makes.

mod effects;
mod erased;
mod output;
pub(crate) mod place;
mod registry;

pub use crate::ports::ToolSpec;
pub use effects::Effects;
pub use output::{ToolFailure, ToolOutput};
pub use place::Place;
pub use registry::{ToolRegistry, ToolSummary};

pub(crate) use erased::{ErasedTool, Prepared};

use crate::gate::{Look, Permitted};
use namma_protocol::{Preview, StepTitle};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use std::future::Future;
use std::time::Duration;

/// A capability the model may call.
///
/// `effects` has no default, on purpose: silence about danger must not compile.
pub trait Tool: Send + Sync + Sized + 'static {
    /// The arguments. Derive `schemars::JsonSchema` with `deny_unknown_fields`; doc comments of
    /// the fields are what the model reads. `Serialize` gives the canonical form that is hashed.
    type Input: DeserializeOwned + Serialize + JsonSchema + Send + Sync + 'static;

    /// `snake_case`, at most 64 characters of `[a-z0-9_]`.
    const NAME: &'static str;

    /// The group it is listed under, as `namma tools list` shows them: `files`, `web`.
    const TOOLSET: &'static str;

    /// What it does and when to use it, for the model: one to three sentences.
    fn description(&self) -> &'static str;

    /// The step in the person's words.
    fn title(&self, input: &Self::Input) -> StepTitle;

    /// What this call would do to the world: everything, in resolved paths and hosts. The handles
    /// of the permit refuse whatever is not declared here.
    fn effects(&self, input: &Self::Input, place: &Place) -> Result<Effects, ToolFailure>;

    /// The thing itself, for the person who approves: a diff, say. `Ok(None)` lets the gate make
    /// it from the effects. What it shows is bound to the approval: when it has changed by the
    /// time of the answer, the gate asks anew.
    fn preview(&self, _look: Look<'_, Self>) -> impl Future<Output = Result<Option<Preview>, ToolFailure>> + Send {
        async { Ok(None) }
    }

    /// How long it may run before it is stopped.
    fn deadline(&self, _input: &Self::Input) -> Duration {
        Duration::from_secs(60)
    }

    /// Does it. The machine is reached through the permit's handles only.
    fn run(&self, call: Permitted<'_, Self>) -> impl Future<Output = Result<ToolOutput, ToolFailure>> + Send;
}
