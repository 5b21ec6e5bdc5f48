use super::paths;
use crate::words;
use namma_core::Tool;
use namma_core::gate::{EntryKind, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Makes a folder.
pub(crate) struct MakeDir;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The new folder; missing folders above it are made too.
    path: String,
}

impl Tool for MakeDir {
    type Input = Input;
    const NAME: &'static str = "make_dir";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Makes a folder, with the folders above it."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = words::short_name(&input.path);
        StepTitle { doing: format!("Making the folder {name}"), done: format!("Made the folder {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        let path = place.path(&input.path)?;
        let mut effects = paths::writes(&paths::missing_above(&path))?;
        effects.push(Effect::WriteFile { path: paths::text(&path)? });
        Ok(Effects::of(effects))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let path = call.place().path(&call.input().path)?;
        let shown = call.place().display(&path);
        let files = call.files();
        match files.metadata(&path).await? {
            Some(entry) if entry.kind == EntryKind::Folder => {
                return Ok(ToolOutput::ours(format!("the folder `{shown}` exists already")).fact("was there"));
            }
            Some(_) => return Err(ToolFailure::failed(format!("could not make `{shown}`: a file has that name"))),
            None => {}
        }
        paths::create(&files, &paths::missing_above(&path)).await?;
        files.create_dir(&path).await?;
        Ok(ToolOutput::ours(format!("made the folder `{shown}`")))
    }
}
