use super::paths;
use crate::words;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Moves something to the trash. There is no tool that deletes for ever.
pub(crate) struct DeletePath;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file or folder. A link is deleted itself, not what it points to.
    path: String,
}

impl Tool for DeletePath {
    type Input = Input;
    const NAME: &'static str = "delete_path";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Moves a file or folder, with all that is in it, to the trash, where the person can get it back."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = words::short_name(&input.path);
        StepTitle { doing: format!("Moving {name} to the trash"), done: format!("Moved {name} to the trash") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        let path = paths::entry(place, &input.path)?;
        if place.cwd.starts_with(&path) || place.home.starts_with(&path) {
            return Err(ToolFailure::bad_input(format!(
                "`{}` holds the working folder or the home folder and is not deleted",
                place.display(&path)
            )));
        }
        Ok(Effects::of([Effect::DeleteFile { path: paths::text(&path)?, for_ever: false }]))
    }

    fn deadline(&self, _input: &Input) -> Duration {
        Duration::from_secs(620)
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let path = paths::entry(call.place(), &call.input().path)?;
        let shown = call.place().display(&path);
        let place = match call.files().trash(&path).await? {
            Some(place) => format!("it is now `{}`", call.place().display(&place)),
            None => "it can be restored from there".into(),
        };
        Ok(ToolOutput::ours(format!("moved `{shown}` to the trash; {place}")).fact("in the trash"))
    }
}
