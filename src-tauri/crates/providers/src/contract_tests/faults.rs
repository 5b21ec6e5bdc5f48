//! Errors in the middle of a stream and in the place of an answer, in every dialect.

use super::listener::{End, Listener};
use namma_core::ports::ProviderError;
use namma_testkit::wire::{Wire, WireAnswer};

fn kind(error: Option<&ProviderError>) -> &'static str {
    match error {
        None => "none",
        Some(ProviderError::ServerFailed { .. }) => "server",
        Some(ProviderError::RateLimited { .. }) => "rate",
        Some(ProviderError::StreamCut { .. }) => "cut",
        Some(ProviderError::Malformed { .. }) => "malformed",
        Some(_) => "other",
    }
}

#[test]
fn an_error_after_any_event_keeps_the_words_and_runs_nothing() {
    let listener = Listener::new();
    let (answer, whole) = (WireAnswer::rich(), WireAnswer::rich().heard());
    for wire in Wire::usual() {
        for (message, expected) in [("it broke", "server"), ("Rate limit reached", "rate")] {
            let frames = wire.frames(&answer);
            for at in 0..frames.len() {
                let mut broken = frames.clone();
                broken.insert(at, wire.fault(message));
                let heard = listener.hear(&wire, &[&wire.framing().bytes(&broken)], End::Clean);
                if heard.error.is_none() {
                    assert_eq!(heard, whole, "{wire:?}: only what follows the end may be passed over");
                    continue;
                }
                assert_eq!(kind(heard.error.as_ref()), expected, "{wire:?} at {at}: {heard:?}");
                assert!(whole.text.starts_with(&heard.text) && heard.calls.is_empty(), "{wire:?} at {at}: {heard:?}");
            }
        }
    }
}

/// Servers and gateways tell their errors in shapes of other vendors.
#[test]
fn every_shape_of_an_error_is_an_error_in_every_dialect() {
    let listener = Listener::new();
    let events = [
        ("event: error\ndata: {\"message\":\"Rate limit reached\"}\n\n", "rate"),
        ("event: error\ndata: {\"error\":{\"message\":\"Rate limit reached\"}}\n\n", "rate"),
        ("data: {\"error\":{\"message\":\"Rate limit reached\",\"code\":429}}\n\n", "rate"),
        ("data: {\"error\":\"Rate limit reached\"}\n\n", "rate"),
        ("data: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}\n\n", "rate"),
        ("error: {\"code\":500,\"message\":\"overloaded\"}\n\n", "server"),
        ("{\"error\":\"overloaded\"}\n", "server"),
        ("event: error\ndata: overloaded\n\n", "server"),
    ];
    for wire in Wire::usual() {
        for (body, expected) in events {
            let heard = listener.hear(&wire, &[body.as_bytes()], End::Clean);
            assert_eq!(kind(heard.error.as_ref()), expected, "{wire:?} {body}: {heard:?}");
        }
    }
}

#[test]
fn a_success_that_carries_an_error_is_an_error() {
    let listener = Listener::new();
    let documents = [
        ("{\"error\":{\"message\":\"Rate limit reached\"}}", "rate"),
        ("{\"error\":\"Rate limit reached\"}", "rate"),
        ("[{\"error\":{\"message\":\"Rate limit reached\"}}]", "rate"),
        ("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", "server"),
        ("{\"hello\":\"world\"}", "malformed"),
        ("{}", "malformed"),
        ("[]", "malformed"),
        ("{\"error\":", "malformed"),
        ("", "cut"),
        ("null", "cut"),
    ];
    for wire in Wire::usual() {
        for (body, expected) in documents {
            let heard = listener.hear_as("application/json", &wire, &[body.as_bytes()], End::Clean);
            assert_eq!(kind(heard.error.as_ref()), expected, "{wire:?} {body}: {heard:?}");
        }
        for content_type in ["text/event-stream", "text/plain", ""] {
            let heard = listener.hear_as(content_type, &wire, &[], End::Clean);
            assert_eq!(kind(heard.error.as_ref()), "cut", "{wire:?}: an empty success, {content_type}");
        }
        let page = b"<html><title>Sign in</title></html>";
        let heard = listener.hear_as("text/html", &wire, &[page], End::Clean);
        assert_eq!(kind(heard.error.as_ref()), "malformed", "{wire:?}: a web page");
    }
}

#[test]
fn an_event_that_is_not_json_ends_the_step() {
    let listener = Listener::new();
    let broken: [&[u8]; 5] = [b"{\"a\":[", b"hello", b"{\"a\":\"\xff\xfe\"}", b"{\"a\":NaN}", b"{\"a\":1}{\"b\":2}"];
    let (answer, whole) = (WireAnswer::rich(), WireAnswer::rich().heard());
    for wire in Wire::usual() {
        let frames = wire.frames(&answer);
        for event in broken {
            let begun = wire.framing().bytes(&frames[..frames.len() - 2]);
            let bytes = [&begun, b"data: ".as_slice(), event, b"\n\n"].concat();
            let heard = listener.hear(&wire, &[&bytes], End::Clean);
            assert_eq!(kind(heard.error.as_ref()), "malformed", "{wire:?}: {heard:?}");
            assert!(whole.text.starts_with(&heard.text) && heard.calls.is_empty(), "{wire:?}: {heard:?}");
        }
        let deep = format!("data: {}{}\n\n", "[".repeat(100_000), "]".repeat(100_000));
        let heard = listener.hear(&wire, &[deep.as_bytes()], End::Clean);
        assert_eq!(kind(heard.error.as_ref()), "malformed", "{wire:?}: JSON without bottom");
    }
}
