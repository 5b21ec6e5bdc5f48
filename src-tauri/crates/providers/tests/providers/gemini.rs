//! The generateContent dialect: what is sent, and what comes of what the vendor sends.

use crate::support::{Step, ask, brought, looked, made, question, replays_in, speaking, step_in, tool};
use namma_core::ports::{ModelMessage, ModelRequest, ProviderError, Replay, StopReason};
use namma_protocol::Usage;
use namma_providers::{Dialect, EndpointConfig, connect, list_models, parse_base_url, test_endpoint};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::{Value, json};

fn gemini(server: &SseServer) -> EndpointConfig {
    speaking(Dialect::Gemini, server)
}

/// The vendor ends its lines with CRLF and its stream with nothing.
fn stream(pieces: &[Value]) -> Reply {
    Reply::events(pieces.iter().map(|piece| format!("data: {piece}\r\n\r\n")).collect::<String>())
}

fn parts(parts: Value) -> Value {
    json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }] })
}

fn last(reason: &str) -> Value {
    json!({
        "candidates": [{ "content": { "role": "model", "parts": [{ "text": "" }] }, "finishReason": reason }],
        "usageMetadata": { "promptTokenCount": 100, "cachedContentTokenCount": 90, "candidatesTokenCount": 30,
            "thoughtsTokenCount": 12, "totalTokenCount": 142 },
    })
}

