use namma_core::Tool;
use namma_core::gate::{Facts, Look, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, Preview, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keeps a fact for later chats.
pub(crate) struct Remember;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// One sentence in the person's own words.
    text: String,
}

impl Tool for Remember {
    type Input = Input;
    const NAME: &'static str = "remember";
    const TOOLSET: &'static str = "memory";

    fn description(&self) -> &'static str {
        "Keeps a fact for later chats. Only when the person asks for it; never a secret."
    }

    // Without the text: titles are kept in more places than facts.
    fn title(&self, _: &Input) -> StepTitle {
        StepTitle { doing: "Remembering what you said".into(), done: "Remembered what you said".into() }
    }

    fn effects(&self, input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::Remember { text: Facts::sentence(&input.text)?.to_owned() }]))
    }

    async fn preview(&self, look: Look<'_, Self>) -> Result<Option<Preview>, ToolFailure> {
        look.memory().check(Facts::sentence(&look.input().text)?)?;
        Ok(None)
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let remembered = call.memory().remember(Facts::sentence(&call.input().text)?).await?;
        let id = &remembered.fact.id;
        Ok(match remembered.is_new {
            true => ToolOutput::ours(format!("remembered as `{id}`")).fact("1 fact"),
            false => ToolOutput::ours(format!("known already as `{id}`")).fact("known already"),
        })
    }
}
