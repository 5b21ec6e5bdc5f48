//! `llmock` breaks, we cope, and it judges how.

use crate::support::{Asked, CHAT, CONTENTS, Home, MESSAGES, RESPONSES, Server, Spoken};
use serde_json::{Value, json};
use std::time::Duration;

struct Case {
    name: &'static str,
    behaviors: Value,
    /// The code of the failure; none for an answer.
    fails: Option<&'static str>,
    attempts: usize,
    findings: &'static [&'static str],
    at_least: Duration,
    /// The server says nothing: the program must not wait long. Elsewhere a busy machine may take its time.
    is_silent: bool,
}

fn case(name: &'static str, behaviors: Value, attempts: usize) -> Case {
    Case { name, behaviors, fails: None, attempts, findings: &[], at_least: Duration::ZERO, is_silent: false }
}

impl Case {
    fn fails(self, code: &'static str) -> Self {
        Self { fails: Some(code), ..self }
    }

    fn silent(self) -> Self {
        Self { is_silent: true, ..self }
    }
}

fn stream_fault(kind: &str, after_chunks: u32) -> Value {
    json!([{ "type": "stream_fault", "kind": kind, "after_chunks": after_chunks, "stall_seconds": 30 }])
}

fn cases() -> Vec<Case> {
    let fail = |status: u16, times: Value| json!([{ "type": "fail", "status": status, "times": times }]);
    vec![
        Case {
            at_least: Duration::from_secs(1),
            ..case("429 that says when", json!([{ "type": "fail", "status": 429, "retry_after": 1 }]), 2)
        },
        case("503 twice", fail(503, json!(2)), 3),
        case("529 once", fail(529, json!(1)), 2),
        case("an outage", fail(500, Value::Null), 4).fails("serverFailed"),
        case("a refused key", fail(401, json!(1)), 1).fails("keyRefused"),
        case("a request that is wrong", fail(422, json!(1)), 1).fails("badRequest"),
        case("hung up before the first word", stream_fault("disconnect", 0), 2),
        case("ended before the first word", stream_fault("truncate", 0), 2),
        case("silent before the first word", stream_fault("stall", 0), 2).silent(),
        Case {
            // From outside it looks as if the half answer was taken; the person is told that it is half.
            findings: &["truncated_stream_accepted"],
            ..case("ended in the middle", stream_fault("truncate", 6), 1).fails("streamCut")
        },
        Case {
            // We stop at a piece that is not JSON: asking again would pay for the same answer twice.
            findings: &["malformed_chunk_ignored"],
            ..case("a piece that is not JSON", stream_fault("malformed", 0), 1).fails("malformed")
        },
        case("silent in the middle", stream_fault("stall", 6), 1).fails("timedOut").silent(),
    ]
}

const TEXT: &str = "One two three four five six seven eight nine ten eleven twelve.";

fn judge(spoken: Spoken) {
    let server = Server::llmock();
    let patient = Home::with_model_at(spoken.kind, &server.base_url(spoken.llmock));
    let impatient = Home::with_model_at(spoken.kind, &server.base_url(spoken.llmock));
    impatient.set("provider.first_token_timeout_seconds", "6");
    impatient.set("provider.idle_timeout_seconds", "4");
    for Case { name, behaviors, fails, attempts, findings, at_least, is_silent } in cases() {
        let mut script = behaviors;
        let text = json!({ "type": "reply", "text": TEXT, "times": null });
        script.as_array_mut().unwrap().push(text);
        server.ask("POST", "/_llmock/scenario", &json!({ "behaviors": script }));
        let asked = if is_silent { &impatient } else { &patient }.ask("count");
        check(&asked, name, fails, spoken);
        assert!(asked.took >= at_least, "{name}, {spoken:?}: asked again after {:?}", asked.took);
        let verdict = server.ask("GET", "/_llmock/verdict", &Value::Null);
        let found: Vec<&str> =
            verdict["findings"].as_array().unwrap().iter().filter_map(|finding| finding["code"].as_str()).collect();
        assert_eq!((found.as_slice(), &verdict["attempts"]), (findings, &json!(attempts)), "{name}, {spoken:?}");
        server.ask("POST", "/_llmock/reset", &json!({}));
    }
}

fn check(asked: &Asked, name: &str, fails: Option<&str>, spoken: Spoken) {
    match fails {
        None => assert_eq!(asked.outcome, json!({ "type": "answered", "text": TEXT }), "{name}, {spoken:?}"),
        Some(code) => {
            assert_eq!(asked.outcome["error"]["code"], code, "{name}, {spoken:?}: {asked:?}");
            assert!(asked.outcome["error"]["hint"].is_string(), "{name}, {spoken:?}: what to do is said");
        }
    }
    assert!(TEXT.starts_with(&asked.told), "{name}, {spoken:?}: no word is told twice: {}", asked.told);
}

#[test]
fn every_fault_ends_as_promised_in_chat_completions() {
    judge(CHAT);
}

#[test]
fn every_fault_ends_as_promised_in_responses() {
    judge(RESPONSES);
}

#[test]
fn every_fault_ends_as_promised_in_messages() {
    judge(MESSAGES);
}

#[test]
fn every_fault_ends_as_promised_in_generate_content() {
    judge(CONTENTS);
}

/// Arguments that are no JSON and tools that do not exist go back to the model, and the turn goes on.
#[test]
fn broken_calls_are_answered_and_never_run() {
    let server = Server::llmock();
    for spoken in [CHAT, RESPONSES, MESSAGES, CONTENTS] {
        let home = Home::with_model_at(spoken.kind, &server.base_url(spoken.llmock));
        for kind in ["malformed_arguments", "unknown_tool"] {
            // What Google sends is an object, which cannot be malformed.
            if (spoken, kind) == (CONTENTS, "malformed_arguments") {
                continue;
            }
            server.ask("POST", "/_llmock/scenario", &json!({ "behaviors": [{ "type": "tool_fault", "kind": kind }] }));
            let asked = home.ask("list the folder");
            assert_eq!(asked.outcome["type"], "answered", "{kind}, {spoken:?}: {asked:?}");
            assert_eq!(asked.finished[0]["outcome"]["type"], "failed", "{kind}, {spoken:?}: {asked:?}");
            let verdict = server.ask("GET", "/_llmock/verdict", &Value::Null);
            assert_eq!((&verdict["passed"], &verdict["findings"]), (&json!(true), &json!([])), "{kind}, {spoken:?}");
            server.ask("POST", "/_llmock/reset", &json!({}));
        }
    }
}
