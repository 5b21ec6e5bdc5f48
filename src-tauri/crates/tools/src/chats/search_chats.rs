use crate::words;
use namma_core::Tool;
use namma_core::gate::{Chats, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const USUAL_HITS: u32 = 8;
const MOST_HITS: u32 = 50;

/// Finds what was said in earlier chats.
pub(crate) struct SearchChats;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// What to look for: words, or a question.
    query: String,
    /// How many messages, 8 unless given.
    #[serde(default)]
    limit: Option<u32>,
}

impl Tool for SearchChats {
    type Input = Input;
    const NAME: &'static str = "search_chats";
    const TOOLSET: &'static str = "chats";

    fn description(&self) -> &'static str {
        "Finds messages of earlier chats with this person."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let query = words::one_line(&input.query);
        StepTitle {
            doing: format!("Looking for \"{query}\" in your chats"),
            done: format!("Looked for \"{query}\" in your chats"),
        }
    }

    fn effects(&self, input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        if input.query.trim().is_empty() {
            return Err(ToolFailure::bad_input("`query` is empty").hint("Give the words to look for."));
        }
        if input.query.chars().any(|c| c.is_control() && c != '\n') {
            return Err(ToolFailure::bad_input("`query` holds characters that cannot be seen"));
        }
        if input.limit == Some(0) {
            return Err(ToolFailure::bad_input("`limit` starts at 1"));
        }
        Ok(Effects::of([Effect::ReadSystem { what: Chats::KIND.into() }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let limit = call.input().limit.unwrap_or(USUAL_HITS).min(MOST_HITS);
        let hits = call.chats().search(&call.input().query, limit).await?;
        if hits.is_empty() {
            return Ok(ToolOutput::ours("no message fits").fact("0 messages"));
        }
        let lines: Vec<String> = hits
            .iter()
            .map(|hit| {
                let who = if hit.role == "user" { "person" } else { "assistant" };
                let day = jiff::Timestamp::from_millisecond(hit.created_at.0)
                    .map(|at| at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d").to_string())
                    .unwrap_or_default();
                let (title, excerpt) = (words::one_line(&hit.session_title), words::one_line(&hit.excerpt));
                format!("{day}, chat \"{title}\", {who}: {excerpt}")
            })
            .collect();
        let fact = words::count(hits.len(), "message");
        // An answer may repeat what a page or a file said.
        Ok(ToolOutput::outside(Taint::Document, "your chats", lines.join("\n")).fact(fact))
    }
}
