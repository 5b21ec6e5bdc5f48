use super::{Fitted, LeftOut, Meter, complaint, fit, guess, has_images, without_calls, without_images};
use crate::ports::{Entry, Image, ModelCall, ModelMessage, NewTurn, StoredCall, StoredTurn};
use crate::trust::{TaintSet, Trust};
use crate::turn::contents::Contents;
use namma_protocol::{Mode, StepTitle, ToolCall, ToolOutcome, UnixMs, Usage};
use serde_json::json;

fn user(text: &str) -> ModelMessage {
    ModelMessage::User { text: text.into(), images: Vec::new() }
}

fn shown(text: &str) -> ModelMessage {
    let image = Image { media_type: "image/png".into(), bytes: Vec::new().into() };
    ModelMessage::User { text: text.into(), images: vec![image] }
}

#[test]
fn what_fits_is_read_from_the_numbers_of_the_complaint() {
    let table = [
        ("prompt is too long: 210000 tokens > 200000 maximum", 200.0 / 210.0 * 0.85, Some(200_000)),
        (
            "This model's maximum context length is 8,192 tokens. Your messages resulted in 16384 tokens.",
            0.425,
            Some(8192),
        ),
        ("request (5123 tokens) exceeds the available context size (4096 tokens)", 4096.0 / 5123.0 * 0.85, Some(4096)),
        (
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            180.0 / 190.0 * 0.85,
            Some(200_000),
        ),
        ("input length and `max_tokens` exceed context limit: 9000 + 8192 > 8192", 6144.0 / 9000.0 * 0.85, Some(8192)),
        ("input length and `max_tokens` exceed context limit: 1000 + 64000 > 8192", 0.5, None),
        ("Your input exceeds the context window of this model", 0.5, None),
        ("the limit is 4096", 0.5, None),
        ("1 of 2", 0.5, None),
    ];
    for (message, share, window) in table {
        let read = complaint(message);
        assert!((read.share - share).abs() < 0.001 && read.window == window, "{message}: {read:?}");
    }
    assert!(complaint("300 of 90000000").share >= 0.05, "something is always kept");
}

#[test]
fn the_meter_learns_from_what_the_vendor_counts() {
    let messages = [user(&"word ".repeat(400))];
    let mut meter = Meter::default();
    let guessed = meter.messages(&messages);
    assert!((400..700).contains(&guessed), "{guessed}");
    let untaught = meter;
    meter.learn(untaught, guessed, guessed * 2);
    assert_eq!(meter.messages(&messages) / 10, guessed * 2 / 10);
    // Another chat had guessed at the same time, and is told the same.
    meter.learn(untaught, guessed, guessed * 2);
    assert_eq!(meter.messages(&messages) / 10, guessed * 2 / 10);
    // A server that counts nothing teaches nothing.
    meter.learn(meter, guessed, 0);
    assert_eq!(meter.messages(&messages) / 10, guessed * 2 / 10);
    for _ in 0..50 {
        meter.learn(meter, 100, 100_000);
    }
    assert!(meter.messages(&messages) <= guessed * 4 + 4, "one that counts nonsense does not run away with it");
}

#[test]
fn other_scripts_cost_more_than_english() {
    let (english, kannada) = ("a".repeat(100), "ಕ".repeat(100));
    assert!(guess(&kannada) > guess(&english) * 3.0);
}

#[test]
fn without_tools_calls_become_text_and_sides_still_alternate() {
    let call = ModelCall { id: "c".into(), name: "read_file".into(), arguments: "{}".into() };
    let result = |text: &str| ModelMessage::ToolResult {
        call_id: "c".into(),
        tool: "read_file".into(),
        content: text.into(),
        images: Vec::new(),
        is_error: false,
    };
    let messages = vec![
        user("read"),
        ModelMessage::Assistant { text: "Looking.".into(), calls: vec![call], replay: None },
        result("one"),
        result("two"),
        user("and?"),
    ];
    let plain = without_calls(messages);
    assert_eq!(plain.len(), 3);
    let ModelMessage::Assistant { text, calls, .. } = &plain[1] else { panic!("{plain:?}") };
    assert_eq!((text.as_str(), calls.len()), ("Looking.\n[called read_file with {}]", 0));
    let ModelMessage::User { text, .. } = &plain[2] else { panic!("{plain:?}") };
    assert_eq!(text, "[result of read_file]\none\n\n[result of read_file]\ntwo\n\nand?");
}

