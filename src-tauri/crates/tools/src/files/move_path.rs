use super::paths;
use crate::words;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Moves or renames.
pub(crate) struct MovePath;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file or folder.
    from: String,
    /// Its new path. With a slash at the end: the folder to put it in.
    to: String,
}

impl Input {
    fn paths(&self, place: &Place) -> Result<(PathBuf, PathBuf), ToolFailure> {
        let from = paths::entry(place, &self.from)?;
        let to = paths::entry(place, &self.to)?;
        if !self.to.ends_with('/') {
            return Ok((from, to));
        }
        let name =
            from.file_name().ok_or_else(|| ToolFailure::bad_input(format!("`{}` cannot be moved", self.from)))?;
        // The folder itself may be a link; what is put into it goes where it leads.
        let to = place.path(&self.to)?.join(name);
        Ok((from, to))
    }
}

impl Tool for MovePath {
    type Input = Input;
    const NAME: &'static str = "move_path";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Moves or renames a file or folder, making missing folders. Never overwrites anything."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let (from, to) = (words::short_name(&input.from), words::short_name(&input.to));
        StepTitle { doing: format!("Moving {from} to {to}"), done: format!("Moved {from} to {to}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        let (from, to) = input.paths(place)?;
        let mut effects = paths::writes(&paths::missing_above(&to))?;
        effects.push(Effect::MoveFile { from: paths::text(&from)?, to: paths::text(&to)? });
        Ok(Effects::of(effects))
    }

    fn deadline(&self, _input: &Input) -> Duration {
        // To another disk it is copied.
        Duration::from_secs(620)
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let (from, to) = call.input().paths(call.place())?;
        let files = call.files();
        if files.metadata(&from).await?.is_none() {
            return Err(ToolFailure::failed(format!(
                "could not move `{}`: there is no such file or folder",
                call.place().display(&from)
            )));
        }
        paths::create(&files, &paths::missing_above(&to)).await?;
        files.move_path(&from, &to).await?;
        Ok(ToolOutput::ours(format!("moved `{}` to `{}`", call.place().display(&from), call.place().display(&to))))
    }
}
