//! One file of settings, written by hand, with both servers in every dialect: each answers when it is
//! named.

use crate::support::{ALL, Home, Server};
use serde_json::{Value, json};
use std::fmt::Write;

#[test]
fn whoever_is_named_answers_and_nobody_else() {
    let call = |path: &str| json!([{ "name": "read_file", "arguments": json!({ "path": path }).to_string() }]);
    let aimock = Server::aimock(&json!({ "fixtures": [
        { "match": { "userMessage": "what is here", "hasToolResult": false }, "response": { "toolCalls": call("a.txt") } },
        { "match": { "hasToolResult": true }, "response": { "content": "Says aimock." } },
    ] }));
    let llmock = Server::llmock();
    let mut settings = "provider:\n  connections:\n".to_owned();
    for spoken in ALL {
        for (server, url) in [("aimock", aimock.base_url(spoken.aimock)), ("llmock", llmock.base_url(spoken.llmock))] {
            let (kind, name) = (spoken.kind, format!("{server}-{}", spoken.kind));
            writeln!(settings, "    - {{ name: {name}, type: {kind}, base_url: \"{url}\", model: usual }}").unwrap();
        }
    }
    let home = Home::with_settings(&settings);
    for spoken in ALL {
        let ask = |server: &str| {
            let named = format!("{server}-{}/another-model", spoken.kind);
            let asked = home.ask_with(&["--model", &named], "what is here?");
            let ends: Vec<&Value> = asked.finished.iter().map(|event| &event["outcome"]["type"]).collect();
            assert_eq!(ends, ["succeeded"], "{named}: {asked:?}");
            asked.outcome["text"].clone()
        };
        assert_eq!(ask("aimock"), "Says aimock.");
        let call = json!([{ "name": "read_file", "arguments": { "path": "a.txt" } }]);
        let script = json!([{ "type": "reply", "tool_calls": call }, { "type": "reply", "text": "Says llmock." }]);
        llmock.ask("POST", "/_llmock/scenario", &json!({ "behaviors": script }));
        assert_eq!(ask("llmock"), "Says llmock.");
        let verdict = llmock.ask("GET", "/_llmock/verdict", &Value::Null);
        assert_eq!((&verdict["passed"], &verdict["attempts"]), (&json!(true), &json!(2)), "{verdict}");
        llmock.ask("POST", "/_llmock/reset", &json!({}));
    }
}
