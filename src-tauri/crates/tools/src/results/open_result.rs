use crate::words;
use namma_core::Tool;
use namma_core::gate::{EarlierResults, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, StepTitle, ToolCallId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines shown when nobody says how many.
const USUAL_LINES: usize = 200;
const MOST_LINES: usize = 2000;

/// Lines with the text that was looked for, at most.
const MOST_FOUND: usize = 100;

/// A line longer than this is cut where it is listed: one line may be a whole file.
const MOST_LINE_CHARS: usize = 2000;

/// Shows what was left out of a shortened result.
pub(crate) struct OpenResult;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The id in the shortened result.
    id: String,
    /// The first line to show, counted from 1.
    #[serde(default)]
    from_line: Option<usize>,
    /// How many lines, 200 unless given.
    #[serde(default)]
    lines: Option<usize>,
    /// Show only lines with this text, whatever their case.
    #[serde(default)]
    find: Option<String>,
}

impl Tool for OpenResult {
    type Input = Input;
    const NAME: &'static str = "open_result";
    const TOOLSET: &'static str = "results";

    fn description(&self) -> &'static str {
        "Shows more of an earlier tool result that was shortened: a page of its lines, or those with a text."
    }

    fn title(&self, input: &Input) -> StepTitle {
        match &input.find {
            Some(text) => {
                let text = words::one_line(text);
                StepTitle {
                    doing: format!("Looking for \"{text}\" in an earlier result"),
                    done: format!("Looked for \"{text}\" in an earlier result"),
                }
            }
            None => StepTitle {
                doing: "Reading on in an earlier result".into(),
                done: "Read on in an earlier result".into(),
            },
        }
    }

    fn effects(&self, input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        if input.id.trim().is_empty() || input.id.chars().any(|c| !c.is_ascii_graphic()) {
            return Err(ToolFailure::bad_input("`id` is not the id of a result")
                .hint("Use the id that stands in the shortened result, exactly."));
        }
        if input.from_line == Some(0) || input.lines == Some(0) {
            return Err(ToolFailure::bad_input("lines are counted from 1"));
        }
        if input.find.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(ToolFailure::bad_input("`find` is empty").hint("Leave it out to see the lines themselves."));
        }
        Ok(Effects::of([Effect::ReadSystem { what: EarlierResults::KIND.into() }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let input = call.input();
        let result = call.results().open(&ToolCallId::from(input.id.trim())).await?;
        let lines: Vec<&str> = result.content.lines().collect();
        let (content, fact) = match &input.find {
            Some(text) => found(&lines, text),
            None => page(&lines, input.from_line.unwrap_or(1), input.lines.unwrap_or(USUAL_LINES).min(MOST_LINES))?,
        };
        Ok(ToolOutput::kept(result.taint, content).fact(fact))
    }
}

fn page(lines: &[&str], from: usize, most: usize) -> Result<(String, String), ToolFailure> {
    let rest = lines
        .get(from - 1..)
        .filter(|rest| !rest.is_empty())
        .ok_or_else(|| ToolFailure::bad_input(format!("the result has only {}", words::count(lines.len(), "line"))))?;
    let shown = &rest[..rest.len().min(most)];
    let last = from - 1 + shown.len();
    let mut content = format!("lines {from} to {last} of {}:\n", lines.len());
    content.extend(shown.iter().flat_map(|line| [line, "\n"]));
    Ok((content, words::count(shown.len(), "line")))
}

fn found(lines: &[&str], text: &str) -> (String, String) {
    let wanted = text.to_lowercase();
    let mut hits = lines.iter().enumerate().filter(|(_, line)| line.to_lowercase().contains(&wanted));
    let shown: Vec<String> = hits
        .by_ref()
        .take(MOST_FOUND)
        .map(|(index, line)| {
            let cut: String = line.chars().take(MOST_LINE_CHARS).collect();
            format!("{}: {cut}", index + 1)
        })
        .collect();
    let more = hits.count();
    let fact = words::count(shown.len() + more, "hit");
    let mut content = if shown.is_empty() { "no line has this text".to_owned() } else { shown.join("\n") };
    if more > 0 {
        content.push_str(&format!("\n[{more} more lines have it]"));
    }
    (content, fact)
}

#[cfg(test)]
mod tests {
    use super::{found, page};

    #[test]
    fn a_page_says_which_lines_it_shows() {
        let lines = ["a", "b", "c"];
        assert_eq!(page(&lines, 2, 1).unwrap(), ("lines 2 to 2 of 3:\nb\n".into(), "1 line".into()));
        assert_eq!(page(&lines, 2, 9).unwrap().0, "lines 2 to 3 of 3:\nb\nc\n");
        assert!(page(&lines, 4, 1).unwrap_err().message().contains("only 3 lines"));
        assert!(page(&[], 1, 1).is_err());
    }

    #[test]
    fn lines_are_found_in_any_case_with_their_number() {
        assert_eq!(found(&["One", "two", "ONE more"], "one").0, "1: One\n3: ONE more");
        assert_eq!(found(&["One"], "x").0, "no line has this text");
        let many = vec!["same"; 150];
        assert!(found(&many, "same").0.ends_with("[50 more lines have it]"));
    }
}
