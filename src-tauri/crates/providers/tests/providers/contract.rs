//! What all dialects promise where a connection is needed: pieces, cuts and hanging up. The bytes
//! alone are in `src/contract_tests`.

use crate::support::{Step, adapter, ask, question};
use bytes::Bytes;
use futures_util::StreamExt;
use namma_core::ports::{ModelEvent, Provider, ProviderError};
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::{Wire, WireAnswer, WirePart};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Far more than hanging up takes, on the busiest machine.
const LONG: Duration = Duration::from_secs(20);

async fn step_of(wire: &Wire, reply: Reply) -> Step {
    let server = SseServer::replays([reply]).await;
    ask(&adapter(&server, wire), question("hello")).await
}

#[tokio::test]
async fn the_pieces_of_the_transfer_change_nothing() {
    let answer = WireAnswer::rich();
    for wire in Wire::usual() {
        for size in [1, 2, 3, 7, 64, 100_000] {
            let step = step_of(&wire, Reply::events(wire.bytes(&answer)).split(size)).await;
            assert_eq!(step, answer.heard(), "{wire:?}: pieces of {size} bytes");
        }
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let answer = WireAnswer::rich();
    for wire in Wire::usual() {
        let document = wire.document(&answer);
        assert_eq!(step_of(&wire, Reply::json(200, &document)).await, answer.heard(), "{wire:?}");
        assert_eq!(step_of(&wire, Reply::json(200, &[document].into())).await, answer.heard(), "{wire:?}: a list");
    }
}

#[tokio::test]
async fn a_transfer_that_ends_after_any_event_is_a_cut_however_it_ends() {
    let (answer, whole) = (WireAnswer::rich(), WireAnswer::rich().heard());
    for wire in Wire::usual() {
        let frames = wire.frames(&answer);
        let mut cuts = 0;
        for count in 0..frames.len() {
            let begun = || Reply::events(wire.framing().bytes(&frames[..count]));
            let ends = [
                ("a clean end of the transfer", begun()),
                ("a closed connection", begun().then_close()),
                ("a body until the end of the connection", begun().until_close()),
                ("a reset", begun().wait(Duration::from_millis(20)).then_reset()),
            ];
            let (end, reply) = ends.into_iter().nth(count % 4).expect("one of four");
            let step = step_of(&wire, reply).await;
            match &step.error {
                // The reason to stop had come: only `[DONE]` or the costs are missing.
                None => assert_eq!(Step { usage: whole.usage, ..step }, whole, "{wire:?}, {count} events, {end}"),
                Some(ProviderError::StreamCut { .. }) => {
                    assert!(whole.text.starts_with(&step.text), "{wire:?}, {count} events, {end}: {step:?}");
                    assert_eq!((step.calls.len(), step.stop), (0, None), "{wire:?}, {count} events, {end}");
                    cuts += 1;
                }
                Some(error) => panic!("{wire:?}, {count} events, {end}: {error:?}"),
            }
        }
        assert!(cuts >= frames.len() - 3, "{wire:?}: {cuts} cuts of {}", frames.len());
    }
}

/// A text has begun, and nothing more comes.
fn begun(wire: &Wire) -> Reply {
    let answer = WireAnswer::of([WirePart::Text("Namaskāra".to_owned())]);
    let frames = wire.frames(&answer);
    let told = frames.iter().position(|frame| frame.data.contains("Nam")).expect("an event with the text");
    Reply::events(Bytes::from(wire.framing().bytes(&frames[..=told]))).then_hang()
}

#[tokio::test]
async fn text_is_given_as_it_arrives_and_dropping_the_stream_hangs_up() {
    for wire in Wire::usual() {
        let server = SseServer::replays([begun(&wire)]).await;
        let provider = adapter(&server, &wire);
        let mut events = provider.stream(question("hello")).await.expect("a stream");
        let mut first = events.next().await;
        if let Some(Ok(ModelEvent::Usage(_))) = first {
            first = events.next().await;
        }
        let Some(Ok(ModelEvent::Text(text))) = &first else { panic!("{wire:?}: {first:?}") };
        assert!("Namaskāra".starts_with(text), "{wire:?}: {text}");
        assert!(!server.requests()[0].hung_up, "{wire:?}: as long as somebody listens");
        drop(events);
        timeout(LONG, server.until_hung_up(0)).await.unwrap_or_else(|_| panic!("{wire:?}: the connection stays"));
    }
}

#[tokio::test]
async fn dropping_the_question_before_the_answer_hangs_up() {
    for wire in Wire::usual() {
        let server = SseServer::replays([Reply::silence()]).await;
        let provider: Arc<dyn Provider> = adapter(&server, &wire);
        tokio::select! {
            _ = provider.stream(question("hello")) => panic!("nothing was answered"),
            () = server.until_requests(1) => {}
        }
        timeout(LONG, server.until_hung_up(0)).await.unwrap_or_else(|_| panic!("{wire:?}: the connection stays"));
    }
}
