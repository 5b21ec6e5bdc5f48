//! Which model answers, with how much of the chat, and for how much money.

use crate::support::Core;
use namma_core::BoxFuture;
use namma_core::ports::{
    Image, ModelEvent, ModelInfo, ModelMessage, ModelRequest, Price, ProviderError, StopReason, Thinking,
    ThinkingControl,
};
use namma_core::turn::{Allowance, Brain, BrainWatch, turn_events};
use namma_protocol::{ErrorCode, Limit, NoticeKind, ThinkLevel, TurnEvent, TurnOutcome, Usage};
use namma_testkit::provider::{Step, model_call};
use namma_testkit::{ScriptedProvider, call, text};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn brain(name: &str, provider: &ScriptedProvider, info: ModelInfo) -> Brain {
    Brain { connection: name.into(), provider: Arc::new(provider.clone()), model: format!("{name}-model"), info }
}

fn plain(name: &str, provider: &ScriptedProvider) -> Brain {
    brain(name, provider, ModelInfo::default())
}

fn overloaded() -> ProviderError {
    ProviderError::ServerFailed { status: 529, retry_after: None, message: "busy".into() }
}

fn too_long(message: &str) -> Step {
    Step::Refused(ProviderError::ContextTooLong { message: message.into() })
}

fn answered(text: &str) -> TurnOutcome {
    TurnOutcome::Answered { text: text.into() }
}

/// What was told to the watch.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl BrainWatch for Notes {
    fn answered<'a>(&'a self, connection: &'a str) -> BoxFuture<'a, ()> {
        self.0.lock().unwrap().push(format!("{connection} answered"));
        Box::pin(async {})
    }

    fn failed<'a>(&'a self, connection: &'a str, error: &'a ProviderError) -> BoxFuture<'a, ()> {
        self.0.lock().unwrap().push(format!("{connection} failed: {error}"));
        Box::pin(async {})
    }
}

#[tokio::test]
async fn the_next_model_takes_over_and_the_turn_stays_with_it() {
    let core = Core::new();
    let first = ScriptedProvider::says([Step::Refused(overloaded())]);
    let second = ScriptedProvider::says([call("echo", json!({"text": "a"})), text("Done.")]);
    let notes = Arc::new(Notes::default());
    let watch = notes.clone();
    let line = [plain("one", &first), plain("two", &second)];
    let outcome = core.start_in_line(line, "go", |input| input.watch = watch).await.outcome().await;
    assert_eq!(outcome, answered("Done."));
    assert_eq!((first.requests().len(), second.requests().len()), (1, 2));
    assert_eq!(second.requests()[0].model, "two-model");
    assert_eq!(*notes.0.lock().unwrap(), ["one failed: the server failed (529)", "two answered", "two answered"]);
    let told: Vec<TurnEvent> =
        core.events.all().into_iter().filter(|event| matches!(event, TurnEvent::ContinuedWith { .. })).collect();
    let [TurnEvent::ContinuedWith { model, reasons, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!(model, "two-model");
    assert!(reasons[0].contains("(529)"), "{reasons:?}");
    // After a restart it is told again, at its place.
    let stored = turn_events(&core.store.all()[0]);
    assert_eq!(stored[1], told[0]);
}

#[tokio::test]
async fn nothing_is_said_twice_once_a_word_was_seen() {
    let core = Core::new();
    let cut = ProviderError::StreamCut { cause: "test".into() };
    let first = ScriptedProvider::says([Step::Events(vec![Ok(ModelEvent::Text("Half".into())), Err(cut)])]);
    let second = ScriptedProvider::says([text("never")]);
    let outcome = core.start_in_line([plain("one", &first), plain("two", &second)], "go", |_| ()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::Failed { ref text, .. } if text == "Half"), "{outcome:?}");
    assert_eq!(second.requests().len(), 0);
}

#[tokio::test]
async fn a_filter_is_not_got_around_by_another_vendor() {
    let core = Core::new();
    let first = ScriptedProvider::says([Step::Refused(ProviderError::ContentFiltered { message: String::new() })]);
    let second = ScriptedProvider::says([text("never")]);
    let outcome = core.start_in_line([plain("one", &first), plain("two", &second)], "go", |_| ()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::Failed { ref error, .. } if error.code == ErrorCode::ContentFiltered));
    assert_eq!(second.requests().len(), 0);
}

