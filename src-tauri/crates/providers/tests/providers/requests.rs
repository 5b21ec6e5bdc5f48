//! What is sent.

use crate::support::{Step, ask, endpoint, provider, question};
use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ToolSpec};
use namma_providers::{EndpointConfig, connect};
use namma_testkit::sse_server::{SseServer, assert_valid_history, call, text};
use serde_json::json;

#[tokio::test]
async fn the_key_the_path_and_the_name_of_the_program_are_sent() {
    let server = SseServer::says([vec![text("x")]]).await;
    let extra_headers = vec![("x-title".to_owned(), "Namma".into())];
    let provider = connect(EndpointConfig { extra_headers, ..endpoint(&server) });
    ask(&provider, question("hello")).await;
    let request = &server.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("authorization"), Some("Bearer sk-secret-key-1234"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-title"), Some("Namma"));
    assert!(request.header("user-agent").is_some_and(|agent| agent.starts_with("NammaAgent/")));
}

#[tokio::test]
async fn without_a_key_no_authorization_is_sent() {
    let server = SseServer::says([vec![text("x")]]).await;
    let provider = connect(EndpointConfig { api_key: None, ..endpoint(&server) });
    ask(&provider, question("hello")).await;
    assert_eq!(server.requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_stopped_and_broken_history_is_still_valid() {
    let call = |id: &str, name: &str, arguments: &str| ModelCall {
        id: id.into(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let result = |id: &str| ModelMessage::ToolResult {
        call_id: id.into(),
        tool: "f".to_owned(),
        content: "stopped by the user".to_owned(),
        images: Vec::new(),
        is_error: true,
    };
    let broken = vec![
        call("a", "f", "{\"path\":\"a.txt\",\"cont"),
        call("b", "no such tool!", "[1]"),
        call("c", "", ""),
        call("d", "g", "{\"ok\": true}"),
    ];
    let mut messages = vec![
        ModelMessage::User { text: "hello".to_owned(), images: Vec::new() },
        ModelMessage::Assistant { text: String::new(), calls: Vec::new(), replay: None },
        ModelMessage::Assistant { text: "on it".to_owned(), calls: broken, replay: None },
    ];
    messages.extend(["a", "b", "c", "d"].map(result));
    messages.push(ModelMessage::User { text: "again".to_owned(), images: Vec::new() });
    let request = ModelRequest { model: "test-model".to_owned(), messages, ..ModelRequest::default() };

    let server = SseServer::says([vec![text("x")]]).await;
    let step = ask(&provider(&server), request).await;
    assert_eq!(step.error, None);
    let body = server.body(0);
    assert_valid_history(&body);
    let arguments: Vec<&str> = body["messages"][1]["tool_calls"]
        .as_array()
        .expect("calls")
        .iter()
        .filter_map(|call| call["function"]["arguments"].as_str())
        .collect();
    assert_eq!(arguments, ["{}", "{}", "{}", "{\"ok\": true}"]);
    assert_eq!(body["messages"][2]["content"], json!("stopped by the user"));
}

#[tokio::test]
async fn what_was_not_asked_for_is_not_sent() {
    let server = SseServer::says([vec![text("x")]]).await;
    ask(&provider(&server), question("hello")).await;
    let body = server.body(0);
    let keys: Vec<&str> = body.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["model", "stream", "stream_options", "messages"]);
}

#[tokio::test]
async fn a_tool_whose_name_no_vendor_takes_is_offered_and_called_all_the_same() {
    let called = |request: &serde_json::Value| {
        let name = request["tools"][0]["function"]["name"].as_str().unwrap_or_default();
        vec![call(name, &json!({}))]
    };
    let server = SseServer::answers(called).await;
    let tool = ToolSpec { name: "files.read/all".to_owned(), description: String::new(), parameters: json!({}) };
    let step = ask(&provider(&server), ModelRequest { tools: vec![tool], ..question("go") }).await;
    assert_eq!(step, Step::calls(&[("files.read/all", "{}")]));
    let sent = server.body(0)["tools"][0]["function"]["name"].as_str().map(str::to_owned);
    assert!(sent.is_some_and(|name| name.starts_with("files_read_all_")));
}
