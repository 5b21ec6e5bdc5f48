use crate::support::Core;
use namma_core::ports::{DeclineAll, Entry, ModelEvent, ModelMessage, ProviderError, Replay, StopReason};
use namma_core::turn::{Steering, TurnLimits};
use namma_protocol::{ErrorCode, Limit, Mode, NoticeKind, ToolOutcome, TurnEvent, TurnOutcome, Usage};
use namma_testkit::provider::{Step, model_call};
use namma_testkit::{ScriptedApprover, ScriptedProvider, call, calls, held, text};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn nobody() -> Arc<DeclineAll> {
    Arc::new(DeclineAll)
}

fn results(core: &Core) -> Vec<ToolOutcome> {
    let turns = core.store.all();
    let entries = turns.iter().flat_map(|turn| turn.entries.clone());
    entries
        .filter_map(|entry| match entry {
            Entry::Result { outcome, .. } => Some(outcome),
            Entry::Assistant { .. } | Entry::User { .. } | Entry::ContinuedWith { .. } => None,
        })
        .collect()
}

#[tokio::test]
async fn a_question_is_answered_and_everything_is_stored() {
    let core = Core::new();
    let model = ScriptedProvider::says([text("Hello, Anita.")]);
    let outcome = core.start(&model, "hi", nobody()).await.outcome().await;
    assert_eq!(outcome, TurnOutcome::Answered { text: "Hello, Anita.".into() });
    let stored = &core.store.all()[0];
    assert_eq!(stored.turn.user_text, "hi");
    assert_eq!(stored.outcome, Some(outcome));
    assert_eq!(stored.usage, Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() });
    assert!(matches!(core.events.all().last(), Some(TurnEvent::TurnFinished { .. })));
}

