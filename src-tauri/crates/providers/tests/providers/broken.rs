//! Streams that break.

use crate::support::{Step, ask, endpoint, provider, question, step_of, step_of_events};
use namma_core::ports::ProviderError;
use namma_providers::{Timeouts, connect};
use namma_testkit::sse_server::{Reply, SseServer, finish, text};
use std::time::{Duration, Instant};

fn is_cut(step: &Step) -> bool {
    matches!(step.error, Some(ProviderError::StreamCut { .. })) && step.stop.is_none()
}

#[tokio::test]
async fn text_that_was_held_back_is_not_lost_by_a_cut() {
    let step = step_of(Reply::open_step([text("<thi")]).then_close()).await;
    assert!(is_cut(&step), "{step:?}");
    assert_eq!(step.text, "<thi");
}

#[tokio::test]
async fn strange_shapes_do_no_harm() {
    let step = step_of_events(&[
        "null",
        "7",
        "[]",
        r#"{"choices":null}"#,
        r#"{"choices":[null]}"#,
        r#"{"choices":[{"delta":null}]}"#,
        r#"{"choices":[{"delta":{"content":7,"tool_calls":7,"reasoning":{}}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[null,7]}}],"usage":"many"}"#,
        r#"{"error":null,"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ])
    .await;
    assert_eq!((step.text.as_str(), step.error), ("ok", None));
}

#[tokio::test]
async fn an_error_inside_the_stream_is_told_by_its_own_words() {
    let quota = r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#;
    let context = r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#;
    let overloaded = r#"{"error":{"code":502,"message":"Provider returned error"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#;
    let step = step_of_events(&[quota]).await;
    assert!(matches!(step.error, Some(ProviderError::RateLimited { .. })), "{step:?}");
    let step = step_of_events(&[context]).await;
    assert!(matches!(step.error, Some(ProviderError::ContextTooLong { .. })), "{step:?}");
    let step = step_of_events(&[r#"{"choices":[{"delta":{"content":"half"}}]}"#, overloaded]).await;
    assert!(matches!(step.error, Some(ProviderError::ServerFailed { status: 502, .. })), "{step:?}");
    assert_eq!(step.text, "half");
}

#[tokio::test]
async fn an_error_event_by_name_or_as_a_bare_line_is_an_error() {
    let bodies = [
        "event: error\ndata: {\"message\":\"overloaded\"}\n\n",
        "event: error\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n",
        "error: {\"code\":500,\"message\":\"overloaded\"}\n\n",
        "{\"error\":\"overloaded\"}\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"insufficient_system_resource\"}]}\n\n",
    ];
    for body in bodies {
        let step = step_of(Reply::events(body)).await;
        assert!(matches!(step.error, Some(ProviderError::ServerFailed { .. })), "{body}: {step:?}");
    }
}

#[tokio::test]
async fn a_web_page_instead_of_an_answer_is_named() {
    let page = "<html><head><title>Sign in to the network</title></head></html>";
    let step = step_of(Reply::body(200, "text/html; charset=utf-8", page)).await;
    let what = "a web page titled \"Sign in to the network\"".to_owned();
    assert_eq!(step.error, Some(ProviderError::Malformed { what }));
}

fn impatient(server: &SseServer) -> std::sync::Arc<dyn namma_core::ports::Provider> {
    let timeouts = Timeouts {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_millis(200),
        idle: Duration::from_millis(200),
    };
    connect(namma_providers::EndpointConfig { timeouts, ..endpoint(server) })
}

#[tokio::test]
async fn silence_before_and_within_the_answer_has_a_limit() {
    let replies = [
        ("no head", Reply::silence()),
        ("a head and no body", Reply::events("").then_hang()),
        ("a pause in the middle", Reply::open_step([text("half")]).then_hang()),
    ];
    for (case, reply) in replies {
        let server = SseServer::replays([reply]).await;
        let step = ask(&impatient(&server), question("hello")).await;
        assert!(matches!(step.error, Some(ProviderError::TimedOut { .. })), "{case}: {step:?}");
        server.until_hung_up(0).await;
    }
}

#[tokio::test]
async fn signs_of_life_keep_a_slow_answer_alive() {
    let mut reply = Reply::events(": wait\n\n");
    for _ in 0..5 {
        reply = reply.wait(Duration::from_millis(100)).then(": wait\n\n");
    }
    let reply = reply.then("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n");
    let server = SseServer::replays([reply]).await;
    assert_eq!(ask(&impatient(&server), question("hello")).await.text, "x");
}

#[tokio::test]
async fn a_server_that_forgets_to_end_after_the_reason_does_not_hold_the_step() {
    let server = SseServer::replays([Reply::open_step([text("x"), finish("stop")]).then_hang()]).await;
    let started = Instant::now();
    let step = ask(&provider(&server), question("hello")).await;
    assert_eq!(step, Step { usage: None, ..Step::text("x") });
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn pings_after_the_reason_do_not_put_off_the_end() {
    let mut reply = Reply::open_step([text("x"), finish("stop")]);
    for _ in 0..300 {
        reply = reply.then(": ping\n\n").wait(Duration::from_millis(100));
    }
    let server = SseServer::replays([reply]).await;
    let started = Instant::now();
    let step = ask(&provider(&server), question("hello")).await;
    assert_eq!(step, Step { usage: None, ..Step::text("x") });
    assert!(started.elapsed() < Duration::from_secs(20), "the pings go on for thirty");
}
