//! Every refusal by its status and its words.

use crate::support::{ask, endpoint, provider, question, step_of};
use namma_core::ports::ProviderError;
use namma_providers::{EndpointConfig, Timeouts, connect, parse_base_url};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::json;
use std::time::Duration;

async fn error(reply: Reply) -> ProviderError {
    step_of(reply).await.error.expect("an error")
}

/// The name of the variant and the status, where it has one.
fn kind(error: &ProviderError) -> String {
    match error {
        ProviderError::KeyRefused { status, .. } => format!("key {status}"),
        ProviderError::NoCredit { .. } => "credit".to_owned(),
        ProviderError::RateLimited { .. } => "rate".to_owned(),
        ProviderError::ModelNotFound { model, .. } => format!("model {model}"),
        ProviderError::ToolsUnsupported { .. } => "no tools".to_owned(),
        ProviderError::ContextTooLong { .. } => "context".to_owned(),
        ProviderError::BadRequest { status, .. } => format!("bad {status}"),
        ProviderError::ServerFailed { status, .. } => format!("server {status}"),
        ProviderError::ContentFiltered { .. } => "filter".to_owned(),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn each_refusal_is_told_by_status_and_words() {
    let table = [
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
            "context",
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}"#,
            "context",
        ),
        (400, r#"{"error":"prompt too long; exceeded max context length by 12 tokens"}"#, "context"),
        (
            400,
            r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","code":400}"#,
            "context",
        ),
        (
            400,
            r#"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}"#,
            "context",
        ),
        (
            400,
            r#"{"error":{"message":"Please reduce the length of the messages or completion.","code":"context_length_exceeded"}}"#,
            "context",
        ),
        (500, r#"{"error":{"message":"the prompt exceeds the context size (n_ctx)"}}"#, "context"),
        (413, "<html><title>413 Request Entity Too Large</title></html>", "context"),
        (
            413,
            r#"{"error":{"message":"Request too large for model: tokens per minute (TPM)","code":"rate_limit_exceeded"}}"#,
            "rate",
        ),
        (400, r#"{"error":{"message":"model not found","code":"model_not_found"}}"#, "model test-model"),
        (400, r#"{"error":{"message":"foo/bar is not a valid model ID","code":400}}"#, "model test-model"),
        (
            404,
            r#"{"error":{"message":"model \"x\" not found, try pulling it first","type":"api_error"}}"#,
            "model test-model",
        ),
        (
            404,
            r#"{"error":{"message":"The model `x` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
            "model test-model",
        ),
        (
            403,
            r#"{"error":{"message":"Project `p` does not have access to model `m`","code":"model_not_found"}}"#,
            "model test-model",
        ),
        (404, "404 page not found", "bad 404"),
        (404, r#"{"detail":"Not Found"}"#, "bad 404"),
        (404, r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#, "bad 404"),
        (401, r#"{"error":{"message":"Incorrect API key provided"}}"#, "key 401"),
        (401, "", "key 401"),
        (403, r#"{"error":{"message":"forbidden"}}"#, "key 403"),
        (
            403,
            r#"{"error":{"message":"Country, region, or territory not supported","code":"unsupported_country_region_territory"}}"#,
            "bad 403",
        ),
        (403, r#"{"error":{"message":"The input was flagged by moderation","code":403}}"#, "filter"),
        (400, r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]"#, "key 400"),
        (402, r#"{"error":{"message":"Insufficient Balance"}}"#, "credit"),
        (402, "", "credit"),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            "credit",
        ),
        (429, r#"{"error":{"message":"Rate limit reached"}}"#, "rate"),
        (408, "", "rate"),
        (409, "", "rate"),
        (422, r#"{"detail":[{"loc":["body","tools"],"msg":"field required"}]}"#, "bad 422"),
        (400, r#"{"error":{"message":"messages: text content blocks must be non-empty"}}"#, "bad 400"),
        (400, r#"{"error":{"message":"registry.ollama.ai/library/x does not support tools"}}"#, "no tools"),
        (400, r#"{"error":{"message":"The response was filtered","code":"content_filter"}}"#, "filter"),
        (500, "oops", "server 500"),
        (503, r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#, "server 503"),
        (529, r#"{"error":{"message":"overloaded"}}"#, "server 529"),
        (302, "", "bad 302"),
    ];
    for (status, body, expected) in table {
        let name = if body.starts_with('<') { "text/html" } else { "application/json" };
        let error = error(Reply::body(status, name, body)).await;
        assert_eq!(kind(&error), expected, "{status} {body}");
    }
}

#[tokio::test]
async fn a_page_of_html_becomes_a_short_text() {
    let page = format!(
        "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>{}</body></html>",
        "x".repeat(9000)
    );
    let error = error(Reply::body(502, "text/html", page)).await;
    let message = "a web page titled \"502 Bad Gateway\"".to_owned();
    assert_eq!(error, ProviderError::ServerFailed { status: 502, retry_after: None, message });
}

#[tokio::test]
async fn a_wrong_path_is_named() {
    let error = error(Reply::body(404, "text/plain", "404 page not found")).await;
    let ProviderError::BadRequest { message, .. } = &error else { panic!("{error:?}") };
    assert!(message.starts_with("there is nothing at /v1/chat/completions on 127.0.0.1:"), "{message}");
}

#[tokio::test]
async fn a_move_is_not_followed_and_named() {
    let server =
        SseServer::replays([Reply::body(308, "text/plain", "").header("location", "https://new.example/v1")]).await;
    let error = ask(&provider(&server), question("hello")).await.error;
    let message = "the address has moved to https://new.example/v1".to_owned();
    assert_eq!(error, Some(ProviderError::BadRequest { status: 308, message }));
    assert_eq!(server.request_count(), 1);
}

#[tokio::test]
async fn the_wait_a_server_asks_for_is_told() {
    let table = [
        (&[("retry-after", "7")][..], Some(Duration::from_secs(7))),
        (&[("retry-after-ms", "1500")], Some(Duration::from_millis(1500))),
        (
            &[("date", "Fri, 01 Mar 2030 08:00:00 GMT"), ("retry-after", "Fri, 01 Mar 2030 08:01:00 GMT")],
            Some(Duration::from_secs(60)),
        ),
        (&[], None),
    ];
    for (headers, wait) in table {
        for status in [429, 503] {
            let mut reply = Reply::json(status, &json!({ "error": { "message": "slow down" } }));
            for (name, value) in headers {
                reply = reply.header(name, value);
            }
            assert_eq!(error(reply).await.retry_after(), wait, "{status} {headers:?}");
        }
    }
}

#[tokio::test]
async fn nothing_at_the_address_is_told_with_the_address() {
    let server = SseServer::replays([]).await;
    let (endpoint, address) = (endpoint(&server), server.address());
    drop(server);
    // The socket closes with the server's task, a moment after.
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let error = ask(&connect(endpoint), question("hello")).await.error;
    let expected = ProviderError::Unreachable { address: address.to_string(), cause: "connection refused".to_owned() };
    assert_eq!(error, Some(expected));
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_told() {
    let base_url = parse_base_url("http://no-such-host.invalid:8080").expect("an address");
    let provider = connect(EndpointConfig::new("nowhere", base_url));
    let error = ask(&provider, question("hello")).await.error;
    assert!(
        matches!(&error, Some(ProviderError::Unreachable { address, .. }) if address == "no-such-host.invalid:8080"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_server_that_hangs_up_or_speaks_no_http_is_told() {
    let error_of = |reply| async { error(reply).await };
    let error = error_of(Reply::garbage("")).await;
    assert!(matches!(error, ProviderError::Unreachable { .. }), "{error:?}");
    let error = error_of(Reply::garbage("SSH-2.0-OpenSSH_9.2\r\n\r\n")).await;
    assert!(matches!(error, ProviderError::Malformed { .. }), "{error:?}");
}

#[tokio::test]
async fn https_to_a_server_without_tls_is_told() {
    let server = SseServer::replays([]).await;
    let base_url = parse_base_url(&server.base_url().replace("http://", "https://")).expect("an address");
    let timeouts = Timeouts { connect: Duration::from_millis(300), ..Timeouts::default() };
    let provider = connect(EndpointConfig { base_url, timeouts, ..endpoint(&server) });
    let error = ask(&provider, question("hello")).await.error;
    assert!(matches!(error, Some(ProviderError::Unreachable { .. })), "{error:?}");
}

#[tokio::test]
async fn the_key_is_in_no_error() {
    let key = "sk-secret-key-1234";
    let echo =
        json!({ "error": { "message": format!("Incorrect API key provided: {key}"), "code": "invalid_api_key" } });
    let in_stream = format!("data: {}\n\n", json!({ "error": { "message": format!("bad key {key}") } }));
    let page = format!("<html><title>{key}</title></html>");
    let replies = [
        Reply::json(401, &echo),
        Reply::json(500, &echo),
        Reply::body(400, "text/plain", key),
        Reply::events(in_stream),
        Reply::body(502, "text/html", page),
    ];
    for reply in replies {
        let error = error(reply).await;
        let told = format!("{error} {error:?} {:?}", error.to_api_error("test"));
        assert!(!told.contains("secret"), "{told}");
    }
}

#[tokio::test]
async fn a_key_that_cannot_be_sent_is_refused_here() {
    let server = SseServer::replays([]).await;
    let provider = connect(endpoint(&server).with_key("sk-two\nlines"));
    let error = provider.stream(question("hello")).await.err();
    assert!(matches!(error, Some(ProviderError::KeyRefused { .. })), "{error:?}");
    assert_eq!(server.request_count(), 0);
}
