//! What a step cost is told as soon as the vendor says it: also of a step that breaks off, and
//! before the first word of one that may be stopped there.

use super::listener::{End, Listener};
use namma_core::ports::ProviderError;
use namma_protocol::Usage;
use namma_testkit::wire::{ChatStyle, ChatUsage, ContentsStyle, MessagesStyle, ResponsesStyle, Wire, WireAnswer};
use serde_json::json;

/// The wires whose servers say what it costs before the answer is whole.
fn early() -> [Wire; 3] {
    [
        Wire::Chat(ChatStyle { usage: ChatUsage::Each, ..ChatStyle::default() }),
        Wire::Messages(MessagesStyle::default()),
        Wire::Contents(ContentsStyle { counts_each: true, ..ContentsStyle::default() }),
    ]
}

#[test]
fn a_cut_answer_tells_the_costs_that_had_come() {
    let listener = Listener::new();
    let answer = WireAnswer::rich();
    for wire in early() {
        let frames = wire.frames(&answer);
        for count in 1..frames.len() - 2 {
            let heard = listener.hear(&wire, &[&wire.framing().bytes(&frames[..count])], End::Clean);
            assert!(
                matches!(heard.error, Some(ProviderError::StreamCut { .. })),
                "{wire:?}, {count} events: {heard:?}"
            );
            let input_tokens = heard.usage.map(|usage| usage.input_tokens);
            assert_eq!(input_tokens, Some(answer.input_tokens), "{wire:?}, {count} events");
        }
    }
}

#[test]
fn the_costs_of_the_beginning_come_before_the_first_word() {
    let listener = Listener::new();
    for wire in early() {
        let bytes = wire.bytes(&WireAnswer::rich());
        let order = listener.order(&wire, &bytes);
        assert_eq!(order.first(), Some(&"usage"), "{wire:?}: whoever stops at the first word knows them: {order:?}");
    }
}

#[test]
fn an_answer_that_failed_tells_its_costs() {
    let listener = Listener::new();
    let wire = Wire::Responses(ResponsesStyle::default());
    let response = json!({ "status": "failed", "error": { "code": "server_error", "message": "oops" },
        "usage": { "input_tokens": 100, "output_tokens": 7 } });
    let costs = Some(Usage { input_tokens: 100, output_tokens: 7, ..Usage::default() });
    let event = format!("data: {}\n\n", json!({ "type": "response.failed", "response": response }));
    let streamed = listener.hear(&wire, &[event.as_bytes()], End::Clean);
    let whole = listener.hear_as("application/json", &wire, &[response.to_string().as_bytes()], End::Clean);
    for heard in [streamed, whole] {
        assert!(matches!(heard.error, Some(ProviderError::ServerFailed { .. })), "{heard:?}");
        assert_eq!(heard.usage, costs);
    }
    let broken = json!({ "error": { "message": "oops", "code": 502 }, "choices": [],
        "usage": { "prompt_tokens": 100, "completion_tokens": 7 } });
    let wire = Wire::Chat(ChatStyle::default());
    let heard = listener.hear(&wire, &[format!("data: {broken}\n\n").as_bytes()], End::Clean);
    assert_eq!(heard.usage, costs);
}
