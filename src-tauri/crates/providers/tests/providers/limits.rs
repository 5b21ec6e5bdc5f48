//! Answers without end, and what an answer costs.

use crate::support::{Step, ask, endpoint, provider, question, step_of};
use namma_core::ports::ProviderError;
use namma_providers::connect;
use namma_testkit::sse_server::{Reply, SseServer, text};
use std::time::{Duration, Instant};

const MEGABYTE: usize = 1024 * 1024;

fn is_malformed(step: &Step) -> bool {
    matches!(step.error, Some(ProviderError::Malformed { .. }))
}

#[tokio::test]
async fn one_token_of_200_megabytes_is_stopped_after_the_first() {
    let head = "data: {\"choices\":[{\"delta\":{\"content\":\"";
    let server = SseServer::replays([Reply::events(head).then_repeat(vec![b'a'; MEGABYTE / 4], 800)]).await;
    let step = ask(&provider(&server), question("hello")).await;
    assert!(is_malformed(&step), "{:?}", step.error);
    server.until_hung_up(0).await;
    let sent = server.requests()[0].sent_bytes;
    assert!(sent < 20 * MEGABYTE as u64, "{sent} bytes were taken");
}

#[tokio::test]
async fn endless_text_is_stopped_and_the_connection_closed() {
    let chunk = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "a".repeat(60_000));
    let server = SseServer::replays([Reply::events("").then_repeat(chunk, 4000)]).await;
    let step = ask(&provider(&server), question("hello")).await;
    assert!(is_malformed(&step), "{:?}", step.error);
    assert!(step.text.len() <= 16 * MEGABYTE);
    server.until_hung_up(0).await;
}

#[tokio::test]
async fn endless_arguments_are_stopped_and_no_call_is_given() {
    let open = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""#;
    let chunk = format!("data: {open}{}\"}}}}]}}}}]}}\n\n", "a".repeat(60_000));
    let server = SseServer::replays([Reply::events("").then_repeat(chunk, 200)]).await;
    let step = ask(&provider(&server), question("hello")).await;
    assert!(is_malformed(&step), "{:?}", step.error);
    assert_eq!(step.calls, []);
    server.until_hung_up(0).await;
}

#[tokio::test]
async fn an_index_beyond_reason_costs_nothing() {
    let chunk = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":4000000000,"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    let step = step_of(Reply::events(format!("{chunk}\n\n"))).await;
    assert_eq!(step.calls, Step::calls(&[("f", "{}")]).calls);
}

#[tokio::test]
async fn an_endless_document_and_an_endless_error_are_stopped() {
    let endless =
        |status| Reply::body(status, "application/json", "{\"a\":\"").then_repeat(vec![b'a'; MEGABYTE / 4], 800);
    let step = step_of(endless(200)).await;
    assert!(is_malformed(&step), "{:?}", step.error);
    let step = step_of(endless(500)).await;
    assert!(matches!(&step.error, Some(ProviderError::ServerFailed { message, .. }) if message.len() < 1000));
}

#[tokio::test]
async fn one_connection_serves_many_steps() {
    let server = SseServer::answers(|_| vec![text("x")]).await;
    let provider = provider(&server);
    let mut quickest = Duration::MAX;
    for _ in 0..100 {
        let started = Instant::now();
        assert_eq!(ask(&provider, question("hello")).await, Step::text("x"));
        quickest = quickest.min(started.elapsed());
    }
    assert_eq!(server.connection_count(), 1, "connections are kept");
    assert!(quickest < Duration::from_millis(20), "{quickest:?} for a step of a server without delay");
}

#[tokio::test]
async fn the_first_request_to_a_local_server_is_not_held_up_by_certificates() {
    let server = SseServer::answers(|_| vec![text("x")]).await;
    let mut quickest = Duration::MAX;
    for _ in 0..5 {
        let fresh = connect(endpoint(&server));
        let started = Instant::now();
        ask(&fresh, question("hello")).await;
        quickest = quickest.min(started.elapsed());
    }
    assert!(quickest < Duration::from_millis(50), "{quickest:?}");
}
