//! Looks for models: which servers run on this computer, what an endpoint offers, whether it works.
//!
//! Each question is one small request with a short limit; nothing is changed anywhere.

use crate::connect;
use crate::connection::Connection;
use crate::document::document;
use crate::endpoint::{EndpointConfig, Timeouts, parse_base_url};
use futures_util::StreamExt;
use futures_util::future::join_all;
use namma_core::ports::{ModelEvent, ModelMessage, ModelRequest, Provider, ProviderError, ToolSpec};
use namma_protocol::{FoundKind, FoundProvider};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long a server on this computer may take to say that it is there.
const LOCAL_LIMIT: Duration = Duration::from_millis(300);

/// How long a list of models may take.
const LIST_LIMIT: Duration = Duration::from_secs(10);

/// How long the test of an endpoint may take.
const TEST_LIMIT: Duration = Duration::from_secs(5);

const A_LIST: &str = "a list of models";

/// Where the known servers listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPorts {
    pub ollama: u16,
    pub lm_studio: u16,
    pub llama_server: u16,
}

impl Default for LocalPorts {
    fn default() -> Self {
        Self { ollama: 11434, lm_studio: 1234, llama_server: 8080 }
    }
}

/// What a successful test found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    pub model: String,
    /// From the request to the first thing the model said.
    pub first_event: Duration,
    pub has_tools: bool,
}

/// The model servers that run on this computer and answer within 300 ms.
pub async fn discover_local(ports: LocalPorts) -> Vec<FoundProvider> {
    let places = [
        (FoundKind::Ollama, ports.ollama),
        (FoundKind::LmStudio, ports.lm_studio),
        (FoundKind::LlamaServer, ports.llama_server),
    ];
    join_all(places.map(|(kind, port)| look_at(kind, port))).await.into_iter().flatten().collect()
}

/// The models an endpoint offers, those for chat first.
///
/// # Errors
/// When it does not answer within ten seconds, or with something that is no list of models.
pub async fn list_models(endpoint: &EndpointConfig) -> Result<Vec<String>, ProviderError> {
    let list = fetch_models(endpoint, LIST_LIMIT).await?;
    Ok(list.into_iter().map(|model| model.id).collect())
}

/// Asks the model for one word, within five seconds.
///
/// # Errors
/// The exact cause: no such server, a refused key, an unknown model, no credit, too slow.
pub async fn test_endpoint(endpoint: &EndpointConfig, model: &str) -> Result<TestReport, ProviderError> {
    test_model(connect(endpoint.clone()).as_ref(), model, TEST_LIMIT).await
}

/// Asks a model for one word, with a tool beside it, to see whether it takes any.
///
/// # Errors
/// The exact cause, as [`test_endpoint`].
pub async fn test_model(provider: &dyn Provider, model: &str, limit: Duration) -> Result<TestReport, ProviderError> {
    let started = Instant::now();
    let request = ModelRequest {
        model: model.to_owned(),
        messages: vec![ModelMessage::User { text: "Answer with the one word: ready".to_owned(), images: Vec::new() }],
        tools: vec![ToolSpec {
            name: "no_operation".to_owned(),
            description: "Does nothing. Never needed.".to_owned(),
            parameters: serde_json::json!({ "type": "object", "properties": {} }),
        }],
        max_output_tokens: Some(16),
        ..ModelRequest::default()
    };
    let report = ask_for_a_word(provider, request.clone(), started, limit).await;
    if !matches!(report, Err(ProviderError::ToolsUnsupported { .. })) {
        return report;
    }
    let without = ModelRequest { tools: Vec::new(), ..request };
    let report = ask_for_a_word(provider, without, started, limit).await?;
    Ok(TestReport { has_tools: false, ..report })
}

