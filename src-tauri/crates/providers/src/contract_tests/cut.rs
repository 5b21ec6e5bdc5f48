//! An answer that was cut is an error, and runs nothing.

use super::arbitrary::{answer, framing, wire};
use super::listener::{End, Listener};
use namma_core::ports::ProviderError;
use namma_testkit::Heard;
use namma_testkit::wire::{ChatStyle, ChatThinking, Wire, WireAnswer};
use proptest::prelude::*;

/// Whole, because the reason to stop had come; or cut, with what had arrived and without a call.
fn is_whole_or_cut(heard: &Heard, whole: &Heard, wire: &Wire) -> Result<(), String> {
    let problem = match &heard.error {
        None if heard.text != whole.text || heard.thinking != whole.thinking => "a whole answer lost words",
        None if heard.calls != whole.calls || heard.stop != whole.stop => "a whole answer lost calls or its reason",
        None => return Ok(()),
        Some(ProviderError::StreamCut { .. }) if !heard.calls.is_empty() => "a cut answer runs a call",
        Some(ProviderError::StreamCut { .. }) if heard.stop.is_some() => "a cut answer has a reason to stop",
        // What may become a tag is given as the text that it is so far.
        Some(ProviderError::StreamCut { .. }) if has_tags(wire) => return Ok(()),
        Some(ProviderError::StreamCut { .. }) if !whole.text.starts_with(&heard.text) => "other words",
        Some(ProviderError::StreamCut { .. }) if !whole.thinking.starts_with(&heard.thinking) => "other thoughts",
        Some(ProviderError::StreamCut { .. }) => return Ok(()),
        Some(_) => "another error than a cut",
    };
    Err(format!("{problem}: {heard:?}"))
}

fn has_tags(wire: &Wire) -> bool {
    matches!(wire, Wire::Chat(ChatStyle { thinking: ChatThinking::Tags, .. }))
}

#[test]
fn a_cut_at_any_byte_is_a_cut() {
    let listener = Listener::new();
    let answer = WireAnswer::brief();
    for wire in Wire::usual() {
        let (bytes, mut whole_ends) = (wire.bytes(&answer), 0);
        for at in 0..bytes.len() {
            let end = if at % 2 == 0 { End::Clean } else { End::Lost };
            let heard = listener.hear(&wire, &[&bytes[..at]], end);
            let verdict = is_whole_or_cut(&heard, &answer.heard(), &wire);
            assert_eq!(verdict, Ok(()), "{wire:?}, {at} of {} bytes, {end:?}", bytes.len());
            whole_ends += usize::from(heard.error.is_none());
        }
        assert!(whole_ends < bytes.len() / 3, "{wire:?}: {whole_ends} of {} cuts were taken for whole", bytes.len());
    }
}

#[test]
fn a_document_cut_at_any_byte_is_an_error() {
    let listener = Listener::new();
    let answer = WireAnswer::brief();
    for wire in Wire::usual() {
        let document = wire.document(&answer).to_string();
        for at in 0..document.len() {
            let bytes = &document.as_bytes()[..at];
            for end in [End::Clean, End::Lost] {
                let heard = listener.hear_as("application/json", &wire, &[bytes], end);
                let kind = match heard.error {
                    Some(ProviderError::StreamCut { .. }) => "cut",
                    Some(ProviderError::Malformed { .. }) => "malformed",
                    _ => "neither",
                };
                assert_ne!(kind, "neither", "{wire:?}: {at} bytes");
                assert_eq!((heard.text.as_str(), heard.calls.len(), heard.stop), ("", 0, None), "{wire:?}: {at} bytes");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_anywhere_in_any_style_is_a_cut(
        answer in answer(),
        wire in wire(),
        framing in framing(),
        share in 0.0..1.0,
        is_lost in any::<bool>(),
    ) {
        let bytes = framing.bytes(&wire.frames(&answer));
        let at = (bytes.len() as f64 * share) as usize;
        let end = if is_lost { End::Lost } else { End::Clean };
        let heard = Listener::new().hear(&wire, &[&bytes[..at]], end);
        let verdict = is_whole_or_cut(&heard, &answer.heard(), &wire);
        prop_assert_eq!(verdict, Ok(()), "{}", String::from_utf8_lossy(&bytes[..at]));
    }
}
