use super::{Meter, guess, has_images, share_that_fits, without_calls, without_images};
use crate::ports::{Image, ModelCall, ModelMessage};

fn user(text: &str) -> ModelMessage {
    ModelMessage::User { text: text.into(), images: Vec::new() }
}

fn shown(text: &str) -> ModelMessage {
    let image = Image { media_type: "image/png".into(), bytes: Vec::new().into() };
    ModelMessage::User { text: text.into(), images: vec![image] }
}

#[test]
fn the_share_that_fits_is_read_from_the_numbers_of_the_complaint() {
    let table = [
        ("prompt is too long: 210000 tokens > 200000 maximum", 200.0 / 210.0 * 0.85),
        ("This model's maximum context length is 8,192 tokens. Your messages resulted in 16384 tokens.", 0.425),
        ("request (5123 tokens) exceeds the available context size (4096 tokens)", 4096.0 / 5123.0 * 0.85),
        ("Your input exceeds the context window of this model", 0.5),
        ("the limit is 4096", 0.5),
        ("1 of 2", 0.5),
    ];
    for (message, share) in table {
        assert!((share_that_fits(message) - share).abs() < 0.001, "{message}: {}", share_that_fits(message));
    }
    assert!(share_that_fits("300 of 90000000") >= 0.05, "something is always kept");
}

#[test]
fn the_meter_learns_from_what_the_vendor_counts() {
    let messages = [user(&"word ".repeat(400))];
    let mut meter = Meter::default();
    let guessed = meter.messages(&messages);
    assert!((400..700).contains(&guessed), "{guessed}");
    meter.learn(guessed, guessed * 2);
    assert_eq!(meter.messages(&messages) / 10, guessed * 2 / 10);
    // A server that counts nothing teaches nothing.
    meter.learn(guessed, 0);
    assert_eq!(meter.messages(&messages) / 10, guessed * 2 / 10);
    for _ in 0..50 {
        meter.learn(100, 100_000);
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
