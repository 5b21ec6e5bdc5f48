//! The same answer comes out of every wire.

use super::arbitrary::{answer, framing, split, wire};
use super::listener::{End, Listener};
use namma_testkit::wire::{Wire, WireAnswer};
use proptest::prelude::*;

#[test]
fn the_place_of_a_cut_between_two_pieces_changes_nothing() {
    let listener = Listener::new();
    let answer = WireAnswer::brief();
    for wire in Wire::usual() {
        let bytes = wire.bytes(&answer);
        for at in 0..=bytes.len() {
            let heard = listener.hear(&wire, &[&bytes[..at], &bytes[at..]], End::Clean);
            assert_eq!(heard, answer.heard(), "{wire:?}, cut at {at} of {}", bytes.len());
        }
    }
}

#[test]
fn single_bytes_and_one_piece_are_the_same() {
    let listener = Listener::new();
    let answer = WireAnswer::rich();
    for wire in Wire::usual() {
        let bytes = wire.bytes(&answer);
        let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(listener.hear(&wire, &bytewise, End::Clean), answer.heard(), "{wire:?}, byte by byte");
        assert_eq!(listener.hear(&wire, &[&bytes], End::Clean), answer.heard(), "{wire:?}, in one piece");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_style_and_framing_says_the_same(
        answer in answer(),
        wire in wire(),
        framing in framing(),
        shares in prop::collection::vec(0.0..1.0, 0..12),
    ) {
        let listener = Listener::new();
        let bytes = framing.bytes(&wire.frames(&answer));
        let heard = listener.hear(&wire, &split(&bytes, &shares), End::Clean);
        prop_assert_eq!(heard, answer.heard(), "{}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_document_says_the_same_as_a_stream(answer in answer(), wire in wire(), is_list in any::<bool>()) {
        let listener = Listener::new();
        let document = wire.document(&answer).to_string();
        let document = if is_list { format!("[{document}]") } else { document };
        let heard = listener.hear_as("application/json", &wire, &[document.as_bytes()], End::Clean);
        prop_assert_eq!(heard, answer.heard(), "{}", document);
    }

    #[test]
    fn a_stream_by_the_name_of_a_document_says_the_same(answer in answer(), wire in wire()) {
        let listener = Listener::new();
        let bytes = wire.bytes(&answer);
        let heard = listener.hear_as("application/json; charset=utf-8", &wire, &[&bytes], End::Clean);
        prop_assert_eq!(heard, answer.heard());
    }
}