#[tokio::test]
async fn the_last_models_error_is_the_turns() {
    let core = Core::new();
    let refused = || Step::Refused(ProviderError::KeyRefused { status: 401, message: String::new() });
    let (first, second) = (ScriptedProvider::says([refused()]), ScriptedProvider::says([Step::Refused(overloaded())]));
    let outcome = core.start_in_line([plain("one", &first), plain("two", &second)], "go", |_| ()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::Failed { ref error, .. } if error.code == ErrorCode::ServerFailed));
}

#[tokio::test]
async fn what_the_next_model_cannot_do_is_said_and_not_asked_of_it() {
    let core = Core::new();
    let strong = ScriptedProvider::says([call("echo", json!({"text": "kept"})), Step::Refused(overloaded())]);
    let weak = ScriptedProvider::says([text("Done.")]);
    let line = [plain("one", &strong), brain("two", &weak, ModelInfo { tools: false, ..ModelInfo::default() })];
    let outcome = core.start_in_line(line, "go", |_| ()).await.outcome().await;
    assert_eq!(outcome, answered("Done."));
    let request = &weak.requests()[0];
    assert!(request.tools.is_empty());
    // The calls of before are told as text: vendors refuse them where no tools are offered.
    let has_calls = |message: &ModelMessage| match message {
        ModelMessage::Assistant { calls, .. } => !calls.is_empty(),
        ModelMessage::ToolResult { .. } => true,
        ModelMessage::User { .. } => false,
    };
    assert!(!request.messages.iter().any(has_calls), "{request:?}");
    assert!(format!("{request:?}").contains("kept"), "the result is still there");
    let reasons = core.events.all().into_iter().find_map(|event| match event {
        TurnEvent::ContinuedWith { reasons, .. } => Some(reasons),
        _ => None,
    });
    assert_eq!(reasons.unwrap()[1], "It cannot use tools.");
}

#[tokio::test]
async fn a_model_that_refuses_tools_is_asked_without_and_never_with_them_again() {
    let core = Core::new();
    let refused = || Step::Refused(ProviderError::ToolsUnsupported { message: "does not support tools".into() });
    let model = ScriptedProvider::says([refused(), text("Hello."), text("Again.")]);
    assert_eq!(core.start_in_line([plain("one", &model)], "hi", |_| ()).await.outcome().await, answered("Hello."));
    assert_eq!(core.start_in_line([plain("one", &model)], "go", |_| ()).await.outcome().await, answered("Again."));
    let with_tools: Vec<bool> = model.requests().iter().map(|request| !request.tools.is_empty()).collect();
    assert_eq!(with_tools, [true, false, false]);
    let prompts: Vec<String> = model.requests().into_iter().map(|request| request.system).collect();
    let (with, without) = ("You are a test.", "You are a test without tools.");
    assert_eq!(prompts, [with, without, without], "nobody is told of tools that are not there");
    let limited = |event: &TurnEvent| matches!(event, TurnEvent::Notice { kind: NoticeKind::Limited, .. });
    assert_eq!(core.events.all().iter().filter(|event| limited(event)).count(), 1, "said once");
}

#[tokio::test]
async fn too_long_a_chat_is_shortened_once_and_never_in_a_circle() {
    let core = Core::new();
    for index in 0..12 {
        let model = ScriptedProvider::says([text(&format!("answer {index} {}", "long ".repeat(200)))]);
        core.start_in_line([plain("one", &model)], &format!("question {index}"), |_| ()).await.outcome().await;
    }
    let model =
        ScriptedProvider::says([too_long("maximum context length is 2000 tokens, you sent 4000"), text("Yes.")]);
    assert_eq!(core.start_in_line([plain("one", &model)], "and?", |_| ()).await.outcome().await, answered("Yes."));
    let sent = |at: usize| format!("{:?}", model.requests()[at].messages);
    assert!(sent(1).len() < sent(0).len() / 2, "{} of {}", sent(1).len(), sent(0).len());
    assert!(sent(1).contains("question 8 → answer 8"), "what is left out is named: {}", sent(1));
    assert!(sent(1).contains("and?"), "the question itself stays");
    let told =
        core.events.all().iter().any(|event| matches!(event, TurnEvent::Notice { kind: NoticeKind::Shortened, .. }));
    assert!(told);

    let model = ScriptedProvider::says([too_long("too long"), too_long("too long")]);
    let outcome = core.start_in_line([plain("one", &model)], "and now?", |_| ()).await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::Failed { ref error, .. } if error.code == ErrorCode::ContextTooLong));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn a_window_that_the_model_stated_is_kept_to_from_then_on() {
    let core = Core::new();
    for index in 0..12 {
        let model = ScriptedProvider::says([text(&format!("answer {index} {}", "long ".repeat(400)))]);
        core.start_in_line([plain("one", &model)], &format!("question {index}"), |_| ()).await.outcome().await;
    }
    let stated = "maximum context length is 4096 tokens, you sent 9000";
    let model = ScriptedProvider::says([too_long(stated), text("Yes."), text("Again.")]);
    for answer in ["Yes.", "Again."] {
        let turn = core.start_in_line([plain("one", &model)], "and?", |_| ()).await;
        assert_eq!(turn.outcome().await, answered(answer));
    }
    assert_eq!(model.requests().len(), 3, "the second question fits at once");
    let window = core.events.all().into_iter().rev().find_map(|event| match event {
        TurnEvent::ContextMeasured { window, .. } => window,
        _ => None,
    });
    assert_eq!(window, Some(4096), "and the person sees how full it is");
}

