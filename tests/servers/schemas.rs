//! What we send, held against the vendors' own types.

use crate::support::{Home, python};
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::{Wire, WireAnswer, WirePart};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The dialect's word in the settings and in the script that knows the types.
fn kind(wire: &Wire) -> &'static str {
    match wire {
        Wire::Chat(_) => "openai_compatible",
        Wire::Messages(_) => "anthropic",
        Wire::Contents(_) => "gemini",
        Wire::Responses(_) => "openai_responses",
    }
}

/// The requests of a turn with thinking, two calls, a failed call and an answer.
async fn requests(wire: &Wire) -> Vec<Value> {
    let call = |name: &str, arguments: Value| WirePart::Call { name: name.to_owned(), arguments };
    let steps = [
        WireAnswer::of([
            WirePart::Thinking("Let me see.".to_owned()),
            WirePart::Text("I look.".to_owned()),
            call("list_dir", json!({ "path": "." })),
            call("read_file", json!({ "path": "a.txt" })),
        ]),
        WireAnswer::of([call("read_file", json!({ "path": "no such file" })), call("no.such/tool", json!({}))]),
        WireAnswer::of([WirePart::Text("Two lines.".to_owned())]),
    ];
    let server = SseServer::replays(steps.map(|answer| Reply::events(wire.bytes(&answer)))).await;
    let (kind, base_url) = (kind(wire), server.base_url());
    let asked = tokio::task::spawn_blocking(move || Home::with_model_at(kind, &base_url).ask("what is here?")).await;
    assert_eq!(asked.unwrap().outcome, json!({ "type": "answered", "text": "Two lines." }), "{wire:?}");
    server.requests().into_iter().map(|request| request.body).collect()
}

/// What the vendor's types say against these requests, one line each.
fn complaints(kind: &str, requests: &[Value]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers/validate.py");
    let mut child =
        python().arg(script).arg(kind).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python starts");
    child.stdin.take().unwrap().write_all(Value::from(requests).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "validate.py could not judge {kind}");
    String::from_utf8(output.stdout).unwrap()
}

/// Takes out what a server gets back only because it sent it: DeepSeek's own field, which OpenAI's
/// types do not have. It is there once, with the first calls.
fn take_out_thinking(requests: &mut [Value]) {
    for request in requests.iter_mut().skip(1) {
        let taken = request["messages"][2].as_object_mut().and_then(|calls| calls.remove("reasoning_content"));
        assert_eq!(taken, Some(json!("Let me see.")), "it goes back within the turn");
    }
}

#[tokio::test]
async fn every_request_is_what_the_vendors_types_say() {
    for wire in Wire::usual() {
        let mut requests = requests(&wire).await;
        assert_eq!(requests.len(), 3, "{wire:?}");
        if let Wire::Chat(_) = wire {
            take_out_thinking(&mut requests);
        }
        assert_eq!(complaints(kind(&wire), &requests), "", "{wire:?}: {requests:#?}");
    }
}

/// The types do look: what is wrong in a small way is found in each dialect.
#[tokio::test]
async fn the_types_refuse_what_is_wrong() {
    for wire in Wire::usual() {
        let mut whole = requests(&wire).await;
        if let Wire::Chat(_) = wire {
            take_out_thinking(&mut whole);
        }
        let whole = whole.pop().expect("three requests");
        let list = ["messages", "contents", "input"].into_iter().find(|key| whole[*key].is_array()).expect("a history");
        let mut strange_field = whole.clone();
        strange_field["nobody_knows_this"] = 1.into();
        let mut strange_message = whole.clone();
        strange_message[list][0] = json!({ "role": "nobody", "nothing": [] });
        let mut strange_tool = whole.clone();
        strange_tool["tools"][0] = json!({ "nothing": 7 });
        for wrong in [strange_field, strange_message, strange_tool] {
            assert_ne!(complaints(kind(&wire), std::slice::from_ref(&wrong)), "", "{wire:?}: {wrong}");
        }
    }
}
