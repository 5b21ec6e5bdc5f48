//! What the servers on this computer are asked beside chat: what they have, fetching and deleting.

use futures_util::{StreamExt, TryStreamExt};
use namma_core::ports::ProviderError;
use namma_providers::{LlamaServer, LmStudio, Ollama, PullProgress, ServedModel, ServerState};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::json;
use std::time::Duration;
use url::Url;

fn address(server: &SseServer) -> Url {
    Url::parse(&format!("http://{}/", server.address())).expect("an address")
}

async fn ollama_that_pulls(lines: &str) -> SseServer {
    let lines = lines.to_owned();
    SseServer::serves(move |_| Reply::body(200, "application/x-ndjson", lines.clone()).split(7)).await
}

async fn pulled(server: &SseServer) -> Result<Vec<PullProgress>, ProviderError> {
    Ollama::at(address(server)).pull("qwen3:4b").try_collect().await
}

fn progress(done_bytes: u64, total_bytes: impl Into<Option<u64>>) -> PullProgress {
    PullProgress { done_bytes, total_bytes: total_bytes.into() }
}

#[tokio::test]
async fn ollama_tells_its_models_with_their_size() {
    let tags = json!({ "models": [{ "name": "qwen3:4b", "size": 2_600_000_000_u64, "digest": "x" }] });
    let server = SseServer::serves(move |_| Reply::json(200, &tags)).await;
    let expected = ServedModel { name: "qwen3:4b".into(), bytes: Some(2_600_000_000) };
    assert_eq!(Ollama::at(address(&server)).models().await, Ok(vec![expected]));
    assert_eq!(server.requests()[0].path, "/api/tags");
}

#[tokio::test]
async fn a_pull_adds_up_its_parts_and_ends_with_success() {
    let server = ollama_that_pulls(
        "{\"status\":\"pulling manifest\"}\n\
         {\"status\":\"pulling a\",\"digest\":\"sha256:a\",\"total\":100}\n\
         {\"status\":\"pulling a\",\"digest\":\"sha256:a\",\"total\":100,\"completed\":100}\n\n\
         {\"status\":\"pulling b\",\"digest\":\"sha256:b\",\"total\":20,\"completed\":5}\n\
         {\"status\":\"success\"}",
    )
    .await;
    let expected =
        vec![progress(0, None), progress(0, 100), progress(100, 100), progress(105, 120), progress(105, 120)];
    assert_eq!(pulled(&server).await, Ok(expected));
    assert_eq!(server.requests()[0].path, "/api/pull");
    assert_eq!(server.body(0)["model"], "qwen3:4b");
}

#[tokio::test]
async fn a_pull_that_goes_wrong_says_how() {
    let missing = ollama_that_pulls(
        "{\"status\":\"pulling manifest\"}\n{\"error\":\"pull model manifest: file does not exist\"}\n",
    )
    .await;
    assert!(matches!(pulled(&missing).await, Err(ProviderError::ModelNotFound { model, .. }) if model == "qwen3:4b"));
    let cut = ollama_that_pulls("{\"status\":\"pulling manifest\"}\n").await;
    assert!(matches!(pulled(&cut).await, Err(ProviderError::StreamCut { .. })));
    let other = ollama_that_pulls("<html></html>").await;
    assert!(matches!(pulled(&other).await, Err(ProviderError::Malformed { .. })));
    let endless = SseServer::serves(|_| Reply::body(200, "text/plain", "").then_repeat(vec![b'a'; 4096], 100)).await;
    assert!(matches!(pulled(&endless).await, Err(ProviderError::Malformed { .. })));
}

#[test]
fn what_nobody_tags_is_listed_as_the_newest() {
    for (name, listed) in [
        ("llama3.2", "llama3.2:latest"),
        ("qwen3:4b", "qwen3:4b"),
        ("localhost:5000/me/mine", "localhost:5000/me/mine:latest"),
    ] {
        assert_eq!(Ollama::full_name(name), listed);
    }
}