#[tokio::test]
async fn a_small_window_is_kept_to_without_being_told() {
    let core = Core::new();
    let small = ModelInfo { context_tokens: Some(4096), tools: false, ..ModelInfo::default() };
    for index in 0..20 {
        let model = ScriptedProvider::says([text(&format!("answer {index} {}", "word ".repeat(300)))]);
        core.start_in_line([plain("one", &model)], "tell me more", |_| ()).await.outcome().await;
    }
    let model = ScriptedProvider::says([text("Yes.")]);
    let turn = core.start_in_line([brain("one", &model, small)], "and?", |input| {
        input.limits.max_output_tokens = Some(8192);
    });
    turn.await.outcome().await;
    let measured = core.events.all().into_iter().rev().find_map(|event| match event {
        TurnEvent::ContextMeasured { tokens, window } => Some((tokens, window)),
        _ => None,
    });
    let (tokens, window) = measured.unwrap();
    assert_eq!(window, Some(4096));
    let request = &model.requests()[0];
    let answer = request.max_output_tokens.unwrap();
    assert!((500..3200).contains(&tokens) && tokens + answer <= 4096, "{tokens} and {answer}");
    let sent = format!("{:?}", request.messages);
    assert!(request.messages.len() > 5 && sent.contains("answer 19"), "the newest exchanges are whole: {sent}");
    assert!(sent.contains("oldest exchanges of this chat are left out"), "{sent}");
}

#[tokio::test]
async fn a_result_that_has_to_go_leaves_its_beginning_and_the_way_to_the_rest() {
    let core = Core::new();
    let long = "x".repeat(1900);
    let model = ScriptedProvider::says([call("echo", json!({ "text": long })), text("Seen.")]);
    core.start_in_line([plain("one", &model)], "read", |_| ()).await.outcome().await;
    let model = ScriptedProvider::says([too_long("3500 of 3600"), text("Yes.")]);
    core.start_in_line([plain("one", &model)], "and?", |_| ()).await.outcome().await;
    let ModelMessage::ToolResult { content, call_id, .. } = &model.requests()[1].messages[2] else { panic!() };
    assert!(content.starts_with("xxx") && content.len() < 700, "{content}");
    assert!(content.contains(&format!("open_result with the id {call_id}")), "{content}");
}

fn priced() -> ModelInfo {
    // A dollar per token.
    ModelInfo {
        price: Some(Price { input: 1_000_000_000, output: 1_000_000_000, ..Price::default() }),
        ..ModelInfo::default()
    }
}

fn allowed(turn: Option<u64>, day: Option<u64>) -> Allowance {
    let dollars = |limit: Option<u64>| limit.map(|limit| limit * 1_000_000_000);
    Allowance { turn: dollars(turn), day: dollars(day), month: None }
}

