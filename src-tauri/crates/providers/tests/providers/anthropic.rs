//! The messages dialect: what is sent, and what comes of what real servers send.

use crate::support::{
    Step, ask, brought, looked, made, named_events as stream, question, replays_in, speaking, step_in, tool,
};
use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ProviderError, Replay, StopReason};
use namma_protocol::Usage;
use namma_providers::{Dialect, EndpointConfig, connect, list_models, test_endpoint};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::{Value, json};

fn anthropic(server: &SseServer) -> EndpointConfig {
    speaking(Dialect::Anthropic, server)
}

fn start() -> Value {
    json!({ "type": "message_start", "message": { "id": "msg_1", "role": "assistant", "content": [],
        "usage": { "input_tokens": 7, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 3, "output_tokens": 1 } } })
}

fn begin(index: u32, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u32, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn end(index: u32) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn stop(reason: &str) -> Vec<Value> {
    vec![
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 42 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn whole() -> Vec<Value> {
    let mut events = vec![
        start(),
        json!({ "type": "ping" }),
        begin(0, json!({ "type": "thinking", "thinking": "" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "ಯೋಚಿಸು" })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        end(0),
        begin(1, json!({ "type": "redacted_thinking", "data": "ZW5j" })),
        end(1),
        begin(2, json!({ "type": "text", "text": "" })),
        delta(2, json!({ "type": "text_delta", "text": "I will " })),
        delta(2, json!({ "type": "text_delta", "text": "look 🙏." })),
        end(2),
        begin(3, json!({ "type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {} })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "{\"path\":" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "\"a.txt\"}" })),
        end(3),
        begin(4, json!({ "type": "tool_use", "id": "toolu_2", "name": "list_dir", "input": {} })),
        end(4),
    ];
    events.extend(stop("tool_use"));
    events
}

fn whole_step() -> Step {
    looked(Usage {
        input_tokens: 100,
        output_tokens: 42,
        cached_tokens: 90,
        reasoning_tokens: 0,
        cache_write_tokens: 3,
    })
}

async fn step_of(reply: Reply) -> Step {
    step_in(Dialect::Anthropic, reply).await
}

#[tokio::test]
async fn text_thinking_calls_usage_and_stop_arrive() {
    assert_eq!(step_of(stream(&whole())).await, whole_step());
}

#[tokio::test]
async fn signed_thinking_is_given_for_the_next_step() {
    let replays = replays_in(Dialect::Anthropic, stream(&whole())).await;
    let thinking = json!({ "type": "thinking", "thinking": "ಯೋಚಿಸು", "signature": "c2ln" });
    let redacted = json!({ "type": "redacted_thinking", "data": "ZW5j" });
    assert_eq!(replays, [Replay { dialect: "anthropic", data: json!([thinking, redacted]) }]);
}

/// llama-server begins the next part before it ends the last, and leaves `input` out.
#[tokio::test]
async fn parts_that_overlap_find_their_pieces() {
    let mut events = vec![
        start(),
        begin(0, json!({ "type": "text" })),
        begin(1, json!({ "type": "tool_use", "id": "a", "name": "f" })),
        begin(2, json!({ "type": "tool_use", "id": "b", "name": "g" })),
        delta(1, json!({ "type": "input_json_delta", "partial_json": "{\"x\"" })),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "{\"y\":2}" })),
        delta(0, json!({ "type": "text_delta", "text": "hm" })),
        delta(1, json!({ "type": "input_json_delta", "partial_json": ":1}" })),
    ];
    events.extend(stop("tool_use"));
    let step = step_of(stream(&events)).await;
    assert_eq!(step.text, "hm");
    assert_eq!(step.calls, [("f".to_owned(), "{\"x\":1}".to_owned()), ("g".to_owned(), "{\"y\":2}".to_owned())]);
}

#[tokio::test]
async fn each_reason_to_stop_is_understood() {
    let table = [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("tool_use", StopReason::ToolCalls),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::ContentFilter),
        ("pause_turn", StopReason::Other(Some("pause_turn".to_owned()))),
    ];
    for (word, reason) in table {
        let step = step_of(stream(&[vec![start()], stop(word)].concat())).await;
        assert_eq!((step.stop, step.error), (Some(reason), None), "{word}");
    }
}

#[tokio::test]
async fn faults_in_the_stream_and_before_it_are_told_apart() {
    let error = |kind: &str, message: &str| json!({ "type": "error", "error": { "type": kind, "message": message } });
    let broken = step_of(stream(&[start(), error("overloaded_error", "Overloaded")])).await;
    assert!(matches!(broken.error, Some(ProviderError::ServerFailed { .. })), "{broken:?}");
    let limited = step_of(stream(&[start(), error("rate_limit_error", "slow down")])).await;
    assert!(matches!(limited.error, Some(ProviderError::RateLimited { .. })), "{limited:?}");
    let refused = [
        (401, "authentication_error", "invalid x-api-key", "KeyRefused"),
        (400, "invalid_request_error", "Your credit balance is too low to access the API", "NoCredit"),
        (404, "not_found_error", "model: claude-9", "ModelNotFound"),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "ContextTooLong"),
        (413, "request_too_large", "Request exceeds the maximum size", "ContextTooLong"),
        (429, "rate_limit_error", "This request would exceed your rate limit", "RateLimited"),
        (529, "overloaded_error", "Overloaded", "ServerFailed"),
    ];
    for (status, kind, message, expected) in refused {
        let step = step_of(Reply::json(status, &error(kind, message))).await;
        let found = format!("{:?}", step.error.unwrap());
        assert!(found.starts_with(expected), "{status} {kind}: {found}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let document = json!({ "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [
        { "type": "text", "text": "hi" }, { "type": "tool_use", "id": "x", "name": "f", "input": { "a": 1 } }
    ], "usage": { "input_tokens": 10, "output_tokens": 5 } });
    let step = step_of(Reply::json(200, &document)).await;
    assert_eq!(step, Step { text: "hi".to_owned(), ..Step::calls(&[("f", "{\"a\":1}")]) });
}

