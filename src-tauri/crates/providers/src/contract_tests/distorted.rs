//! Events that are lost, doubled, swapped or nonsense: a step ends once and in order, and never with
//! a call of an answer that its own words call unfinished.

use super::arbitrary::{answer, framing, wire};
use super::listener::{End, Listener};
use namma_core::ports::StopReason;
use namma_testkit::Heard;
use namma_testkit::wire::Frame;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

/// What happens to the events on their way.
#[derive(Clone, Debug)]
enum Distortion {
    Lost(Index),
    Doubled(Index),
    Swapped(Index, Index),
    /// A value somewhere in an event becomes another.
    Changed(Index, Index, Value),
    /// Text that is no JSON, or is no object.
    Replaced(Index, String),
}

fn distortion() -> impl Strategy<Value = Distortion> {
    let values = vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(4_000_000_000_u32),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("error"),
        json!([]),
        json!([null, 7, {}]),
        json!({}),
        json!({ "message": "x" }),
    ];
    let texts = ["", "null", "7", "[]", "\"x\"", "{", "{}", "NaN", "{\"error\":{}}", "{\"type\":7}", "[DONE]"];
    let texts: Vec<String> = texts.map(str::to_owned).to_vec();
    prop_oneof![
        any::<Index>().prop_map(Distortion::Lost),
        any::<Index>().prop_map(Distortion::Doubled),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Distortion::Swapped(one, other)),
        (any::<Index>(), any::<Index>(), select(values))
            .prop_map(|(at, node, value)| Distortion::Changed(at, node, value)),
        (any::<Index>(), select(texts)).prop_map(|(at, text)| Distortion::Replaced(at, text)),
    ]
}

fn distort(frames: &mut Vec<Frame>, distortion: &Distortion) {
    if frames.is_empty() {
        return;
    }
    let count = frames.len();
    match distortion {
        Distortion::Lost(at) => drop(frames.remove(at.index(count))),
        Distortion::Doubled(at) => frames.insert(at.index(count), frames[at.index(count)].clone()),
        Distortion::Swapped(one, other) => frames.swap(one.index(count), other.index(count)),
        Distortion::Changed(at, node, value) => {
            let frame = &mut frames[at.index(count)];
            let Ok(mut document) = serde_json::from_str::<Value>(&frame.data) else { return };
            let paths = paths(&document);
            if let Some(place) = document.pointer_mut(&paths[node.index(paths.len())]) {
                *place = value.clone();
            }
            frame.data = document.to_string();
        }
        Distortion::Replaced(at, text) => frames[at.index(count)].data.clone_from(text),
    }
}

/// The pointer of each value in the document, itself included.
fn paths(document: &Value) -> Vec<String> {
    fn walk(value: &Value, path: &str, paths: &mut Vec<String>) {
        paths.push(path.to_owned());
        match value {
            Value::Object(object) => {
                object.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}"), paths))
            }
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(at, value)| walk(value, &format!("{path}/{at}"), paths));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut paths = Vec::new();
    walk(document, "", &mut paths);
    paths
}

fn check(heard: &Heard) -> Result<(), TestCaseError> {
    prop_assert!(heard.stop.is_some() != heard.error.is_some(), "one end: {heard:?}");
    let is_unfinished = matches!(heard.stop, None | Some(StopReason::Length | StopReason::ContentFilter));
    prop_assert!(!is_unfinished || heard.calls.is_empty(), "a call of an unfinished answer: {heard:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn distorted_events_end_the_step_once(
        answer in answer(),
        wire in wire(),
        framing in framing(),
        distortions in prop::collection::vec(distortion(), 1..4),
    ) {
        let mut frames = wire.frames(&answer);
        distortions.iter().for_each(|distortion| distort(&mut frames, distortion));
        let has_frames = !frames.is_empty();
        prop_assume!(has_frames);
        check(&Listener::new().hear(&wire, &[&framing.bytes(&frames)], End::Clean))?;
    }

    #[test]
    fn a_distorted_document_ends_the_step_once(answer in answer(), wire in wire(), node in any::<Index>(), value in select(vec![json!(null), json!(7), json!("x"), json!([]), json!({})])) {
        let mut document = wire.document(&answer);
        let paths = paths(&document);
        if let Some(place) = document.pointer_mut(&paths[node.index(paths.len())]) {
            *place = value;
        }
        let text = document.to_string();
        check(&Listener::new().hear_as("application/json", &wire, &[text.as_bytes()], End::Clean))?;
    }

    #[test]
    fn any_bytes_end_the_step_once(
        wire in wire(),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        words in prop::collection::vec(select(vec!["data:", "event: error", "\n", "\r", "\r\n\n", "{", "}", "\"error\":", "{}", "[DONE]", ":", "\u{feff}"]), 0..40),
    ) {
        let words = words.concat();
        for content_type in ["text/event-stream", "application/json", "text/plain", "text/html", ""] {
            let heard = Listener::new().hear_as(content_type, &wire, &[&bytes, words.as_bytes(), &bytes], End::Clean);
            check(&heard)?;
            prop_assert_eq!(heard.calls.len(), 0);
        }
    }
}
