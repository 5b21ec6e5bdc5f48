use super::paths;
use crate::words;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use search::{Found, Search};
use serde::{Deserialize, Serialize};
use std::time::Duration;

mod search;

const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Finds files by name and by content.
pub(crate) struct FindFiles;

#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Where to search; the working folder when left out.
    #[serde(default = "here")]
    path: String,
    /// Glob for the name (`*.pdf`) or, with a slash, for the path from there (`src/**/*.rs`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Text that a line of the file holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// `text` is a regular expression.
    #[serde(default)]
    regex: bool,
    /// Capitals in `text` do not matter.
    #[serde(default)]
    ignore_case: bool,
    /// Lines to show around each match; 5 at most.
    #[serde(default)]
    context: u8,
    /// Also what begins with a dot or is named in .gitignore.
    #[serde(default)]
    hidden: bool,
}

fn here() -> String {
    ".".into()
}

impl Tool for FindFiles {
    type Input = Input;
    const NAME: &'static str = "find_files";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Searches a folder and all below it: files by name, lines by content, or both. Answers paths, or matching lines with their numbers."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let what = match (&input.text, &input.name) {
            (Some(text), _) => format!("“{}”", words::excerpt(text, 40)),
            (None, Some(name)) => words::excerpt(name, 40),
            (None, None) => "files".into(),
        };
        StepTitle { doing: format!("Searching for {what}"), done: format!("Searched for {what}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        // A pattern that cannot be read is the model's to correct, before anybody is asked.
        Search::new(place.path(&input.path)?, input)?;
        Ok(Effects::of([Effect::ReadFile { path: paths::text(&place.path(&input.path)?)? }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let root = call.place().path(&call.input().path)?;
        let shown = call.place().display(&root);
        let search = Search::new(root, call.input())?;
        let found = call.files().reading().work(TIME_LIMIT, move |reading| search.run(reading)).await?;
        Ok(answer(&shown, &found, call.input().text.is_some()))
    }
}

fn answer(shown: &str, found: &Found, by_content: bool) -> ToolOutput {
    let files = words::count(found.files, "file");
    let fact =
        if by_content { format!("{} in {files}", words::counted(found.matches, "match", "matches")) } else { files };
    let mut notes = found.notes.clone();
    if found.files == 0 {
        notes.insert(0, format!("nothing found in `{shown}`; {} looked at", words::count(found.seen, "file")));
        return ToolOutput::ours(format!("[{}]", notes.join("; "))).fact(fact);
    }
    notes.insert(0, format!("{fact}; paths are from `{shown}`"));
    ToolOutput::outside(Taint::Document, shown, format!("{}\n[{}]", found.text, notes.join("; "))).fact(fact)
}