#[tokio::test]
async fn tools_run_and_their_results_go_back_to_the_model() {
    let core = Core::new();
    let model = ScriptedProvider::says([
        calls("Let me look.", [("echo", r#"{"text":"one"}"#), ("peek", r#"{"text":"a.txt"}"#)]),
        text("Done."),
    ]);
    let outcome = core.start(&model, "look", nobody()).await.outcome().await;
    assert_eq!(outcome, TurnOutcome::Answered { text: "Done.".into() }, "the preamble is not the answer");
    let request = &model.requests()[1];
    let ModelMessage::ToolResult { content, .. } = &request.messages[2] else { panic!("{request:?}") };
    assert_eq!(content, "one");
    let ModelMessage::ToolResult { content, .. } = &request.messages[3] else { panic!("{request:?}") };
    assert!(content.starts_with("<data ") && content.contains("content of a.txt"), "{content}");
    assert!(core.events.all().contains(&TurnEvent::TextEnded { preamble: true }));
}

#[tokio::test]
async fn broken_arguments_go_back_once_with_their_position_and_never_run() {
    let core = Core::new();
    let model = ScriptedProvider::says([
        calls("", [("echo", r#"{"names": cronjob_manage}"#)]),
        call("echo", json!({"text": "ok"})),
        text("Done."),
    ]);
    core.start(&model, "go", nobody()).await.outcome().await;
    let ToolOutcome::Failed { message, .. } = &results(&core)[0] else { panic!() };
    assert!(message.contains("line 1 column 11"), "{message}");
    assert_eq!(results(&core).len(), 2);
    let ModelMessage::Assistant { calls, .. } = &model.requests()[1].messages[1] else { panic!() };
    assert_eq!(calls[0].arguments, "{}", "broken JSON is not sent back to a vendor");
}

#[tokio::test]
async fn a_model_that_cannot_write_its_arguments_is_not_asked_for_ever() {
    let core = Core::new();
    let broken = || calls("", [("echo", r#"{"names": cronjob_manage}"#)]);
    let model = ScriptedProvider::says([broken(), broken(), broken(), text("never")]);
    let outcome = core.start(&model, "go", nobody()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::LimitReached { limit: Limit::Repetition, .. }), "{outcome:?}");
    assert_eq!((results(&core).len(), model.requests().len()), (3, 3));
}

#[tokio::test]
async fn what_the_vendor_wants_to_see_again_goes_into_the_next_step_and_not_into_the_next_turn() {
    let core = Core::new();
    let replay = Replay { dialect: "test", data: json!(["signed"]) };
    let model = ScriptedProvider::says([
        Step::Events(vec![
            Ok(ModelEvent::ToolCall(model_call("echo", r#"{"text":"a"}"#))),
            Ok(ModelEvent::Replay(replay.clone())),
            Ok(ModelEvent::Stop(StopReason::ToolCalls)),
        ]),
        call("echo", json!({"text": "b"})),
        text("Done."),
        text("Again."),
    ]);
    core.start(&model, "go", nobody()).await.outcome().await;
    core.start(&model, "go on", nobody()).await.outcome().await;
    let replays = |request: usize| -> Vec<Option<Replay>> {
        let messages = model.requests()[request].messages.clone();
        let of = |message| match message {
            ModelMessage::Assistant { replay, .. } => Some(replay),
            ModelMessage::User { .. } | ModelMessage::ToolResult { .. } => None,
        };
        messages.into_iter().filter_map(of).collect()
    };
    assert_eq!(replays(1), [Some(replay.clone())]);
    assert_eq!(replays(2), [Some(replay), None]);
    assert_eq!(replays(3), [None, None, None]);
}

#[tokio::test]
async fn calls_cut_off_by_the_output_cap_never_run() {
    let core = Core::new();
    let model = ScriptedProvider::says([Step::Events(vec![
        Ok(ModelEvent::Text("I will".into())),
        Ok(ModelEvent::ToolCall(model_call("echo", r#"{"text":"a"}"#))),
        Ok(ModelEvent::Stop(StopReason::Length)),
    ])]);
    let outcome = core.start(&model, "go", nobody()).await.outcome().await;
    assert_eq!(outcome, TurnOutcome::LimitReached { limit: Limit::OutputTokens, text: "I will".into() });
    assert!(results(&core).is_empty());
    assert!(core.audit.all().is_empty());
}

#[tokio::test]
async fn every_way_to_stop_has_a_typed_reason() {
    let cases: [(StopReason, &str, fn(&TurnOutcome) -> bool); 4] = [
        (StopReason::Length, "half", |o| matches!(o, TurnOutcome::LimitReached { limit: Limit::OutputTokens, .. })),
        (
            StopReason::ContentFilter,
            "half",
            |o| matches!(o, TurnOutcome::Failed { error, .. } if error.code == ErrorCode::ContentFiltered),
        ),
        (StopReason::Other(None), "whole", |o| matches!(o, TurnOutcome::Answered { .. })),
        (
            StopReason::End,
            "",
            |o| matches!(o, TurnOutcome::Failed { error, .. } if error.code == ErrorCode::EmptyAnswer),
        ),
    ];
    for (stop, said, fits) in cases {
        let core = Core::new();
        let model = ScriptedProvider::says([Step::Events(vec![
            Ok(ModelEvent::Text(said.into())),
            Ok(ModelEvent::Stop(stop.clone())),
        ])]);
        let outcome = core.start(&model, "go", nobody()).await.outcome().await;
        assert!(fits(&outcome), "{stop:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_stream_cut_after_the_first_word_keeps_it_and_is_not_made_again() {
    let core = Core::new();
    let model = ScriptedProvider::says([Step::Events(vec![Ok(ModelEvent::Text("Half an ans".into()))]), text("never")]);
    let outcome = core.start(&model, "go", nobody()).await.outcome().await;
    let TurnOutcome::Failed { error, text } = outcome else { panic!("{outcome:?}") };
    assert_eq!((error.code, text.as_str()), (ErrorCode::StreamCut, "Half an ans"));
    assert_eq!(model.requests().len(), 1);
    assert!(
        matches!(&core.store.all()[0].entries[0], Entry::Assistant { text, stopped: true, .. } if text == "Half an ans")
    );
}

#[tokio::test]
async fn a_passing_fault_before_the_first_word_is_tried_again_and_waits_as_long_as_it_was_asked() {
    let core = Core::new();
    let limited = ProviderError::RateLimited { retry_after: Some(Duration::from_secs(18)), message: String::new() };
    let model = ScriptedProvider::says([Step::Refused(limited), text("Here.")]);
    let handle = core.start(&model, "go", nobody()).await;
    let notice =
        core.events.wait_for(|event| matches!(event, TurnEvent::Notice { kind: NoticeKind::Waiting, .. })).await;
    assert!(matches!(notice, TurnEvent::Notice { text, .. } if text.contains("18 s")));
    core.clock.advance(Duration::from_secs(17));
    tokio::task::yield_now().await;
    assert_eq!(model.requests().len(), 1, "not a second too early");
    core.clock.advance(Duration::from_secs(2));
    assert_eq!(handle.outcome().await, TurnOutcome::Answered { text: "Here.".into() });
}

#[tokio::test]
async fn what_will_not_change_is_not_tried_again_and_the_question_stays() {
    let errors = [
        (ProviderError::KeyRefused { status: 401, message: String::new() }, ErrorCode::KeyRefused),
        (ProviderError::NoCredit { message: String::new() }, ErrorCode::NoCredit),
        (ProviderError::ModelNotFound { model: "x".into(), message: String::new() }, ErrorCode::ModelNotFound),
        (ProviderError::BadRequest { status: 422, message: "no".into() }, ErrorCode::BadRequest),
        (ProviderError::ContextTooLong { message: String::new() }, ErrorCode::ContextTooLong),
        (
            ProviderError::RateLimited { retry_after: Some(Duration::from_secs(3600)), message: String::new() },
            ErrorCode::RateLimited,
        ),
    ];
    for (error, code) in errors {
        let core = Core::new();
        let model = ScriptedProvider::says([Step::Refused(error)]);
        let outcome = core.start(&model, "the question", nobody()).await.outcome().await;
        let TurnOutcome::Failed { error, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(error.code, code);
        assert!(error.hint.is_some(), "{code:?} says what to do");
        assert_eq!(model.requests().len(), 1);
        assert_eq!(core.store.all()[0].turn.user_text, "the question");
    }
}

#[tokio::test]
async fn retries_end() {
    let core = Core::new();
    let down =
        || Step::Refused(ProviderError::Unreachable { address: "http://127.0.0.1:1".into(), cause: "refused".into() });
    let model = ScriptedProvider::says([down(), down(), down(), text("never")]);
    let handle = core.start(&model, "go", nobody()).await;
    let ticking = async {
        loop {
            core.clock.advance(Duration::from_secs(5));
            tokio::task::yield_now().await;
        }
    };
    let outcome = tokio::select! { outcome = handle.outcome() => outcome, () = ticking => unreachable!() };
    assert!(matches!(outcome, TurnOutcome::Failed { error, .. } if error.code == ErrorCode::Unreachable));
    assert_eq!(model.requests().len(), 3, "one try and two more");
}

#[tokio::test]
async fn stop_at_any_point_keeps_what_arrived_and_the_next_request_is_valid() {
    // Before the first token, in the middle of the text, in the middle of a tool.
    for point in ["nothing", "text", "tool"] {
        let core = Core::new();
        let (sender, step) = held();
        let model = ScriptedProvider::says([step, text("Hello again.")]);
        let handle = core.start(&model, "first", nobody()).await;
        match point {
            "text" => {
                sender.send(Ok(ModelEvent::Text("Half".into()))).unwrap();
                core.events.wait_for(|event| matches!(event, TurnEvent::TextDelta { .. })).await;
            }
            "tool" => {
                sender.send(Ok(ModelEvent::ToolCall(model_call("hang", r#"{"text":"x"}"#)))).unwrap();
                sender.send(Ok(ModelEvent::ToolCall(model_call("echo", r#"{"text":"x"}"#)))).unwrap();
                sender.send(Ok(ModelEvent::Stop(StopReason::ToolCalls))).unwrap();
                drop(sender);
                core.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })).await;
            }
            _ => {
                while model.requests().is_empty() {
                    tokio::task::yield_now().await;
                }
            }
        }
        handle.cancel();
        let ticking = async {
            loop {
                core.clock.advance(Duration::from_secs(1));
                tokio::task::yield_now().await;
            }
        };
        let outcome = tokio::select! { outcome = handle.outcome() => outcome, () = ticking => unreachable!() };
        let expected = if point == "text" { "Half" } else { "" };
        assert_eq!(outcome, TurnOutcome::Cancelled { text: expected.into() }, "{point}");
        if point == "tool" {
            assert_eq!(results(&core).len(), 2, "each call has its result");
            assert!(results(&core).contains(&ToolOutcome::Interrupted));
        }
        // The scripted model checks the request: no orphan call, no empty message.
        let next = core.start(&model, "hello", nobody()).await.outcome().await;
        assert_eq!(next, TurnOutcome::Answered { text: "Hello again.".into() }, "{point}");
    }
}

#[tokio::test]
async fn dropping_the_handle_ends_the_turn_and_closes_its_books() {
    let core = Core::new();
    let (sender, step) = held();
    let model = ScriptedProvider::says([step]);
    let handle = core.start(&model, "go", nobody()).await;
    sender.send(Ok(ModelEvent::Text("Half".into()))).unwrap();
    core.events.wait_for(|event| matches!(event, TurnEvent::TextDelta { .. })).await;
    drop(handle);
    core.tasks.close();
    core.tasks.wait().await;
    assert_eq!(core.store.all()[0].outcome, Some(TurnOutcome::Cancelled { text: "Half".into() }));
    assert!(sender.is_closed(), "the connection to the model is gone");
}

#[tokio::test]
async fn streamed_text_is_kept_before_the_step_ends() {
    let core = Core::new();
    let (sender, step) = held();
    let model = ScriptedProvider::says([step]);
    let handle = core.start(&model, "go", nobody()).await;
    sender.send(Ok(ModelEvent::Text("Half".into()))).unwrap();
    core.events.wait_for(|event| matches!(event, TurnEvent::TextDelta { .. })).await;
    while core.store.partial().is_none() {
        core.clock.advance(Duration::from_millis(300));
        tokio::task::yield_now().await;
    }
    assert_eq!(core.store.partial().as_deref(), Some("Half"));
    drop(handle);
}

#[tokio::test]
async fn the_same_call_with_the_same_result_a_third_time_ends_the_turn() {
    let core = Core::new();
    let again = || call("echo", json!({"text": "same"}));
    let model = ScriptedProvider::says([again(), again(), again(), text("never")]);
    let outcome = core.start(&model, "go", nobody()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::LimitReached { limit: Limit::Repetition, .. }), "{outcome:?}");
    assert_eq!(results(&core).len(), 3);
}

#[tokio::test]
async fn the_step_limit_holds_and_none_means_unlimited() {
    let steps = |n: usize| (0..n).map(|i| call("echo", json!({"text": i.to_string()}))).chain([text("Done.")]);
    let core = Core::new();
    let limits = TurnLimits { steps: Some(3), ..TurnLimits::default() };
    let model = ScriptedProvider::says(steps(10));
    let handle = core.start_with(Arc::new(model), "go", nobody(), limits, Mode::Agent).await;
    assert!(matches!(handle.outcome().await, TurnOutcome::LimitReached { limit: Limit::Steps, .. }));
    let core = Core::new();
    let limits = TurnLimits { steps: None, ..TurnLimits::default() };
    let handle =
        core.start_with(Arc::new(ScriptedProvider::says(steps(18))), "go", nobody(), limits, Mode::Agent).await;
    assert_eq!(handle.outcome().await, TurnOutcome::Answered { text: "Done.".into() });
}

#[tokio::test]
async fn chat_mode_offers_no_tools_and_runs_none() {
    let core = Core::new();
    let model = ScriptedProvider::says([call("echo", json!({"text": "x"})), text("Without tools.")]);
    let handle = core.start_with(Arc::new(model.clone()), "go", nobody(), TurnLimits::default(), Mode::Chat).await;
    assert_eq!(handle.outcome().await, TurnOutcome::Answered { text: "Without tools.".into() });
    assert!(model.requests()[0].tools.is_empty());
    assert!(matches!(&results(&core)[0], ToolOutcome::Failed { message, .. } if message.contains("not available")));
}

#[tokio::test]
async fn a_message_added_while_the_turn_runs_reaches_the_next_step() {
    let core = Core::new();
    let (sender, step) = held();
    let model = ScriptedProvider::says([step, text("In Kannada, then.")]);
    let handle = core.start(&model, "translate", nobody()).await;
    while model.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    let added = Steering { text: "into Kannada, please".into(), attachments: Vec::new() };
    handle.steering().send(added).await.unwrap();
    sender.send(Ok(ModelEvent::Text("In Hindi:".into()))).unwrap();
    sender.send(Ok(ModelEvent::Stop(StopReason::End))).unwrap();
    drop(sender);
    assert_eq!(handle.outcome().await, TurnOutcome::Answered { text: "In Kannada, then.".into() });
    let last = model.requests()[1].messages.last().cloned();
    assert_eq!(last, Some(ModelMessage::User { text: "into Kannada, please".into(), images: Vec::new() }));
    let told = TurnEvent::UserMessageAdded { text: "into Kannada, please".into(), attachments: Vec::new() };
    assert!(core.events.all().contains(&told));
}

#[tokio::test]
async fn a_change_that_nobody_looked_at_is_checked_once() {
    let core = Core::new();
    let model = ScriptedProvider::says([
        call("scribble", json!({"text": "a.txt"})),
        text("I wrote it."),
        call("peek", json!({"text": "a.txt"})),
        text("I wrote it and looked."),
    ]);
    let approver = Arc::new(ScriptedApprover::allows_once(1));
    let outcome = core.start(&model, "write", approver).await.outcome().await;
    assert_eq!(outcome, TurnOutcome::Answered { text: "I wrote it and looked.".into() });
    let asked = &model.requests()[2].messages;
    assert!(matches!(asked.last(), Some(ModelMessage::User { text, .. }) if text.contains("Check now")));
    assert!(
        !model.requests()[3]
            .messages
            .iter()
            .any(|m| matches!(m, ModelMessage::User { text, .. } if text.contains("Check now")))
    );

    let core = Core::new();
    let model = ScriptedProvider::says([
        call("scribble", json!({"text": "a.txt"})),
        call("peek", json!({"text": "a.txt"})),
        text("Checked already."),
    ]);
    let approver = Arc::new(ScriptedApprover::allows_once(1));
    core.start(&model, "write", approver).await.outcome().await;
    assert_eq!(model.requests().len(), 3, "no nudge after a look");
}

#[tokio::test]
async fn one_session_has_one_turn_at_a_time() {
    let core = Core::new();
    let (_sender, step) = held();
    let model = ScriptedProvider::says([step]);
    let _running = core.start(&model, "first", nobody()).await;
    let turn = core.store.all()[0].turn.clone();
    let again = namma_core::ports::NewTurn { turn_id: namma_protocol::TurnId::fresh(), ..turn };
    let error = namma_core::ports::SessionStore::begin_turn(core.store.as_ref(), &again).await.unwrap_err();
    assert_eq!(error.to_api_error().code, ErrorCode::Busy);
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let core = Core::new();
    let limits = TurnLimits { step_bytes: 1000, ..TurnLimits::default() };
    let flood = (0..100).map(|_| Ok(ModelEvent::Text("x".repeat(100)))).collect();
    let model = ScriptedProvider::says([Step::Events(flood)]);
    let handle = core.start_with(Arc::new(model), "go", nobody(), limits, Mode::Agent).await;
    let TurnOutcome::Failed { error, .. } = handle.outcome().await else { panic!() };
    assert_eq!(error.code, ErrorCode::Malformed);
}
