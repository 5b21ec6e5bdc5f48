use super::replacement::{Replaced, Replacement};
use super::text::{Decoded, decode};
use super::{diff, paths};
use crate::words;
use namma_core::Tool;
use namma_core::gate::{FilesToRead, Fingerprint, Look, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, Preview, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAX_FILE_BYTES: usize = 16 << 20;

/// Changes a part of a file.
pub(crate) struct EditFile;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file: absolute, from `~`, or from the working folder.
    path: String,
    /// The exact text to replace; it must occur once.
    old_text: String,
    /// What comes in its place.
    new_text: String,
    /// Replace every place instead of the only one.
    #[serde(default)]
    replace_all: bool,
}

impl Tool for EditFile {
    type Input = Input;
    const NAME: &'static str = "edit_file";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Replaces an exact piece of a text file. Read the file first and copy old_text from it, spaces included."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = words::short_name(&input.path);
        StepTitle { doing: format!("Editing {name}"), done: format!("Edited {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::WriteFile { path: paths::text(&place.path(&input.path)?)? }]))
    }

    async fn preview(&self, look: Look<'_, Self>) -> Result<Option<Preview>, ToolFailure> {
        let path = look.place().path(&look.input().path)?;
        let shown = look.place().display(&path);
        let (before, after) = change(&look.files(), &path, &shown, look.input()).await?;
        Ok(Some(diff::preview(shown, &before, &after.text)))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let path = call.place().path(&call.input().path)?;
        let shown = call.place().display(&path);
        let files = call.files();
        let (before, after) = change(&files.reading(), &path, &shown, call.input()).await?;
        files.write_if_unchanged(&path, Fingerprint::of(before.as_bytes()), after.text.as_bytes()).await?;
        let (added, removed) = diff::lines_changed(&before, &after.text);
        let places = words::count(after.places, "place");
        Ok(ToolOutput::ours(format!("edited `{shown}` in {places}: {added} lines added, {removed} removed"))
            .fact(format!("+{added} −{removed} lines")))
    }
}

/// The text before, and after.
async fn change(
    files: &FilesToRead<'_>,
    path: &Path,
    shown: &str,
    input: &Input,
) -> Result<(String, Replaced), ToolFailure> {
    let file = files.read(path, MAX_FILE_BYTES).await?;
    if file.truncated {
        let size = words::size(file.size_bytes);
        return Err(ToolFailure::failed(format!("could not edit `{shown}`: it is too large ({size})"))
            .hint("Use run_shell with a program that edits large files."));
    }
    let problem = match decode(&file.bytes, false) {
        Decoded::Text { encoding: "UTF-8", .. } => None,
        Decoded::Text { encoding, .. } => Some(format!("in {encoding}, and only UTF-8 can be edited")),
        Decoded::Binary { kind } => Some(kind.to_owned()),
    };
    // The bytes are kept as they are, a byte order mark included.
    let before = match (problem, String::from_utf8(file.bytes)) {
        (None, Ok(text)) => text,
        (problem, _) => {
            let what = problem.unwrap_or_else(|| "not quite UTF-8".into());
            return Err(ToolFailure::failed(format!("could not edit `{shown}`: it is {what}")));
        }
    };
    let replacement = Replacement { old: &input.old_text, new: &input.new_text, replace_all: input.replace_all };
    let after = replacement.apply(&before)?;
    Ok((before, after))
}
