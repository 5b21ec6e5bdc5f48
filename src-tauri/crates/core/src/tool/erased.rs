//! The private twin of [`Tool`] that can be kept in a map. Only the gate uses it.

use crate::BoxFuture;
use crate::gate::{Look, Permitted, Stamp};
use crate::tool::{Effects, Place, Tool, ToolFailure, ToolOutput, ToolSpec};
use namma_protocol::{Preview, StepTitle};
use std::any::Any;
use std::time::Duration;

/// A call whose arguments were understood.
pub(crate) struct Prepared {
    input: Box<dyn Any + Send + Sync>,
    pub(crate) title: StepTitle,
    pub(crate) effects: Effects,
    pub(crate) deadline: Duration,
    /// The arguments as the tool understood them; what is hashed and shown.
    pub(crate) canonical: serde_json::Value,
}

pub(crate) trait ErasedTool: Send + Sync {
    fn toolset(&self) -> &'static str;
    fn spec(&self) -> ToolSpec;
    fn prepare(&self, input: serde_json::Value, place: &Place) -> Result<Prepared, ToolFailure>;
    fn preview<'a>(
        &'a self,
        call: &'a Prepared,
        stamp: &'a Stamp<'a>,
    ) -> BoxFuture<'a, Result<Option<Preview>, ToolFailure>>;
    fn run<'a>(&'a self, call: &'a Prepared, stamp: &'a Stamp<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>>;
}

impl<T: Tool> ErasedTool for T {
    fn toolset(&self) -> &'static str {
        T::TOOLSET
    }

    fn spec(&self) -> ToolSpec {
        let mut parameters = schemars::schema_for!(T::Input).to_value();
        if let Some(schema) = parameters.as_object_mut() {
            schema.remove("$schema");
            schema.remove("title");
            schema.remove("description");
            schema.entry("properties").or_insert_with(|| serde_json::json!({}));
        }
        ToolSpec { name: T::NAME.into(), description: self.description().into(), parameters }
    }

    fn prepare(&self, input: serde_json::Value, place: &Place) -> Result<Prepared, ToolFailure> {
        let input: T::Input = serde_json::from_value(input)
            .map_err(|error| ToolFailure::bad_input(format!("the arguments of {} do not fit: {error}", T::NAME)))?;
        let canonical = serde_json::to_value(&input)
            .map_err(|error| ToolFailure::bad_input(format!("the arguments of {} do not fit: {error}", T::NAME)))?;
        let effects = self.effects(&input, place)?;
        let title = self.title(&input);
        let deadline = self.deadline(&input);
        Ok(Prepared { title, effects, deadline, canonical, input: Box::new(input) })
    }

    fn preview<'a>(
        &'a self,
        call: &'a Prepared,
        stamp: &'a Stamp<'a>,
    ) -> BoxFuture<'a, Result<Option<Preview>, ToolFailure>> {
        Box::pin(async move { Tool::preview(self, Look::new(input::<T>(call)?, stamp)).await })
    }

    fn run<'a>(&'a self, call: &'a Prepared, stamp: &'a Stamp<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolFailure>> {
        Box::pin(async move { Tool::run(self, Permitted::new(input::<T>(call)?, stamp)).await })
    }
}

fn input<T: Tool>(call: &Prepared) -> Result<&T::Input, ToolFailure> {
    call.input.downcast_ref().ok_or_else(|| ToolFailure::failed("BUG: the call was prepared for another tool"))
}