#[tokio::test]
async fn dropping_a_pull_closes_the_connection() {
    let server = SseServer::serves(|_| Reply::events("{\"status\":\"pulling manifest\"}\n").then_hang()).await;
    let mut pull = Ollama::at(address(&server)).pull("m");
    assert_eq!(pull.next().await, Some(Ok(progress(0, None))));
    drop(pull);
    server.until_hung_up(0).await;
}

#[tokio::test]
async fn ollama_deletes_by_name() {
    let server = SseServer::serves(|request| match request.body["model"].as_str() {
        Some("here") => Reply::json(200, &json!({})),
        _ => Reply::json(404, &json!({ "error": "model 'gone' not found" })),
    })
    .await;
    let ollama = Ollama::at(address(&server));
    assert_eq!(ollama.delete("here").await, Ok(()));
    assert!(matches!(ollama.delete("gone").await, Err(ProviderError::ModelNotFound { .. })));
    let asked = &server.requests()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("DELETE", "/api/delete"));
}

#[tokio::test]
async fn lm_studio_lists_what_can_chat_and_fetches_in_the_background() {
    let states = std::sync::Mutex::new(vec!["completed", "downloading"]);
    let server = SseServer::serves(move |request| match request.path.as_str() {
        "/api/v0/models" => Reply::json(
            200,
            &json!({ "data": [{ "id": "qwen/qwen3-4b", "type": "llm" }, { "id": "nomic", "type": "embeddings" }] }),
        ),
        "/api/v1/models/download" => Reply::json(200, &json!({ "job_id": "job_1", "status": "downloading" })),
        "/api/v1/models/download/status/job_1" => {
            let status = states.lock().expect("a lock").pop();
            Reply::json(
                200,
                &json!({ "job_id": "job_1", "status": status, "total_size_bytes": 10, "downloaded_bytes": 4 }),
            )
        }
        _ => Reply::body(404, "text/plain", ""),
    })
    .await;
    let lm_studio = LmStudio::at(address(&server));
    assert_eq!(lm_studio.models().await, Ok(vec![ServedModel { name: "qwen/qwen3-4b".into(), bytes: None }]));
    assert_eq!(lm_studio.begin("qwen/qwen3-4b").await, Ok(Some("job_1".into())));
    assert_eq!(lm_studio.progress("job_1").await, Ok(Some(progress(4, 10))));
    assert_eq!(lm_studio.progress("job_1").await, Ok(None));
}

#[tokio::test]
async fn lm_studio_may_have_it_or_fail() {
    // One that is fetched without a number could never be asked for.
    for (status, expected) in
        [("already_downloaded", true), ("failed", false), ("dancing", false), ("downloading", false)]
    {
        let server = SseServer::serves(move |_| Reply::json(200, &json!({ "status": status }))).await;
        let begun = LmStudio::at(address(&server)).begin("m").await;
        assert_eq!(begun.is_ok_and(|job| job.is_none()), expected, "{status}");
    }
}

#[tokio::test]
async fn a_server_of_our_own_tells_how_it_is_and_how_fast() {
    let server = SseServer::serves(|request| match (request.path.as_str(), request.header("authorization")) {
        ("/health", _) => Reply::json(503, &json!({ "error": { "code": 503, "message": "Loading model" } })),
        ("/completion", Some("Bearer key-1")) => {
            Reply::json(200, &json!({ "timings": { "prompt_ms": 250.0, "predicted_ms": 1000.0 } }))
        }
        _ => Reply::json(401, &json!({ "error": { "message": "Invalid API Key" } })),
    })
    .await;
    let port = server.address().port();
    let llama = LlamaServer::at(port, "key-1").expect("a server");
    assert_eq!(llama.state().await, Ok(ServerState::Loading));
    assert_eq!(llama.trial().await, Ok(Duration::from_millis(1250)));
    let stranger = LlamaServer::at(port, "another").expect("a server");
    assert!(matches!(stranger.trial().await, Err(ProviderError::KeyRefused { .. })));
    drop(server);
    let nobody = LlamaServer::at(9, "key-1").expect("a server");
    assert_eq!(nobody.state().await, Ok(ServerState::Silent));
}
