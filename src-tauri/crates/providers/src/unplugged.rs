//! Answers without a model: a small grammar of everyday requests, ordinary tool calls, and answers
//! from templates.
//!
//! It never guesses. A request is understood only when each of its words is accounted for; what is
//! not understood is said at once, with what is, and how to set up a model. Its tool calls pass the
//! gate like those of every model. To teach it a request: phrasings in `tests/unplugged`, patterns
//! in the file of the language, and where it is a new kind, a rule in `intent.rs`.

mod apps;
mod dates;
mod english;
mod extract;
mod grammar;
mod hindi;
mod intent;
mod kannada;
mod pattern;
mod phrases;
mod plan;
mod recalled;
mod slot;
mod sums;
mod tokens;
mod units;
mod vocabulary;
mod wording;

use futures_util::{StreamExt, stream};
use grammar::Grammar;
use intent::Intent;
use jiff::{Timestamp, Zoned};
use namma_core::BoxFuture;
use namma_core::ports::{
    Clock, ModelCall, ModelEvent, ModelMessage, ModelRequest, ModelStream, Provider, ProviderError, StopReason,
};
use namma_core::turn::CHECK;
use namma_protocol::ToolCallId;
use phrases::{Phrases, fill, phrases};
use plan::{Planned, plan};
use std::collections::VecDeque;
use std::sync::Arc;
use wording::Brought;

/// A provider that has no model and uses no network. Deterministic, and never fails.
pub fn unplugged(clock: Arc<dyn Clock>) -> Arc<dyn Provider> {
    Arc::new(Unplugged { grammar: Grammar::new(), clock })
}

struct Unplugged {
    grammar: Grammar,
    clock: Arc<dyn Clock>,
}

impl Provider for Unplugged {
    fn label(&self) -> &str {
        "Namma, without a model"
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        let step = self.step(&request);
        let stop = if step.calls.is_empty() { StopReason::End } else { StopReason::ToolCalls };
        let mut events: Vec<ModelEvent> =
            step.text.split_inclusive('\n').map(|line| ModelEvent::Text(line.to_owned())).collect();
        events.extend(step.calls.into_iter().map(ModelEvent::ToolCall));
        events.push(ModelEvent::Stop(stop));
        Box::pin(async { Ok(stream::iter(events).map(Ok).boxed()) })
    }
}

/// What is said and called in one step.
#[derive(Default)]
struct Step {
    text: String,
    calls: Vec<ModelCall>,
}

impl Unplugged {
    fn step(&self, request: &ModelRequest) -> Step {
        let messages = &request.messages;
        let Some(asked) = messages.iter().rposition(|message| matches!(message, ModelMessage::User { .. })) else {
            return Step::default();
        };
        // Our own look has failed already; there is no other.
        if matches!(&messages[asked], ModelMessage::User { text, .. } if text == CHECK) {
            return Step { text: unchecked(&messages[..asked]), calls: Vec::new() };
        }
        let mut step = self.answer(messages, asked, request);
        // A message that was added while the calls of the one before it ran: both are answered.
        let before = &messages[..asked];
        if matches!(before.last(), Some(ModelMessage::ToolResult { .. }))
            && let Some(earlier) = before.iter().rposition(|message| matches!(message, ModelMessage::User { .. }))
        {
            let done = self.answer(before, earlier, request);
            if done.calls.is_empty() {
                step.text = format!("{}\n\n{}", done.text, step.text).trim_end().to_owned();
            }
        }
        step
    }

    /// The next call for the question at `asked`, or the answer to it.
    fn answer(&self, messages: &[ModelMessage], asked: usize, request: &ModelRequest) -> Step {
        let Some(ModelMessage::User { text, .. }) = messages.get(asked) else { return Step::default() };
        let tokens = tokens::tokens(text).unwrap_or_default();
        let phrases = phrases(&tokens);
        let intent = self.now().and_then(|now| self.grammar.understand(text, &now));
        let Some(intent) = intent else {
            let about_a_change = grammar::mentions_a_change(text);
            return Step { text: not_understood(phrases, about_a_change), calls: Vec::new() };
        };
        let results = &messages[asked..];
        let mut brought = Vec::new();
        let mut planned: VecDeque<Planned> = plan(&intent).into();
        while let Some(next) = planned.pop_front() {
            let Some(result) = result_of(results, &next) else { return call(&next, request, phrases) };
            brought.push(result);
            if result.is_error {
                break;
            }
            planned.extend(recalled::to_forget(&intent, &brought));
        }
        Step { text: said(&intent, &brought, phrases), calls: Vec::new() }
    }

    fn now(&self) -> Option<Zoned> {
        let now = Timestamp::from_millisecond(self.clock.now().0).ok()?;
        Some(now.to_zoned(self.clock.zone()))
    }
}

fn said(intent: &Intent, brought: &[Brought<'_>], phrases: &Phrases) -> String {
    let text = wording::answer(intent, brought, phrases);
    if matches!(intent, Intent::Lacks(_)) { format!("{text}\n\n{}", phrases.offer) } else { text }
}

/// That a change was not looked at, in the language of the request before.
fn unchecked(messages: &[ModelMessage]) -> String {
    let asked = messages.iter().rev().find_map(|message| match message {
        ModelMessage::User { text, .. } => tokens::tokens(text),
        ModelMessage::Assistant { .. } | ModelMessage::ToolResult { .. } => None,
    });
    phrases(&asked.unwrap_or_default()).unchecked.to_owned()
}

fn not_understood(phrases: &Phrases, about_a_change: bool) -> String {
    let mut parts = vec![phrases.unknown];
    if about_a_change {
        parts.push(phrases.exact_name);
    }
    parts.extend([phrases.help, phrases.offer]);
    parts.join("\n\n")
}

/// The call, unless this chat cannot make it.
fn call(planned: &Planned, request: &ModelRequest, phrases: &Phrases) -> Step {
    if request.tools.is_empty() {
        return Step { text: phrases.chat_mode.to_owned(), calls: Vec::new() };
    }
    if !request.tools.iter().any(|tool| tool.name == planned.tool) {
        return Step { text: fill(phrases.no_tool, &[planned.tool]), calls: Vec::new() };
    }
    let call =
        ModelCall { id: ToolCallId::fresh(), name: planned.tool.to_owned(), arguments: planned.arguments.to_string() };
    Step { text: String::new(), calls: vec![call] }
}

/// What this very call brought back. Calls that another model made in the same turn are not ours.
fn result_of<'a>(messages: &'a [ModelMessage], planned: &Planned) -> Option<Brought<'a>> {
    let is_planned = |call: &ModelCall| {
        call.name == planned.tool
            && serde_json::from_str::<serde_json::Value>(&call.arguments).is_ok_and(|given| given == planned.arguments)
    };
    let made = messages.iter().filter_map(|message| match message {
        ModelMessage::Assistant { calls, .. } => Some(calls),
        ModelMessage::User { .. } | ModelMessage::ToolResult { .. } => None,
    });
    let id = made.flatten().find(|call| is_planned(call)).map(|call| &call.id)?;
    messages.iter().find_map(|message| match message {
        ModelMessage::ToolResult { call_id, content, is_error, .. } if call_id == id => {
            Some(Brought { content, is_error: *is_error })
        }
        _ => None,
    })
}