fn whole() -> Vec<Value> {
    vec![
        parts(json!([{ "text": "ಯೋಚಿಸು", "thought": true }])),
        parts(json!([{ "text": "I will " }])),
        parts(json!([{ "text": "look 🙏." }])),
        parts(
            json!([{ "functionCall": { "name": "read_file", "args": { "path": "a.txt" } }, "thoughtSignature": "c2ln" }]),
        ),
        parts(json!([{ "functionCall": { "name": "list_dir" } }])),
        last("STOP"),
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
    step_in(Dialect::Gemini, reply).await
}

#[tokio::test]
async fn text_thinking_calls_usage_and_stop_arrive() {
    assert_eq!(step_of(stream(&whole())).await, whole_step());
}

#[tokio::test]
async fn the_signature_of_each_call_is_given_for_the_next_step() {
    let replays = replays_in(Dialect::Gemini, stream(&whole())).await;
    assert_eq!(replays, [Replay { dialect: "gemini", data: json!(["c2ln", null]) }]);
}

#[tokio::test]
async fn each_reason_to_stop_is_understood() {
    let table = [
        ("STOP", StopReason::End),
        ("MAX_TOKENS", StopReason::Length),
        ("SAFETY", StopReason::ContentFilter),
        ("PROHIBITED_CONTENT", StopReason::ContentFilter),
        ("OTHER", StopReason::Other(Some("OTHER".to_owned()))),
    ];
    for (word, reason) in table {
        let step = step_of(stream(&[parts(json!([{ "text": "x" }])), last(word)])).await;
        assert_eq!((step.stop, step.error), (Some(reason), None), "{word}");
    }
    let unreadable = step_of(stream(&[last("MALFORMED_FUNCTION_CALL")])).await;
    assert!(matches!(unreadable.error, Some(ProviderError::ServerFailed { .. })), "{unreadable:?}");
}

#[tokio::test]
async fn refusals_are_told_apart() {
    let blocked = step_of(stream(&[json!({ "promptFeedback": { "blockReason": "SAFETY" } })])).await;
    assert!(matches!(blocked.error, Some(ProviderError::ContentFiltered { .. })), "{blocked:?}");
    let error = |code: u16, status: &str, message: &str| json!({ "error": { "code": code, "status": status, "message": message } });
    let refused = [
        (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "KeyRefused"),
        (403, "PERMISSION_DENIED", "The caller does not have permission", "KeyRefused"),
        (404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta", "ModelNotFound"),
        (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", "RateLimited"),
        (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens",
            "ContextTooLong",
        ),
        (503, "UNAVAILABLE", "The model is overloaded.", "ServerFailed"),
    ];
    for (status, word, message, expected) in refused {
        // The vendor wraps it in a list when a stream was asked for.
        for body in [error(status, word, message), json!([error(status, word, message)])] {
            let step = step_of(Reply::json(status, &body)).await;
            let found = format!("{:?}", step.error.unwrap());
            assert!(found.starts_with(expected), "{status} {word}: {found}");
        }
    }
}

#[tokio::test]
async fn a_request_keeps_the_rules_of_the_vendor() {
    let server = SseServer::replays([stream(&whole())]).await;
    let request = ModelRequest {
        model: "gemini-x".to_owned(),
        system: "be kind".to_owned(),
        tools: vec![tool("f")],
        max_output_tokens: Some(64),
        messages: vec![
            ModelMessage::User { text: "hello".to_owned(), images: Vec::new() },
            ModelMessage::Assistant {
                text: "on it".to_owned(),
                calls: vec![made("call_1", "{\"a\":1}"), made("call_2", "{\"a\":")],
                replay: Some(Replay { dialect: "gemini", data: json!(["c2ln", null]) }),
            },
            brought("call_1", false),
            brought("call_2", true),
            ModelMessage::User { text: "and quickly".to_owned(), images: Vec::new() },
        ],
        ..question("x")
    };
    ask(&connect(gemini(&server)), request).await;
    let sent = server.body(0);
    let head = &server.requests()[0];
    assert_eq!(head.path.as_str(), "/v1/models/gemini-x:streamGenerateContent?alt=sse");
    assert_eq!((head.header("x-goog-api-key"), head.header("authorization")), (Some("sk-secret-key-1234"), None));
    assert_eq!(sent["systemInstruction"], json!({ "parts": [{ "text": "be kind" }] }));
    assert_eq!(sent["generationConfig"], json!({ "maxOutputTokens": 64 }));
    let declared = &sent["tools"][0]["functionDeclarations"][0];
    assert_eq!(declared["parametersJsonSchema"], json!({ "type": "object", "properties": {} }));
    let told = |key: &str| json!({ "functionResponse": { "name": "f", "response": { key: "done" } } });
    let expected = json!([
        { "role": "user", "parts": [{ "text": "hello" }] },
        { "role": "model", "parts": [
            { "text": "on it" },
            { "functionCall": { "name": "f", "args": { "a": 1 } }, "thoughtSignature": "c2ln" },
            { "functionCall": { "name": "f", "args": {} } },
        ] },
        { "role": "user", "parts": [told("result"), told("error"), { "text": "and quickly" }] },
    ]);
    assert_eq!(sent["contents"], expected);
}

#[tokio::test]
async fn an_endpoint_is_tested_and_its_models_are_listed() {
    let models = json!({ "models": [
        { "name": "models/embedding-001", "supportedGenerationMethods": ["embedContent"] },
        { "name": "models/gemini-x", "supportedGenerationMethods": ["generateContent", "countTokens"] },
    ] });
    let answer = stream(&[parts(json!([{ "text": "ready" }])), last("STOP")]);
    let server = SseServer::replays([Reply::json(200, &models), answer]).await;
    assert_eq!(list_models(&gemini(&server)).await.unwrap(), ["gemini-x"]);
    assert_eq!(test_endpoint(&gemini(&server), "gemini-x").await.unwrap().model, "gemini-x");
}

#[test]
fn the_dialect_follows_from_the_address() {
    let speaks = |address: &str| EndpointConfig::new("x", parse_base_url(address).unwrap()).dialect;
    assert_eq!(speaks("generativelanguage.googleapis.com"), Dialect::Gemini);
    assert_eq!(speaks("https://generativelanguage.googleapis.com/v1beta/openai"), Dialect::ChatCompletions);
}
