//! What a tool has to say and do; it compiles.

use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::StepTitle;

pub struct Honest;

impl Tool for Honest {
    type Input = String;
    const NAME: &'static str = "honest";
    const TOOLSET: &'static str = "system";

    fn description(&self) -> &'static str {
        "Says what it would do."
    }

    fn title(&self, _: &String) -> StepTitle {
        unimplemented!()
    }

    fn effects(&self, _: &String, _: &Place) -> Result<Effects, ToolFailure> {
        unimplemented!()
    }

    async fn run(&self, _: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        unimplemented!()
    }
}
