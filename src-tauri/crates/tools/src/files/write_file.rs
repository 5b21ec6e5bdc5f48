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

/// Larger files are replaced without being compared line by line.
const MAX_COMPARED_BYTES: usize = 1 << 20;

/// Writes a whole file.
pub(crate) struct WriteFile;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file: absolute, from `~`, or from the working folder.
    path: String,
    /// All that the file shall hold.
    content: String,
}

impl Tool for WriteFile {
    type Input = Input;
    const NAME: &'static str = "write_file";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Creates a text file or replaces all of it, making missing folders. To change a part of a file use edit_file."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = words::short_name(&input.path);
        StepTitle { doing: format!("Writing {name}"), done: format!("Wrote {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        let path = place.path(&input.path)?;
        let mut effects = paths::writes(&paths::missing_above(&path))?;
        effects.push(Effect::WriteFile { path: paths::text(&path)? });
        Ok(Effects::of(effects))
    }

    async fn preview(&self, look: Look<'_, Self>) -> Result<Option<Preview>, ToolFailure> {
        let path = look.place().path(&look.input().path)?;
        let shown = look.place().display(&path);
        let before = Before::read(&look.files(), &path).await?;
        Ok(Some(match &before.kind {
            Kind::Missing => diff::preview(shown, "", &look.input().content),
            Kind::Text(text) => diff::preview(shown, text, &look.input().content),
            Kind::Other { size_bytes } => {
                let notice = format!("[{} that cannot be compared are replaced]\n", words::size(*size_bytes));
                diff::preview(shown, &notice, &look.input().content)
            }
        }))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let path = call.place().path(&call.input().path)?;
        let shown = call.place().display(&path);
        let content = &call.input().content;
        let files = call.files();
        let before = Before::read(&files.reading(), &path).await?;
        if before.fingerprint == Fingerprint::of(content.as_bytes()) {
            return Ok(ToolOutput::ours(format!("`{shown}` already holds exactly this; nothing was changed"))
                .fact("no change"));
        }
        paths::create(&files, &paths::missing_above(&path)).await?;
        files.write_if_unchanged(&path, before.fingerprint, content.as_bytes()).await?;
        let lines = words::count(content.lines().count(), "line");
        Ok(match before.kind {
            Kind::Missing => ToolOutput::ours(format!("created `{shown}` with {lines}")).fact(lines),
            Kind::Text(text) => {
                let (added, removed) = diff::lines_changed(&text, content);
                ToolOutput::ours(format!("replaced `{shown}`: {added} lines added, {removed} removed"))
                    .fact(format!("+{added} −{removed} lines"))
            }
            Kind::Other { size_bytes } => {
                ToolOutput::ours(format!("replaced `{shown}` ({}) with {lines}", words::size(size_bytes))).fact(lines)
            }
        })
    }
}

/// What was there.
struct Before {
    kind: Kind,
    fingerprint: Fingerprint,
}

enum Kind {
    Missing,
    Text(String),
    /// Too large to compare, or not text.
    Other {
        size_bytes: u64,
    },
}

impl Before {
    async fn read(files: &FilesToRead<'_>, path: &Path) -> Result<Self, ToolFailure> {
        if files.metadata(path).await?.is_none() {
            return Ok(Self { kind: Kind::Missing, fingerprint: Fingerprint::MISSING });
        }
        let file = files.read(path, MAX_COMPARED_BYTES).await?;
        if file.truncated {
            let fingerprint = files.fingerprint(path).await?;
            return Ok(Self { kind: Kind::Other { size_bytes: file.size_bytes }, fingerprint });
        }
        let kind = match decode(&file.bytes, false) {
            Decoded::Text { text, .. } => Kind::Text(text),
            Decoded::Binary { .. } => Kind::Other { size_bytes: file.size_bytes },
        };
        Ok(Self { kind, fingerprint: Fingerprint::of(&file.bytes) })
    }
}
