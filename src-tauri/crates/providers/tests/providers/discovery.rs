//! What runs on this computer, and whether an endpoint works.

use crate::support::endpoint;
use namma_core::ports::ProviderError;
use namma_protocol::{FoundKind, FoundProvider};
use namma_providers::{LocalPorts, discover_local, list_models, test_endpoint};
use namma_testkit::sse_server::{Reply, SseServer, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn server_with(models: Value) -> SseServer {
    SseServer::serves(move |request| {
        assert_eq!(request.path, "/v1/models");
        Reply::json(200, &json!({ "object": "list", "data": models }))
    })
    .await
}

fn model(id: &str, owner: &str) -> Value {
    json!({ "id": id, "object": "model", "owned_by": owner })
}

/// A port where nothing listens.
async fn free_port() -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    listener.local_addr().expect("an address").port()
}

fn found(kind: FoundKind, label: &str, port: u16, models: &[&str]) -> FoundProvider {
    FoundProvider {
        kind,
        label: label.to_owned(),
        base_url: format!("http://127.0.0.1:{port}/v1"),
        models: models.iter().map(|model| (*model).to_owned()).collect(),
        key_env: None,
    }
}

#[tokio::test]
async fn the_known_servers_are_found_with_their_models() {
    let ollama = server_with(json!([model("nomic-embed-text", "library"), model("qwen3:8b", "library")])).await;
    let llama = server_with(json!([model("model.gguf", "llamacpp")])).await;
    let ports = LocalPorts {
        ollama: ollama.address().port(),
        lm_studio: free_port().await,
        llama_server: llama.address().port(),
    };
    let expected = [
        found(FoundKind::Ollama, "Ollama", ports.ollama, &["qwen3:8b", "nomic-embed-text"]),
        found(FoundKind::LlamaServer, "llama-server", ports.llama_server, &["model.gguf"]),
    ];
    assert_eq!(discover_local(ports).await, expected);
}

#[tokio::test]
async fn a_server_on_anothers_port_is_known_by_its_answer() {
    let server = server_with(json!([model("model.gguf", "llamacpp")])).await;
    let other = server_with(json!([model("m", "vllm")])).await;
    let ports = LocalPorts {
        ollama: server.address().port(),
        lm_studio: free_port().await,
        llama_server: other.address().port(),
    };
    let port = ports.llama_server;
    let expected = [
        found(FoundKind::LlamaServer, "llama-server", ports.ollama, &["model.gguf"]),
        found(FoundKind::LlamaServer, &format!("model server on port {port}"), port, &["m"]),
    ];
    assert_eq!(discover_local(ports).await, expected);
}

#[tokio::test]
async fn what_is_no_model_server_is_not_found_and_holds_nobody_up() {
    let web = SseServer::serves(|_| Reply::body(200, "text/html", "<html></html>")).await;
    let silent = SseServer::serves(|_| Reply::silence()).await;
    let closed = SseServer::serves(|_| Reply::body(404, "text/plain", "no")).await;
    let ports = LocalPorts {
        ollama: web.address().port(),
        lm_studio: silent.address().port(),
        llama_server: closed.address().port(),
    };
    let started = Instant::now();
    assert_eq!(discover_local(ports).await, []);
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[tokio::test]
async fn models_for_chat_are_listed_first() {
    let ids = ["text-embedding-3-small", "gpt-x", "whisper-1", "gpt-y"];
    let server = server_with(ids.iter().map(|id| model(id, "openai")).collect()).await;
    let models = list_models(&endpoint(&server)).await.expect("a list");
    assert_eq!(models, ["gpt-x", "gpt-y", "text-embedding-3-small", "whisper-1"]);
}

#[tokio::test]
async fn the_reason_why_there_is_no_list_is_told() {
    let server = SseServer::replays([Reply::json(401, &json!({ "error": "no" })), Reply::json(200, &json!({}))]).await;
    let refused = list_models(&endpoint(&server)).await;
    assert!(matches!(refused, Err(ProviderError::KeyRefused { status: 401, .. })), "{refused:?}");
    let strange = list_models(&endpoint(&server)).await;
    assert!(matches!(strange, Err(ProviderError::Malformed { .. })), "{strange:?}");
}

#[tokio::test]
async fn a_working_endpoint_passes_the_test_with_one_small_request() {
    let server = SseServer::says([vec![text("ready")]]).await;
    let report = test_endpoint(&endpoint(&server), "test-model").await.expect("a report");
    assert_eq!(report.model, "test-model");
    assert_eq!(server.request_count(), 1);
    assert_eq!(server.body(0)["max_tokens"], 16);
}

#[tokio::test]
async fn a_failing_test_tells_the_exact_cause() {
    let no_model = json!({ "error": { "message": "model 'x' not found" } });
    let server = SseServer::replays([Reply::json(404, &no_model), Reply::events("")]).await;
    let missing = test_endpoint(&endpoint(&server), "x").await;
    assert!(matches!(&missing, Err(ProviderError::ModelNotFound { model, .. }) if model == "x"), "{missing:?}");
    let cut = test_endpoint(&endpoint(&server), "x").await;
    assert!(matches!(cut, Err(ProviderError::StreamCut { .. })), "{cut:?}");
}
