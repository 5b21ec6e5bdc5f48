//! The dialect of responses: what is sent, and what comes of what servers send.

use crate::support::{
    Step, ask, brought, looked, made, named_events as stream, question, replays_in, speaking, step_in, tool,
};
use namma_core::ports::{ModelMessage, ModelRequest, ProviderError, Replay, StopReason};
use namma_protocol::Usage;
use namma_providers::{Dialect, EndpointConfig, connect, parse_base_url, test_endpoint};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::{Value, json};

fn responses(server: &SseServer) -> EndpointConfig {
    speaking(Dialect::Responses, server)
}

fn delta(kind: &str, place: u32, text: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "output_index": place, "item_id": "x", "delta": text })
}

fn added(place: u32, item: Value) -> Value {
    json!({ "type": "response.output_item.added", "output_index": place, "item": item })
}

fn done(place: u32, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": place, "item": item })
}

fn closed(kind: &str, mut response: Value) -> Value {
    response["usage"] = json!({ "input_tokens": 100, "input_tokens_details": { "cached_tokens": 90 },
        "output_tokens": 42, "output_tokens_details": { "reasoning_tokens": 12 }, "total_tokens": 142 });
    json!({ "type": format!("response.{kind}"), "response": response })
}

fn thought() -> Value {
    json!({ "id": "rs_1", "type": "reasoning", "summary": [{ "type": "summary_text", "text": "ಯೋಚಿಸು" }],
        "encrypted_content": "ZW5j" })
}

fn call(name: &str, arguments: &str) -> Value {
    json!({ "id": "fc_1", "type": "function_call", "call_id": "call_x", "name": name, "arguments": arguments })
}

fn message(text: &str) -> Value {
    json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] })
}

fn whole() -> Vec<Value> {
    vec![
        json!({ "type": "response.created", "response": { "status": "in_progress" } }),
        added(0, json!({ "type": "reasoning", "summary": [] })),
        delta("reasoning_summary_text", 0, "ಯೋಚಿಸು"),
        done(0, thought()),
        added(1, json!({ "type": "message", "content": [] })),
        delta("output_text", 1, "I will "),
        delta("output_text", 1, "look 🙏."),
        done(1, message("I will look 🙏.")),
        added(2, call("read_file", "")),
        delta("function_call_arguments", 2, "{\"path\":"),
        added(3, call("list_dir", "")),
        delta("function_call_arguments", 2, "\"a.txt\"}"),
        done(2, call("read_file", "{\"path\":\"a.txt\"}")),
        delta("function_call_arguments", 3, "{}"),
        done(3, call("list_dir", "{}")),
        closed("completed", json!({ "status": "completed" })),
    ]
}

fn whole_step() -> Step {
    looked(Usage {
        input_tokens: 100,
        output_tokens: 42,
        cached_tokens: 90,
        reasoning_tokens: 12,
        cache_write_tokens: 0,
    })
}

async fn step_of(reply: Reply) -> Step {
    step_in(Dialect::Responses, reply).await
}

#[tokio::test]
async fn text_thinking_calls_usage_and_stop_arrive() {
    assert_eq!(step_of(stream(&whole())).await, whole_step());
}

#[tokio::test]
async fn parts_that_come_whole_are_told_once() {
    let events = [
        done(0, thought()),
        done(1, message("I will look 🙏.")),
        done(2, call("read_file", "{\"path\":\"a.txt\"}")),
        done(3, call("list_dir", "{}")),
        closed("completed", json!({ "status": "completed" })),
    ];
    assert_eq!(step_of(stream(&events)).await, whole_step());
    let document = closed(
        "completed",
        json!({ "status": "completed", "output": [
        thought(), message("I will look 🙏."), call("read_file", "{\"path\":\"a.txt\"}"), call("list_dir", "{}"),
    ] }),
    );
    assert_eq!(step_of(Reply::json(200, &document["response"])).await, whole_step());
}

#[tokio::test]
async fn encrypted_thinking_is_given_for_the_next_step() {
    let replays = replays_in(Dialect::Responses, stream(&whole())).await;
    assert_eq!(replays, [Replay { dialect: "responses", data: json!([thought()]) }]);
}

