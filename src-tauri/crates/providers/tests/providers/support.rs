use futures_util::StreamExt;
use namma_core::ports::{ModelCall, ModelEvent, ModelMessage, ModelRequest, Provider, Replay, ToolSpec};
use namma_protocol::Usage;
use namma_providers::{Dialect, EndpointConfig, connect, parse_base_url};
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::Wire;
use serde_json::json;
use std::sync::Arc;

pub(crate) use namma_testkit::Heard as Step;

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

pub(crate) fn usage(input_tokens: u32, output_tokens: u32) -> Usage {
    Usage { input_tokens, output_tokens, ..Usage::default() }
}

/// Asks, and reads the step to its end.
pub(crate) async fn ask(provider: &Arc<dyn Provider>, request: ModelRequest) -> Step {
    match provider.stream(request).await {
        Ok(events) => Step::listen(events).await,
        Err(error) => Step::failed(error),
    }
}

/// The endpoint of that server, in a dialect.
pub(crate) fn speaking(dialect: Dialect, server: &SseServer) -> EndpointConfig {
    EndpointConfig { dialect, ..endpoint(server) }
}

/// The adapter of a dialect, for that server.
pub(crate) fn adapter(server: &SseServer, wire: &Wire) -> Arc<dyn Provider> {
    connect(speaking(dialect(wire), server))
}

/// The dialect that is spoken on a wire.
pub(crate) fn dialect(wire: &Wire) -> Dialect {
    match wire {
        Wire::Chat(_) => Dialect::ChatCompletions,
        Wire::Messages(_) => Dialect::Anthropic,
        Wire::Contents(_) => Dialect::Gemini,
        Wire::Responses(_) => Dialect::Responses,
    }
}

/// What the adapter makes of one scripted reply.
pub(crate) async fn step_of(reply: Reply) -> Step {
    let server = SseServer::replays([reply]).await;
    ask(&provider(&server), question("hello")).await
}

/// What the adapter of a dialect makes of one scripted reply.
pub(crate) async fn step_in(dialect: Dialect, reply: Reply) -> Step {
    let server = SseServer::replays([reply]).await;
    ask(&connect(speaking(dialect, &server)), question("hello")).await
}

/// What the adapter of a dialect keeps of that reply for the next step.
pub(crate) async fn replays_in(dialect: Dialect, reply: Reply) -> Vec<Replay> {
    let server = SseServer::replays([reply]).await;
    let mut events = connect(speaking(dialect, &server)).stream(question("hello")).await.expect("a stream");
    let mut replays = Vec::new();
    while let Some(event) = events.next().await {
        if let Ok(ModelEvent::Replay(replay)) = event {
            replays.push(replay);
        }
    }
    replays
}

/// The step that each dialect writes in its own way: a thought, a text and two calls.
pub(crate) fn looked(usage: Usage) -> Step {
    Step {
        text: "I will look 🙏.".to_owned(),
        thinking: "ಯೋಚಿಸು".to_owned(),
        usage: Some(usage),
        ..Step::calls(&[("read_file", "{\"path\":\"a.txt\"}"), ("list_dir", "{}")])
    }
}

/// A tool that takes nothing; its schema names its dialect.
pub(crate) fn tool(name: &str) -> ToolSpec {
    let parameters = json!({ "$schema": "x", "type": "object", "properties": {} });
    ToolSpec { name: name.to_owned(), description: "Does it.".to_owned(), parameters }
}

/// A call of `f` as the model made it.
pub(crate) fn made(id: &str, arguments: &str) -> ModelCall {
    ModelCall { id: id.into(), name: "f".to_owned(), arguments: arguments.to_owned() }
}

/// What a call of `f` brought back.
pub(crate) fn brought(id: &str, is_error: bool) -> ModelMessage {
    let (call_id, tool, content) = (id.into(), "f".to_owned(), "done".to_owned());
    ModelMessage::ToolResult { call_id, tool, content, images: Vec::new(), is_error }
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
