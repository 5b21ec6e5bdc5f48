use super::paths;
use super::text::{Decoded, decode};
use crate::words;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Files are read as text up to here.
const MAX_FILE_BYTES: usize = 16 << 20;
/// What one call gives back at most.
const MAX_REPLY_BYTES: usize = 48 << 10;
const MAX_LINES: usize = 2000;

/// Reads a text file, or some lines of it.
pub(crate) struct ReadFile;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The file: absolute, from `~`, or from the working folder.
    path: String,
    /// First line to read, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// How many lines; 2000 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<u32>,
}

impl Tool for ReadFile {
    type Input = Input;
    const NAME: &'static str = "read_file";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Reads a text file in any encoding. For a long file, give offset and limit."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = words::short_name(&input.path);
        StepTitle { doing: format!("Reading {name}"), done: format!("Read {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::ReadFile { path: paths::text(&place.path(&input.path)?)? }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let path = call.place().path(&call.input().path)?;
        let shown = call.place().display(&path);
        let file = call.files().read(&path, MAX_FILE_BYTES).await?;
        let (text, encoding) = match decode(&file.bytes, file.truncated) {
            Decoded::Text { text, encoding } => (text, encoding),
            Decoded::Binary { kind } => {
                let size = words::size(file.size_bytes);
                return Err(ToolFailure::failed(format!("could not read `{shown}` as text: it is {kind} ({size})")));
            }
        };
        if text.is_empty() {
            return Ok(ToolOutput::ours(format!("`{shown}` is empty")).fact("empty"));
        }
        let excerpt = Excerpt::of(&text, call.input())?;
        let mut content = excerpt.text;
        let mut notes = Vec::new();
        if excerpt.count < excerpt.total || file.truncated {
            let rest = if file.truncated { " or more" } else { "" };
            let last = excerpt.first + excerpt.count - 1;
            notes.push(format!("lines {} to {last} of {}{rest}", excerpt.first, excerpt.total));
            if last < excerpt.total {
                notes.push(format!("go on with offset {}", last + 1));
            }
        }
        if file.truncated {
            notes.push(format!("only the first {} can be read", words::size(MAX_FILE_BYTES as u64)));
        }
        if excerpt.cut_a_line {
            notes.push("a line was too long and was cut".into());
        }
        if encoding != "UTF-8" {
            notes.push(format!("the file is in {encoding}"));
        }
        if !notes.is_empty() {
            content = format!("{content}\n[{}]", notes.join("; "));
        }
        Ok(ToolOutput::outside(Taint::Document, shown, content).fact(words::count(excerpt.count, "line")))
    }
}

/// The lines that were asked for, as far as they fit.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    /// From 1.
    first: usize,
    count: usize,
    total: usize,
    cut_a_line: bool,
}

impl Excerpt {
    fn of(text: &str, input: &Input) -> Result<Self, ToolFailure> {
        let first = input.offset.map_or(1, |offset| offset.max(1) as usize);
        let limit = input.limit.map_or(MAX_LINES, |limit| (limit as usize).clamp(1, MAX_LINES));
        let total = text.lines().count();
        if first > total {
            return Err(ToolFailure::bad_input(format!(
                "offset {first} is after the end: the file has {}",
                words::count(total, "line")
            )));
        }
        let mut excerpt = Self { text: String::new(), first, count: 0, total, cut_a_line: false };
        for line in text.lines().skip(first - 1).take(limit) {
            let room = MAX_REPLY_BYTES - excerpt.text.len();
            if line.len() < room {
                excerpt.text.push_str(line);
                excerpt.text.push('\n');
            } else if excerpt.count == 0 {
                excerpt.text.push_str(&line[..line.floor_char_boundary(room - 1)]);
                excerpt.cut_a_line = true;
            } else {
                break;
            }
            excerpt.count += 1;
            if excerpt.cut_a_line {
                break;
            }
        }
        if excerpt.text.ends_with('\n') {
            excerpt.text.pop();
        }
        Ok(excerpt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, offset: Option<u32>, limit: Option<u32>) -> Result<Excerpt, ToolFailure> {
        Excerpt::of(text, &Input { path: "x".into(), offset, limit })
    }

    #[test]
    fn the_lines_asked_for_are_given() {
        let text = "a\nb\nc\nd\n";
        assert_eq!(excerpt(text, None, None).unwrap().text, "a\nb\nc\nd");
        let middle = excerpt(text, Some(2), Some(2)).unwrap();
        assert_eq!((middle.text.as_str(), middle.first, middle.count, middle.total), ("b\nc", 2, 2, 4));
        assert!(excerpt(text, Some(5), None).unwrap_err().message().contains("4 lines"));
        assert_eq!(excerpt(text, Some(0), Some(0)).unwrap().text, "a", "0 means the least");
    }

    #[test]
    fn a_long_file_stops_at_a_line_and_a_long_line_is_cut() {
        let long = format!("{}\n", "x".repeat(1000)).repeat(100);
        let part = excerpt(&long, None, None).unwrap();
        assert!(part.text.len() < MAX_REPLY_BYTES && part.count < part.total && !part.cut_a_line);
        let line = excerpt(&"ಕ".repeat(100_000), None, None).unwrap();
        assert!(line.cut_a_line && line.text.len() < MAX_REPLY_BYTES && line.count == 1);
    }
}