async fn ask_for_a_word(
    provider: &dyn Provider,
    request: ModelRequest,
    started: Instant,
    limit: Duration,
) -> Result<TestReport, ProviderError> {
    let too_late = |_| ProviderError::TimedOut { seconds: limit.as_secs() };
    let model = request.model.clone();
    timeout_at(started + limit, async {
        let mut stream = provider.stream(request).await?;
        let mut first_event = None;
        while let Some(event) = stream.next().await {
            let event = event?;
            // What the question cost is known before anything is said.
            if matches!(event, ModelEvent::Usage(_)) {
                continue;
            }
            let now = started.elapsed();
            let first_event = *first_event.get_or_insert(now);
            // The model speaks: that is all we wanted to know, and the rest may cost money.
            if matches!(event, ModelEvent::Text(_) | ModelEvent::Thinking(_) | ModelEvent::Stop(_)) {
                return Ok(TestReport { model, first_event, has_tools: true });
            }
        }
        Err(ProviderError::StreamCut { cause: "the answer was empty".to_owned() })
    })
    .await
    .map_err(too_late)?
}

async fn look_at(kind: FoundKind, port: u16) -> Option<FoundProvider> {
    let base_url = parse_base_url(&format!("http://127.0.0.1:{port}")).ok()?;
    let timeouts = Timeouts { connect: LOCAL_LIMIT, first_byte: LOCAL_LIMIT, idle: LOCAL_LIMIT };
    let endpoint = EndpointConfig { timeouts, ..EndpointConfig::new("local", base_url) };
    // Nothing there, or something else: both mean that no model server was found.
    let models = fetch_models(&endpoint, LOCAL_LIMIT).await.ok()?;
    let owner = models.iter().find_map(|model| model.owner.as_deref()).unwrap_or_default();
    let (kind, label) = match (owner, kind) {
        ("llamacpp", _) => (FoundKind::LlamaServer, "llama-server".to_owned()),
        ("library", _) => (FoundKind::Ollama, "Ollama".to_owned()),
        ("organization_owner", _) => (FoundKind::LmStudio, "LM Studio".to_owned()),
        (_, FoundKind::Ollama) => (FoundKind::Ollama, "Ollama".to_owned()),
        (_, FoundKind::LmStudio) => (FoundKind::LmStudio, "LM Studio".to_owned()),
        // Port 8080 is everybody's: say what is sure.
        (_, other) => (other, format!("model server on port {port}")),
    };
    let base_url = endpoint.base_url.to_string();
    let models = models.into_iter().map(|model| model.id).collect();
    Some(FoundProvider { kind, label, base_url, models, key_env: None })
}

struct ListedModel {
    id: String,
    owner: Option<String>,
}

async fn fetch_models(endpoint: &EndpointConfig, limit: Duration) -> Result<Vec<ListedModel>, ProviderError> {
    let deadline = Instant::now() + limit;
    let response = Connection::new(endpoint.clone()).send("models", None, "", deadline).await?;
    let document: Value = document(response, deadline, A_LIST).await?;
    // Together answers with the bare list, Gemini names it after what is in it.
    let lists = [&document["data"], &document["models"], &document];
    let list = lists.iter().find_map(|list| list.as_array()).ok_or_else(no_list)?;
    let mut models: Vec<ListedModel> = list.iter().filter_map(listed).collect();
    models.sort_by_key(|model| !may_chat(&model.id));
    Ok(models)
}

fn listed(model: &Value) -> Option<ListedModel> {
    let owner = model["owned_by"].as_str().map(str::to_owned);
    let methods = model["supportedGenerationMethods"].as_array();
    if methods.is_some_and(|methods| !methods.iter().any(|method| method == "generateContent")) {
        return None;
    }
    let id = model["id"].as_str().or_else(|| model["name"].as_str()?.strip_prefix("models/"))?;
    Some(ListedModel { id: id.to_owned(), owner })
}

/// Whether a model's name does not say that it is for something else than chat.
fn may_chat(id: &str) -> bool {
    const OTHER: [&str; 12] = [
        "embed",
        "whisper",
        "tts",
        "dall-e",
        "moderation",
        "rerank",
        "transcribe",
        "realtime",
        "image",
        "audio",
        "guard",
        "sora",
    ];
    let id = id.to_lowercase();
    !OTHER.iter().any(|word| id.contains(word))
}

fn no_list() -> ProviderError {
    ProviderError::Malformed { what: format!("something that is not {A_LIST}") }
}
