// E0308: mismatched types
//! A tool runs another one with its own permit.

use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{ToolFailure, ToolOutput};

pub async fn run_another<Harmless: Tool, Dangerous: Tool>(
    call: Permitted<'_, Harmless>,
    dangerous: &Dangerous,
) -> Result<ToolOutput, ToolFailure> {
    dangerous.run(call).await
}
