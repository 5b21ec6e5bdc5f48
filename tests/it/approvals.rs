//! Who may say yes on the command line, and what becomes of a no.

use crate::support::{Home, Model, events_of, said};
use namma_testkit::sse_server::{Reply, call};
use serde_json::{Value, json};

/// A model that wants to delete a file, and then says something about it.
async fn deleting() -> (Model, Home) {
    let wish = Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))]);
    let model = Model::replies([wish, said("I see.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    (model, home)
}

fn outcome_of_call(session: &Value) -> &str {
    let events = events_of(session);
    let finished = events.iter().find(|event| event["type"] == "toolCallFinished").expect("the call was answered");
    finished["outcome"]["type"].as_str().unwrap()
}

fn phases(audit: &[Value]) -> Vec<(&str, &str)> {
    audit.iter().map(|row| (row["phase"].as_str().unwrap(), row["verdict"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn without_a_terminal_nobody_approves_and_the_refusal_is_audited() {
    for approve in [&[][..], &["--approve", "never"]] {
        let (model, home) = deleting().await;
        let ran = home.namma(&[&["ask"], approve, &["tidy up"]].concat()).await;
        assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "I see.\n"), "{ran:?}");
        assert!(home.work("notes.txt").exists(), "the file survives");
        assert!(ran.stderr.contains("--approve always"), "the next step is told: {}", ran.stderr);
        assert_eq!(outcome_of_call(&home.only_session().await), "declined");
        let audit = home.audit().await;
        assert_eq!(phases(&audit), [("refused", "deny")]);
        assert_eq!((audit[0]["tool"].as_str(), audit[0]["approver"].as_str()), (Some("delete_path"), Some("nobody")));
        assert!(model.messages(1)[2]["content"].as_str().unwrap().contains("nobody"), "the model is told why");
    }
}

#[tokio::test]
async fn always_runs_it_and_says_so() {
    let (_model, home) = deleting().await;
    let ran = home.namma(&["ask", "--approve", "always", "tidy up"]).await;
    assert_eq!(ran.stdout, "I see.\n", "{ran:?}");
    assert!(!home.work("notes.txt").exists(), "the file is gone");
    assert!(ran.stderr.contains("allowed by --approve always") && ran.stderr.contains("notes.txt"), "{}", ran.stderr);
    let audit = home.audit().await;
    assert_eq!(phases(&audit), [("intent", "allow"), ("done", "succeeded")]);
    assert_eq!(audit[0]["approver"], "always");
}

#[tokio::test]
async fn always_does_not_reach_what_a_rule_denies() {
    let own = Reply::step([call("write_file", &json!({ "path": "~/.ssh/authorized_keys", "content": "x" }))]);
    let model = Model::replies([own, said("Refused.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma(&["ask", "--approve", "always", "let me in"]).await;
    assert_eq!(ran.stdout, "Refused.\n", "{ran:?}");
    let audit = home.audit().await;
    assert_eq!((phases(&audit), audit[0]["code"].as_str()), (vec![("refused", "deny")], Some("policy_denied")));
}

#[tokio::test]
async fn an_answer_on_standard_input_counts_and_silence_is_a_no() {
    for (typed, survives) in [("a\n", false), ("", true), ("\n", true), ("d\n", true), ("e\nwhat?\na\n", false)] {
        let (_model, home) = deleting().await;
        let ran = home.namma_reading(typed, &["ask", "--approve", "ask", "tidy up"]).await;
        assert_eq!(ran.stdout, "I see.\n", "{typed:?}: {ran:?}");
        assert_eq!(home.work("notes.txt").exists(), survives, "{typed:?}");
        assert_eq!(
            ran.stderr.contains("\"path\""),
            typed.starts_with('e'),
            "exact arguments on request: {}",
            ran.stderr
        );
        assert_eq!(home.audit().await[0]["approver"], "terminal");
    }
}

#[tokio::test]
async fn a_question_shows_the_whole_command() {
    let command = format!("echo {}; echo end-of-it", "a".repeat(40_000));
    let model =
        Model::replies([Reply::step([call("run_shell", &json!({ "command": command }))]), said("Declined.")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = home.namma_reading("", &["ask", "--approve", "ask", "run it"]).await;
    assert!(ran.stderr.contains(&command), "not a character is missing");
    assert!(ran.stderr.contains("[a]llow once"), "{}", ran.stderr.len());
}

#[tokio::test]
async fn a_tool_called_by_hand_passes_the_same_gate() {
    let home = Home::bare();
    std::fs::write(home.work("notes.txt"), "a line\n").unwrap();
    let read = home.namma(&["tools", "call", "read_file", r#"{"path":"notes.txt"}"#]).await;
    assert!(read.code() == Some(0) && read.stdout.contains("a line"), "{read:?}");
    let delete = [&["tools", "call", "delete_path", r#"{"path":"notes.txt"}"#][..], &["--json"]].concat();
    let declined = home.namma(&delete).await;
    assert_eq!((declined.code(), declined.json()["type"].as_str()), (Some(1), Some("declined")));
    assert!(home.work("notes.txt").exists());
    let unknown = home.namma(&["tools", "call", "raed_file", "{}"]).await;
    assert!(unknown.code() == Some(1) && unknown.stderr.contains("read_file"), "the closest is named: {unknown:?}");
    let broken = home.namma(&["tools", "call", "read_file", "{"]).await;
    assert_eq!(broken.code(), Some(1), "{broken:?}");
    let phases: Vec<String> = home.audit().await.iter().map(|row| row["phase"].to_string()).collect();
    assert_eq!(phases, ["\"intent\"", "\"done\"", "\"refused\"", "\"refused\"", "\"refused\""]);
}

#[tokio::test]
async fn who_wants_to_be_asked_about_everything_is_asked_before_a_look() {
    for (approvals, expected) in [("ask_all", "declined"), ("ask_when_it_matters", "succeeded")] {
        let wish = Reply::step([call("list_dir", &json!({ "path": "." }))]);
        let model = Model::replies([wish, said("I see.")]).await;
        let home = Home::with_model_at(&model.base_url()).setting("NAMMA_SECURITY__APPROVALS", approvals);
        let ran = home.namma(&["ask", "what is here?"]).await;
        assert_eq!(ran.code(), Some(0), "{ran:?}");
        assert_eq!(outcome_of_call(&home.only_session().await), expected, "{approvals}");
    }
}
