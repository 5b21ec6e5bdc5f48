//! `aimock` plays two calls at once and an answer, in every dialect.

use crate::support::{ALL, Home, Server};
use serde_json::{Value, json};

#[test]
fn a_whole_turn_with_two_calls_is_played_in_every_dialect() {
    let call = |name: &str, path: &str| json!({ "name": name, "arguments": json!({ "path": path }).to_string() });
    let server = Server::aimock(&json!({ "fixtures": [
        { "match": { "userMessage": "what is here", "hasToolResult": false },
          "response": { "toolCalls": [call("list_dir", "."), call("read_file", "a.txt")] } },
        { "match": { "hasToolResult": true }, "response": { "content": "A file of two lines, ಸರಿ 🙏." } },
    ] }));
    for spoken in ALL {
        let asked = Home::with_model_at(spoken.kind, &server.base_url(spoken.aimock)).ask("what is here?");
        assert_eq!(asked.outcome, json!({ "type": "answered", "text": "A file of two lines, ಸರಿ 🙏." }), "{spoken:?}");
        let ends: Vec<&Value> = asked.finished.iter().map(|event| &event["outcome"]["type"]).collect();
        assert_eq!(ends, ["succeeded", "succeeded"], "{spoken:?}: {asked:?}");
    }
}
