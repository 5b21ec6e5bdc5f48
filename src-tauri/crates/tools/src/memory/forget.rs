use crate::words;
use namma_core::Tool;
use namma_core::gate::{Look, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, FactId, Preview, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More at once cannot be read before it is approved.
const MOST_FACTS: usize = 50;

/// Removes facts for good.
pub(crate) struct Forget;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The ids that recall gave.
    ids: Vec<String>,
}

impl Tool for Forget {
    type Input = Input;
    const NAME: &'static str = "forget";
    const TOOLSET: &'static str = "memory";

    fn description(&self) -> &'static str {
        "Removes remembered facts for good, when the person asks for it."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let what = words::count(input.ids.len(), "fact");
        StepTitle { doing: format!("Forgetting {what}"), done: format!("Forgot {what}") }
    }

    fn effects(&self, input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::Forget { facts: facts(input)? }]))
    }

    async fn preview(&self, look: Look<'_, Self>) -> Result<Option<Preview>, ToolFailure> {
        let facts = look.memory().to_forget(&facts(look.input())?).await?;
        Ok(Some(Preview::Facts { facts: facts.into_iter().map(|fact| fact.sentence).collect() }))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let gone = call.memory().forget(&facts(call.input())?).await?;
        let fact = words::count(gone as usize, "fact");
        Ok(ToolOutput::ours(format!("forgot {fact} for good")).fact(fact))
    }
}

fn facts(input: &Input) -> Result<Vec<FactId>, ToolFailure> {
    let bad = |message: &str| {
        Err(ToolFailure::bad_input(message.to_owned())
            .hint("The ids are those that `recall`, or `namma memory list` in a terminal, shows, exactly."))
    };
    if input.ids.is_empty() {
        return bad("`ids` is empty");
    }
    if input.ids.len() > MOST_FACTS {
        return bad("`ids` has more than 50 facts, and at most 50 are forgotten at once");
    }
    if input.ids.iter().any(|id| id.is_empty() || id.chars().any(|c| !c.is_ascii_graphic())) {
        return bad("`ids` holds something that is not the id of a fact");
    }
    let mut facts: Vec<FactId> = Vec::with_capacity(input.ids.len());
    for id in &input.ids {
        let id = FactId::from(id.as_str());
        if !facts.contains(&id) {
            facts.push(id);
        }
    }
    Ok(facts)
}
