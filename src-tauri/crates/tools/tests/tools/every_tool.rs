//! What is true of each tool, whatever it does.

use crate::support::{Claim, Computer, Setting};
use namma_core::gate::policy::ApprovalMode;
use namma_core::ports::AuditPhase;
use namma_protocol::{ApprovalDecision, ApprovalScope, ToolOutcome};
use namma_testkit::{FakeWeb, ScriptedApprover};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A call of each tool that would work.
fn good() -> Vec<(&'static str, Value)> {
    vec![
        ("search_chats", json!({"query": "marigolds"})),
        ("read_file", json!({"path": "a.txt"})),
        ("list_dir", json!({})),
        ("find_files", json!({"name": "*.txt"})),
        ("write_file", json!({"path": "new/b.txt", "content": "new"})),
        ("edit_file", json!({"path": "a.txt", "old_text": "one", "new_text": "two"})),
        ("move_path", json!({"from": "a.txt", "to": "moved.txt"})),
        ("delete_path", json!({"path": "a.txt"})),
        ("make_dir", json!({"path": "new/folder"})),
        ("run_shell", json!({"command": "echo x > made"})),
        ("system_info", json!({})),
        ("open_result", json!({"id": "call_1"})),
        ("web_fetch", json!({"url": "https://example.org/"})),
    ]
}

pub(crate) fn claims() -> Vec<Claim> {
    let claim = |tool: &str,
                 what: &str,
                 check: fn(&'static str, Value) -> namma_core::BoxFuture<'static, ()>,
                 call: &(&'static str, Value)| {
        let (name, input) = call.clone();
        Claim { name: format!("{tool}::{what}"), check: Box::new(move || check(name, input.clone())) }
    };
    let mut claims = Vec::new();
    for call in good() {
        claims.push(claim(call.0, "an_allowed_call_runs_and_says_what_it_did", |t, i| Box::pin(allowed(t, i)), &call));
        claims.push(claim(call.0, "a_declined_call_changes_nothing", |t, i| Box::pin(declined(t, i)), &call));
        claims.push(claim(call.0, "an_interrupted_call_changes_nothing", |t, i| Box::pin(interrupted(t, i)), &call));
        claims.push(claim(call.0, "bad_input_is_told_to_the_model", |t, i| Box::pin(bad_input(t, i)), &call));
    }
    claims.push(Claim { name: "catalogue::no_tool_is_missing_here".into(), check: Box::new(|| Box::pin(complete())) });
    claims
}

fn computer(approver: ScriptedApprover, cancel: CancellationToken) -> Computer {
    let web = Arc::new(FakeWeb::default().page("https://example.org/", "text/plain", "a page"));
    Computer::with_token(Setting { mode: ApprovalMode::AskAll, approver, web, ..Setting::default() }, cancel)
        .with("a.txt", "one\n")
}

async fn allowed(tool: &'static str, input: Value) {
    let computer = computer(ScriptedApprover::allows_once(1), CancellationToken::new());
    let finished = computer.call(tool, input).await;
    let ToolOutcome::Succeeded { content } = finished.outcome else { panic!("{:?}", finished.outcome) };
    assert!(!content.trim().is_empty(), "the model is told something");
    assert_eq!(computer.shown().len(), 1, "it was asked once");
    let phases: Vec<_> = computer.audit.all().iter().map(|row| row.phase).collect();
    assert_eq!(phases, [AuditPhase::Intent, AuditPhase::Done]);
}

async fn declined(tool: &'static str, input: Value) {
    let computer = computer(ScriptedApprover::declines(None), CancellationToken::new());
    let before = computer.snapshot();
    let finished = computer.call(tool, input).await;
    assert!(matches!(finished.outcome, ToolOutcome::Declined { .. }), "{:?}", finished.outcome);
    assert_eq!(computer.snapshot(), before);
    assert_eq!(computer.audit.all()[0].phase, AuditPhase::Refused);
}

async fn interrupted(tool: &'static str, input: Value) {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let approver = ScriptedApprover::acts(move |_| {
        stop.cancel();
        ApprovalDecision::Allow { scope: ApprovalScope::Once }
    });
    let computer = computer(approver, cancel);
    let before = computer.snapshot();
    let finished = computer.call(tool, input).await;
    assert_eq!(finished.outcome, ToolOutcome::Interrupted);
    assert_eq!(computer.snapshot(), before);
}

async fn bad_input(tool: &'static str, input: Value) {
    let computer = computer(ScriptedApprover::allows_once(9), CancellationToken::new());
    let before = computer.snapshot();
    let mut unknown = input.clone();
    unknown["surprise"] = json!(1);
    let mut cases = vec![unknown, json!([1]), json!("text")];
    for (name, _) in input.as_object().unwrap() {
        let mut wrong = input.clone();
        wrong[name] = json!({"not": "this"});
        cases.push(wrong);
        // A path, an address, a command or a pattern never holds what cannot be seen.
        let mut invisible = input.clone();
        invisible[name] = json!("a\u{202e}b\u{0}");
        if !matches!(name.as_str(), "content" | "old_text" | "new_text" | "name" | "url") {
            cases.push(invisible);
        }
    }
    for case in cases {
        let finished = computer.call(tool, case.clone()).await;
        let ToolOutcome::Failed { message, .. } = finished.outcome else { panic!("{case}: {:?}", finished.outcome) };
        assert!(!message.is_empty());
    }
    assert_eq!(computer.snapshot(), before);
    assert_eq!(computer.shown().len(), 0, "nobody is asked about a call that cannot work");
}

async fn complete() {
    let tried: Vec<_> = good().into_iter().map(|(name, _)| name).collect();
    let mut known: Vec<_> = namma_tools::built_in().names().collect();
    known.sort_by_key(|name| tried.iter().position(|tool| tool == name));
    assert_eq!(known, tried, "each tool has a call that works in `good()`, in tests/tools/every_tool.rs");
}