#[tokio::test]
async fn each_way_to_end_is_understood() {
    let incomplete = |reason: &str| json!({ "status": "incomplete", "incomplete_details": { "reason": reason } });
    let table = [
        (closed("completed", json!({ "status": "completed" })), StopReason::End),
        (closed("incomplete", incomplete("max_output_tokens")), StopReason::Length),
        (closed("incomplete", incomplete("content_filter")), StopReason::ContentFilter),
        (closed("completed", json!({ "status": "cancelled" })), StopReason::Other(Some("cancelled".to_owned()))),
    ];
    for (end, reason) in table {
        let step = step_of(stream(&[delta("output_text", 0, "x"), end.clone()])).await;
        assert_eq!((step.stop, step.error), (Some(reason), None), "{end}");
    }
    let error = json!({ "code": "rate_limit_exceeded", "message": "Rate limit reached" });
    let failed = step_of(stream(&[closed("failed", json!({ "status": "failed", "error": error }))])).await;
    assert!(matches!(failed.error, Some(ProviderError::RateLimited { .. })), "{failed:?}");
    let broken = step_of(stream(&[json!({ "type": "error", "code": "server_error", "message": "oops" })])).await;
    assert!(matches!(broken.error, Some(ProviderError::ServerFailed { .. })), "{broken:?}");
}

#[tokio::test]
async fn a_request_keeps_the_rules_of_the_vendor() {
    let server = SseServer::replays([stream(&whole())]).await;
    let request = ModelRequest {
        system: "be kind".to_owned(),
        tools: vec![tool("f")],
        max_output_tokens: Some(4),
        messages: vec![
            ModelMessage::User { text: "hello".to_owned(), images: Vec::new() },
            ModelMessage::Assistant {
                text: "on it".to_owned(),
                calls: vec![made("call_1", "{\"a\":1}"), made("call_2", "{\"a\":")],
                replay: Some(Replay { dialect: "responses", data: json!([thought()]) }),
            },
            brought("call_1", false),
        ],
        ..question("x")
    };
    ask(&connect(responses(&server)), request).await;
    let sent = server.body(0);
    let head = &server.requests()[0];
    assert_eq!(
        (head.path.as_str(), head.header("authorization")),
        ("/v1/responses", Some("Bearer sk-secret-key-1234"))
    );
    assert_eq!((&sent["store"], &sent["instructions"]), (&json!(false), &json!("be kind")));
    assert_eq!(sent["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(sent["max_output_tokens"], 16, "the vendor takes no smaller number");
    let tool = json!({ "type": "function", "name": "f", "description": "Does it.", "strict": false,
        "parameters": { "type": "object", "properties": {} } });
    assert_eq!(sent["tools"], json!([tool]));
    let used = |id: &str, arguments: &str| json!({ "type": "function_call", "call_id": id, "name": "f", "arguments": arguments });
    let said = |role: &str, content: Value| json!({ "type": "message", "role": role, "content": content });
    let expected = json!([
        said("user", json!([{ "type": "input_text", "text": "hello" }])),
        thought(),
        said("assistant", json!("on it")),
        used("call_1", "{\"a\":1}"),
        used("call_2", "{}"),
        { "type": "function_call_output", "call_id": "call_1", "output": "done" },
    ]);
    assert_eq!(sent["input"], expected);
}

#[tokio::test]
async fn a_model_without_encrypted_thinking_is_asked_without_and_it_is_remembered() {
    let refusal = json!({ "error": { "message": "Encrypted content is not supported with this model.", "type": "invalid_request_error" } });
    let answer = || stream(&[delta("output_text", 0, "x"), closed("completed", json!({ "status": "completed" }))]);
    let server = SseServer::replays([Reply::json(400, &refusal), answer(), answer()]).await;
    let provider = connect(responses(&server));
    for _ in 0..2 {
        assert_eq!(ask(&provider, question("hello")).await.text, "x");
    }
    let asked: Vec<bool> = (0..3).map(|number| server.body(number)["include"].is_array()).collect();
    assert_eq!(asked, [true, false, false]);
}

#[tokio::test]
async fn an_endpoint_is_tested_and_the_dialect_follows_from_the_address() {
    let answer = stream(&[delta("output_text", 0, "ready"), closed("completed", json!({ "status": "completed" }))]);
    let server = SseServer::replays([answer]).await;
    assert_eq!(test_endpoint(&responses(&server), "gpt-x").await.unwrap().model, "gpt-x");
    let speaks = |address: &str| EndpointConfig::new("x", parse_base_url(address).unwrap()).dialect;
    assert_eq!(speaks("https://api.openai.com/v1"), Dialect::Responses);
    assert_eq!(speaks("https://api.groq.com/openai/v1"), Dialect::ChatCompletions);
}