#[test]
fn a_model_that_cannot_see_is_told_that_there_was_something() {
    let mut messages = [shown("what is this?"), user("hello")];
    assert!(has_images(&messages));
    without_images(&mut messages);
    assert!(!has_images(&messages));
    let ModelMessage::User { text, .. } = &messages[0] else { panic!() };
    assert!(text.starts_with("what is this?\n[An image was here."), "{text}");
    assert_eq!(messages[1], user("hello"));
}

/// A turn that called a tool for each of these.
fn turn_with(outcomes: &[ToolOutcome]) -> StoredTurn {
    let turn = NewTurn {
        turn_id: "turn_1".into(),
        session_id: "ses_1".into(),
        user_text: "read it".into(),
        attachments: Vec::new(),
        mode: Mode::Agent,
        model: "m".into(),
        trust: Trust::Owner,
        started_at: UnixMs(0),
    };
    let entries = outcomes.iter().zip(1..).flat_map(|(outcome, number)| {
        let call_id = format!("call_{number}");
        let call = ToolCall { id: call_id.as_str().into(), name: "read_file".into(), input: json!({}) };
        let title = StepTitle { doing: String::new(), done: String::new() };
        let stored = StoredCall { call, broken_arguments: None, title, started_at: UnixMs(0) };
        let said = Entry::Assistant {
            text: String::new(),
            thinking: String::new(),
            calls: vec![stored],
            stopped: false,
            taint: TaintSet::CLEAN,
        };
        let result = Entry::Result {
            call_id: call_id.as_str().into(),
            outcome: outcome.clone(),
            fact: None,
            duration_ms: 0,
            approvals: Vec::new(),
            taint: TaintSet::CLEAN,
            whole: None,
        };
        [said, result]
    });
    let entries = entries.collect();
    StoredTurn { turn, entries, usage: Usage::default(), cost_micros: None, outcome: None, finished_at: None }
}

fn read(letter: &str, bytes: usize) -> ToolOutcome {
    ToolOutcome::Succeeded { content: letter.repeat(bytes) }
}

/// Bytes of results stand for tokens here.
fn bytes_of(messages: &[ModelMessage]) -> u32 {
    let bytes = messages.iter().map(|message| match message {
        ModelMessage::ToolResult { content, .. } => content.len(),
        ModelMessage::User { text, .. } | ModelMessage::Assistant { text, .. } => text.len(),
    });
    bytes.sum::<usize>().try_into().unwrap()
}

fn results(fitted: &Fitted) -> Vec<&str> {
    let results = fitted.messages.iter().filter_map(|message| match message {
        ModelMessage::ToolResult { content, .. } => Some(content.as_str()),
        _ => None,
    });
    results.collect()
}

#[test]
fn the_newest_result_stays_whole_while_older_ones_can_make_room() {
    let failed = ToolOutcome::Failed { message: "no such file".into(), hint: None };
    let turn = turn_with(&[failed.clone(), read("a", 5000), failed, read("b", 5000)]);
    let fitted = fit(&[], &turn, &Contents::default(), Some(6000), bytes_of);
    let results = results(&fitted);
    assert!(results[1].len() < 600 && results[1].contains("open_result with the id call_2"), "{}", results[1]);
    assert_eq!(results[3], "b".repeat(5000));
    assert_eq!(fitted.left_out, Some(LeftOut::Details), "no message was left out");
}

#[test]
fn the_newest_result_is_cut_as_far_as_it_must_be_and_no_further() {
    let turn = turn_with(&[read("a", 64_000)]);
    let fitted = fit(&[], &turn, &Contents::default(), Some(20_000), bytes_of);
    let [result] = results(&fitted)[..] else { panic!("{:?}", fitted.messages) };
    assert!((10_000..20_000).contains(&result.len()) && result.contains("64000 bytes in all"), "{}", result.len());
    let tiny = fit(&[], &turn, &Contents::default(), Some(10), bytes_of);
    assert!(results(&tiny)[0].len() < 600, "what cannot fit ends, and is as short as it can be");
}