#[tokio::test]
async fn a_turn_stops_at_its_limit_on_spending_and_keeps_what_it_has() {
    let core = Core::new();
    let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
    let step = || {
        Step::Events(vec![
            Ok(ModelEvent::ToolCall(model_call("echo", r#"{"text":"a"}"#))),
            Ok(ModelEvent::Usage(usage)),
            Ok(ModelEvent::Stop(StopReason::ToolCalls)),
        ])
    };
    let model = ScriptedProvider::says([step(), step(), text("never")]);
    let turn = core.start_in_line([brain("one", &model, priced())], "go", |input| {
        input.allowance = allowed(Some(20), None);
    });
    let outcome = turn.await.outcome().await;
    assert!(matches!(outcome, TurnOutcome::LimitReached { limit: Limit::Spending, .. }), "{outcome:?}");
    assert_eq!(model.requests().len(), 2, "$15 is below the limit, $30 above it");
    let stored = &core.store.all()[0];
    assert_eq!((stored.cost_micros, stored.usage), (Some(30_000_000), usage.plus(usage)));
    let told = core.events.all().into_iter().rev().find_map(|event| match event {
        TurnEvent::UsageUpdated { cost_micros, .. } => cost_micros,
        _ => None,
    });
    assert_eq!(told, Some(30_000_000));
}

#[tokio::test]
async fn each_model_pays_for_what_it_used_however_it_ended() {
    let core = Core::new();
    let used = |input_tokens| Usage { input_tokens, ..Usage::default() };
    let fails = |input_tokens| Step::Events(vec![Ok(ModelEvent::Usage(used(input_tokens))), Err(overloaded())]);
    let dear = ScriptedProvider::says([fails(10), fails(10)]);
    let free = ScriptedProvider::says([Step::Events(vec![
        Ok(ModelEvent::Text("Yes.".into())),
        Ok(ModelEvent::Usage(used(100))),
        Ok(ModelEvent::Stop(StopReason::End)),
    ])]);
    let line = [brain("one", &dear, priced()), plain("two", &free)];
    let turn = core.start_in_line(line, "go", |input| input.limits.retries = 1).await.outcome();
    let time = async {
        loop {
            core.clock.advance(Duration::from_secs(1));
            tokio::task::yield_now().await;
        }
    };
    let outcome = tokio::select! { outcome = turn => outcome, () = time => unreachable!() };
    assert_eq!(outcome, answered("Yes."));
    let stored = &core.store.all()[0];
    assert_eq!((stored.usage, stored.cost_micros), (used(120), Some(20_000_000)), "two tries at a dollar a token");
}

#[tokio::test]
async fn a_model_that_costs_nothing_answers_when_the_money_is_spent() {
    let core = Core::new();
    let model = ScriptedProvider::says([text("Yes.")]);
    let turn = core.start_in_line([plain("one", &model)], "go", |input| input.allowance = allowed(None, Some(0)));
    assert_eq!(turn.await.outcome().await, answered("Yes."));
}

#[tokio::test]
async fn a_day_without_money_asks_no_model() {
    let core = Core::new();
    let model = ScriptedProvider::says([]);
    let turn = core.start_in_line([brain("one", &model, priced())], "go", |input| {
        input.allowance = allowed(None, Some(0));
    });
    assert!(matches!(turn.await.outcome().await, TurnOutcome::LimitReached { limit: Limit::Spending, .. }));
    assert_eq!(model.requests().len(), 0);
}

#[tokio::test]
async fn the_level_of_thinking_goes_to_the_model_in_its_way_or_into_the_prompt() {
    let request = |control: ThinkingControl, think: ThinkLevel| async move {
        let core = Core::new();
        let model = ScriptedProvider::says([text("Yes.")]);
        let info = ModelInfo { thinking: control, ..ModelInfo::default() };
        core.start_in_line([brain("one", &model, info)], "go", |input| input.think = think).await.outcome().await;
        let request: ModelRequest = model.requests().remove(0);
        request
    };
    let effort = ThinkingControl::Effort { off: None };
    let with_control = request(effort.clone(), ThinkLevel::High).await;
    assert_eq!(with_control.thinking, Thinking { level: ThinkLevel::High, control: effort });
    assert_eq!(with_control.system, "You are a test.");
    let without = request(ThinkingControl::Prompt, ThinkLevel::High).await;
    assert!(without.system.starts_with("You are a test.\n\nThink thoroughly"), "{}", without.system);
    assert_eq!(request(ThinkingControl::Prompt, ThinkLevel::Off).await.system, "You are a test.");
    assert_eq!(request(ThinkingControl::Fixed, ThinkLevel::High).await.system, "You are a test.");
}

#[test]
fn an_image_does_not_fill_the_log() {
    let image = Image { media_type: "image/png".into(), bytes: vec![0; 5000].into() };
    assert_eq!(format!("{image:?}"), "Image(image/png, 5000 bytes)");
}