#[tokio::test]
async fn a_request_keeps_the_rules_of_the_vendor() {
    let server = SseServer::replays([stream(&whole())]).await;
    let thinking = json!([{ "type": "thinking", "thinking": "t", "signature": "s" }]);
    let assistant = |calls: Vec<ModelCall>, replay: Option<Replay>| ModelMessage::Assistant {
        text: "on it".to_owned(),
        calls,
        replay,
    };
    let ours = Replay { dialect: "anthropic", data: thinking.clone() };
    let theirs = Replay { dialect: "another", data: json!(["x"]) };
    let request = ModelRequest {
        system: "be kind".to_owned(),
        tools: vec![tool("f"), tool("g.h")],
        messages: vec![
            ModelMessage::User { text: "hello".to_owned(), images: Vec::new() },
            ModelMessage::Assistant { text: String::new(), calls: Vec::new(), replay: None },
            assistant(vec![made("call_1", "{\"a\":1}"), made("call_2", "{\"a\":")], Some(ours)),
            brought("call_1", false),
            brought("call_2", true),
            ModelMessage::User { text: "and quickly".to_owned(), images: Vec::new() },
            assistant(vec![made("call_3", "")], Some(theirs)),
            brought("call_3", false),
        ],
        ..question("x")
    };
    ask(&connect(anthropic(&server)), request).await;
    let sent = server.body(0);
    let request = &server.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(request.header("x-api-key"), Some("sk-secret-key-1234"));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert!(sent["max_tokens"].as_u64().is_some_and(|cap| cap > 0));
    let mark = json!({ "type": "ephemeral" });
    assert_eq!(sent["system"], json!([{ "type": "text", "text": "be kind", "cache_control": mark }]));
    assert_eq!(sent["tools"][0]["input_schema"], json!({ "type": "object", "properties": {} }));
    assert!(sent["tools"][1]["name"].as_str().is_some_and(|name| name.starts_with("g_h_")));
    let text = |text: &str| json!({ "type": "text", "text": text });
    let used = |id: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": "f", "input": input });
    let told = |id: &str, is_error: bool| json!({ "type": "tool_result", "tool_use_id": id, "content": "done", "is_error": is_error });
    let mut last = told("call_3", false);
    last["cache_control"] = mark;
    let expected = json!([
        { "role": "user", "content": [text("hello")] },
        { "role": "assistant", "content": [thinking[0], text("on it"), used("call_1", json!({ "a": 1 })), used("call_2", json!({}))] },
        { "role": "user", "content": [told("call_1", false), told("call_2", true), text("and quickly")] },
        { "role": "assistant", "content": [text("on it"), used("call_3", json!({}))] },
        { "role": "user", "content": [last] },
    ]);
    assert_eq!(sent["messages"], expected);
}

#[tokio::test]
async fn a_cap_that_the_model_states_is_obeyed_once_and_remembered() {
    let words = "max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens for test-model";
    let refusal = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": words } });
    let answer = || stream(&[vec![start()], stop("end_turn")].concat());
    let server = SseServer::replays([Reply::json(400, &refusal), answer(), answer(), Reply::json(400, &refusal)]).await;
    let provider = connect(anthropic(&server));
    for _ in 0..2 {
        assert_eq!(ask(&provider, question("hello")).await.error, None);
    }
    let caps: Vec<_> = (0..3).map(|number| server.body(number)["max_tokens"].as_u64().unwrap()).collect();
    assert_eq!(caps[1..], [4096, 4096]);
    assert!(caps[0] > 4096);
    let refused = ask(&provider, question("again")).await;
    assert!(matches!(refused.error, Some(ProviderError::BadRequest { .. })), "no endless bargaining: {refused:?}");
    assert_eq!(server.request_count(), 4);
}

#[tokio::test]
async fn an_endpoint_is_tested_and_its_models_are_listed() {
    let models =
        json!({ "data": [{ "type": "model", "id": "claude-x", "display_name": "Claude X" }], "has_more": false });
    let answer =
        stream(&[vec![start(), begin(0, json!({ "type": "text", "text": "ready" }))], stop("end_turn")].concat());
    let server = SseServer::replays([Reply::json(200, &models), answer]).await;
    assert_eq!(list_models(&anthropic(&server)).await.unwrap(), ["claude-x"]);
    assert_eq!(test_endpoint(&anthropic(&server), "claude-x").await.unwrap().model, "claude-x");
    assert!(server.requests().iter().all(|request| request.header("x-api-key").is_some()));
}

#[tokio::test]
async fn the_dialect_follows_from_the_address() {
    let speaks = |address: &str| EndpointConfig::new("x", namma_providers::parse_base_url(address).unwrap()).dialect;
    assert_eq!(speaks("api.anthropic.com"), Dialect::Anthropic);
    assert_eq!(speaks("https://openrouter.ai/api/v1"), Dialect::ChatCompletions);
    let server = SseServer::replays([Reply::silence()]).await;
    assert_eq!(connect(anthropic(&server)).label(), "test server");
}
