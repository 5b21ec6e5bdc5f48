// E0046: not all trait items implemented, missing: `effects`
//! A tool does not say what it would do.

use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{ToolFailure, ToolOutput};
use namma_protocol::StepTitle;

pub struct Silent;

impl Tool for Silent {
    type Input = String;
    const NAME: &'static str = "silent";
    const TOOLSET: &'static str = "system";

    fn description(&self) -> &'static str {
        "Says nothing."
    }

    fn title(&self, _: &String) -> StepTitle {
        unimplemented!()
    }

    async fn run(&self, _: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        unimplemented!()
    }
}
