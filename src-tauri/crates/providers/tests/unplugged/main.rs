//! What is answered without a model, through the provider's own door.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; figures are printed"
)]

mod conversation;
mod table;

use futures_util::StreamExt;
use jiff::civil::date;
use jiff::tz::TimeZone;
use namma_core::ports::{ModelEvent, ModelMessage, ModelRequest, Provider, StopReason, ToolSpec};
use namma_protocol::UnixMs;
use namma_testkit::ManualClock;
use serde_json::Value;
use std::sync::Arc;

/// One step: its words, and its calls by name and arguments.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Step {
    pub(crate) text: String,
    pub(crate) calls: Vec<(String, Value)>,
}

/// Monday, 30 November 2026, 16:05 in Kolkata.
pub(crate) fn provider() -> Arc<dyn Provider> {
    let zone = TimeZone::get("Asia/Kolkata").unwrap();
    let now = date(2026, 11, 30).at(16, 5, 0, 0).to_zoned(zone.clone()).unwrap();
    let clock = ManualClock::at(UnixMs(now.timestamp().as_millisecond()));
    clock.set_zone(zone);
    namma_providers::unplugged(Arc::new(clock))
}

/// The tools of agent mode.
pub(crate) fn tools() -> Vec<ToolSpec> {
    [
        "read_file",
        "list_dir",
        "find_files",
        "move_path",
        "delete_path",
        "make_dir",
        "system_info",
        "search_chats",
        "open_target",
        "run_shell",
        "remember",
        "recall",
        "forget",
    ]
    .map(|name| ToolSpec { name: name.into(), description: String::new(), parameters: Value::Null })
    .into()
}

pub(crate) async fn step(provider: &dyn Provider, messages: Vec<ModelMessage>, tools: Vec<ToolSpec>) -> Step {
    let request = ModelRequest { messages, tools, ..ModelRequest::default() };
    let mut stream = provider.stream(request).await.unwrap();
    let (mut step, mut stop) = (Step::default(), None);
    while let Some(event) = stream.next().await {
        assert_eq!(stop, None, "nothing follows the end");
        match event.unwrap() {
            ModelEvent::Text(text) => step.text.push_str(&text),
            ModelEvent::ToolCall(call) => step.calls.push((call.name, call.arguments.parse().unwrap())),
            ModelEvent::Stop(reason) => stop = Some(reason),
            other => panic!("{other:?}"),
        }
    }
    let expected = if step.calls.is_empty() { StopReason::End } else { StopReason::ToolCalls };
    assert_eq!(stop, Some(expected));
    assert!(!step.text.trim().is_empty() || !step.calls.is_empty(), "a step is never empty");
    step
}

pub(crate) fn user(text: &str) -> ModelMessage {
    ModelMessage::User { text: text.into(), images: Vec::new() }
}
