use futures_util::StreamExt;
use namma_core::ports::{ModelCall, ModelEvent, ModelMessage, ModelRequest, Provider, ProviderError, StopReason};
use namma_protocol::Usage;
use namma_providers::{EndpointConfig, connect, parse_base_url};
use namma_testkit::sse_server::{Reply, SseServer};
use std::sync::Arc;

/// The endpoint of that server, with a key.
pub(crate) fn endpoint(server: &SseServer) -> EndpointConfig {
    let base_url = parse_base_url(&server.base_url()).expect("the server's address");
    EndpointConfig::new("test server", base_url).with_key("sk-secret-key-1234")
}

/// The adapter under test.
pub(crate) fn provider(server: &SseServer) -> Arc<dyn Provider> {
    connect(endpoint(server))
}

/// A question to `test-model`.
pub(crate) fn question(text: &str) -> ModelRequest {
    ModelRequest {
        model: "test-model".to_owned(),
        messages: vec![ModelMessage::User { text: text.to_owned(), images: Vec::new() }],
        ..ModelRequest::default()
    }
}

/// Everything one step said, joined.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Step {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) calls: Vec<(String, String)>,
    pub(crate) usage: Option<Usage>,
    pub(crate) stop: Option<StopReason>,
    pub(crate) error: Option<ProviderError>,
}

impl Step {
    /// A step that ended as it should, with nothing but text.
    pub(crate) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), stop: Some(StopReason::End), usage: Some(usage(10, 5)), ..Self::default() }
    }

    /// A step that ended with these calls.
    pub(crate) fn calls(calls: &[(&str, &str)]) -> Self {
        let calls = calls.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned())).collect();
        Self { calls, stop: Some(StopReason::ToolCalls), usage: Some(usage(10, 5)), ..Self::default() }
    }
}

pub(crate) fn usage(input_tokens: u32, output_tokens: u32) -> Usage {
    Usage { input_tokens, output_tokens, ..Usage::default() }
}

/// Asks, and reads the step to its end. Nothing may follow a stop or an error.
pub(crate) async fn ask(provider: &Arc<dyn Provider>, request: ModelRequest) -> Step {
    let mut step = Step::default();
    let mut stream = match provider.stream(request).await {
        Ok(stream) => stream,
        Err(error) => return Step { error: Some(error), ..step },
    };
    let mut ids = Vec::new();
    while let Some(event) = stream.next().await {
        assert!(step.stop.is_none() && step.error.is_none(), "{event:?} came after the end of {step:?}");
        match event {
            Ok(ModelEvent::Text(text)) => step.text.push_str(&text),
            Ok(ModelEvent::Thinking(text)) => step.thinking.push_str(&text),
            Ok(ModelEvent::ToolCall(ModelCall { id, name, arguments })) => {
                assert!(!ids.contains(&id), "each call has an id of its own");
                ids.push(id);
                step.calls.push((name, arguments));
            }
            Ok(ModelEvent::Usage(usage)) => step.usage = Some(usage),
            Ok(ModelEvent::Replay(_)) => {}
            Ok(ModelEvent::Stop(reason)) => step.stop = Some(reason),
            Err(error) => step.error = Some(error),
        }
    }
    step
}

/// What the adapter makes of one scripted reply.
pub(crate) async fn step_of(reply: Reply) -> Step {
    let server = SseServer::replays([reply]).await;
    ask(&provider(&server), question("hello")).await
}

/// What the adapter makes of these events' data.
pub(crate) async fn step_of_events(events: &[&str]) -> Step {
    step_of(Reply::events(events.iter().map(|data| format!("data: {data}\n\n")).collect::<String>())).await
}

/// A stream of these events, each named by its type as Anthropic and OpenAI do.
pub(crate) fn named_events(events: &[serde_json::Value]) -> Reply {
    let event =
        |event: &serde_json::Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("x"));
    Reply::events(events.iter().map(event).collect::<String>())
}
