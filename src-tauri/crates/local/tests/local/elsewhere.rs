//! Models that Ollama and LM Studio fetch for us.

use crate::support::{Computer, claims, ignore, settings};
use namma_core::ports::ProviderError;
use namma_local::{LocalError, Source};
use namma_protocol::{InstallProgress, LocalKeeper};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::json;
use url::Url;

claims! {
    ollama_fetches_a_model_and_tells_how_far_it_is,
    a_model_without_a_tag_gets_the_name_that_ollama_lists,
    a_whole_pull_is_no_failure_when_the_list_cannot_be_had,
    lm_studio_is_asked_until_the_model_is_there,
    an_old_lm_studio_is_told_with_what_to_do,
}

fn address(server: &SseServer) -> Url {
    Url::parse(&format!("http://{}/", server.address())).unwrap()
}

async fn ollama_fetches_a_model_and_tells_how_far_it_is() {
    let server = SseServer::serves(|request| match request.path.as_str() {
        "/api/pull" => Reply::body(
            200,
            "application/x-ndjson",
            "{\"status\":\"pulling\",\"digest\":\"a\",\"total\":9,\"completed\":9}\n{\"status\":\"success\"}\n",
        ),
        _ => Reply::json(200, &json!({ "models": [{ "name": "qwen3:4b", "size": 9 }] })),
    })
    .await;
    let source = Source::Ollama { address: address(&server), name: "qwen3:4b".into() };
    let mut heard = Vec::new();
    let install = Computer::hurried().installs.begin(source, None, settings());
    let model = install.finish(|step| heard.push(step)).await.unwrap();
    assert_eq!((model.keeper, model.name.as_str(), model.bytes), (LocalKeeper::Ollama, "qwen3:4b", Some(9)));
    assert_eq!(heard.last(), Some(&InstallProgress::Downloading { done_bytes: 9, total_bytes: Some(9) }));
}

/// Pulls whatever it is asked for, and answers so when it is asked for its list.
async fn pulls(list: fn() -> Reply) -> SseServer {
    SseServer::serves(move |request| match request.path.as_str() {
        "/api/pull" => Reply::body(200, "application/x-ndjson", "{\"status\":\"success\"}\n"),
        _ => list(),
    })
    .await
}

async fn a_model_without_a_tag_gets_the_name_that_ollama_lists() {
    let server = pulls(|| Reply::json(200, &json!({ "models": [{ "name": "llama3.2:latest", "size": 9 }] }))).await;
    let source = Source::Ollama { address: address(&server), name: "llama3.2".into() };
    let model = Computer::hurried().installs.begin(source, None, settings()).finish(ignore).await.unwrap();
    assert_eq!((model.name.as_str(), model.bytes), ("llama3.2:latest", Some(9)));
}

async fn a_whole_pull_is_no_failure_when_the_list_cannot_be_had() {
    let server = pulls(|| Reply::body(500, "text/plain", "not now")).await;
    let source = Source::Ollama { address: address(&server), name: "qwen3:4b".into() };
    let model = Computer::hurried().installs.begin(source, None, settings()).finish(ignore).await.unwrap();
    assert_eq!((model.name.as_str(), model.bytes), ("qwen3:4b", None));
}

async fn lm_studio_is_asked_until_the_model_is_there() {
    let states = std::sync::Mutex::new(vec!["completed", "downloading", "downloading"]);
    let server = SseServer::serves(move |request| match request.path.as_str() {
        "/api/v1/models/download" => Reply::json(200, &json!({ "job_id": "j", "status": "downloading" })),
        _ => Reply::json(200, &json!({ "job_id": "j", "status": states.lock().unwrap().pop() })),
    })
    .await;
    let source = Source::LmStudio { address: address(&server), name: "qwen/qwen3-4b".into() };
    let model = Computer::hurried().installs.begin(source, None, settings()).finish(ignore).await.unwrap();
    assert_eq!((model.keeper, model.name.as_str()), (LocalKeeper::LmStudio, "qwen/qwen3-4b"));
    assert_eq!(server.request_count(), 4);
}

async fn an_old_lm_studio_is_told_with_what_to_do() {
    let server = SseServer::serves(|_| Reply::json(404, &json!({ "error": "Unexpected endpoint" }))).await;
    let source = Source::LmStudio { address: address(&server), name: "m".into() };
    let error = Computer::hurried().installs.begin(source, None, settings()).finish(ignore).await.unwrap_err();
    let LocalError::Server(ProviderError::BadRequest { message, .. }) = error else { panic!("{error:?}") };
    assert!(message.contains("download the model in its window"), "{message}");
}
