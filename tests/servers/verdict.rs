//! What `llmock` thinks of a client that nothing goes wrong for.

use crate::support::{ALL, Home, Server, Spoken};
use serde_json::{Value, json};

fn home(server: &Server, spoken: Spoken) -> Home {
    Home::with_model_at(spoken.kind, &server.base_url(spoken.llmock))
}

fn script(server: &Server, behaviors: &Value) {
    server.ask("POST", "/_llmock/scenario", &json!({ "behaviors": behaviors }));
}

#[test]
fn parallel_calls_run_and_their_results_are_taken_in_every_dialect() {
    let server = Server::llmock();
    for spoken in ALL {
        let home = home(&server, spoken);
        let calls = json!([
            { "name": "list_dir", "arguments": { "path": "." } },
            { "name": "read_file", "arguments": { "path": "a.txt" } },
        ]);
        script(
            &server,
            &json!([{ "type": "reply", "tool_calls": calls }, { "type": "reply", "text": "Two lines, ಸರಿ 🙏." }]),
        );
        let asked = home.ask("what is here?");
        assert_eq!(asked.outcome, json!({ "type": "answered", "text": "Two lines, ಸರಿ 🙏." }), "{spoken:?}");
        let ends: Vec<&Value> = asked.finished.iter().map(|event| &event["outcome"]["type"]).collect();
        assert_eq!(ends, ["succeeded", "succeeded"], "{spoken:?}: {asked:?}");
        passed(&server, spoken, 2);
    }
}

#[test]
fn its_own_choice_of_a_tool_goes_round_to_an_answer() {
    let server = Server::llmock();
    for spoken in ALL {
        let asked = home(&server, spoken).ask("list the folder");
        assert_eq!(asked.outcome["type"], "answered", "{spoken:?}: {asked:?}");
        assert!(!asked.told.is_empty() && !asked.finished.is_empty(), "{spoken:?}: {asked:?}");
        passed(&server, spoken, 2);
    }
}

/// It found nothing to say against that many requests.
fn passed(server: &Server, spoken: Spoken, attempts: usize) {
    let verdict = server.ask("GET", "/_llmock/verdict", &Value::Null);
    assert_eq!(
        (&verdict["passed"], &verdict["findings"], &verdict["attempts"]),
        (&json!(true), &json!([]), &json!(attempts)),
        "{spoken:?}"
    );
    server.ask("POST", "/_llmock/reset", &json!({}));
}
