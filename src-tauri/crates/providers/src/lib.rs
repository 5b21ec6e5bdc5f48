//! Vendors of models behind the core's Provider port, and the HTTP clients.
//!
//! Everything that speaks HTTP lives here: [`OpenAiCompatible`], [`Responses`], [`Anthropic`] and [`Gemini`] ask models, each
//! in its dialect, and [`connect`] makes the one that an endpoint speaks; [`GuardedHttp`] fetches pages for tools, [`discover_local`] looks for model servers on this computer.
//! [`Ollama`], [`LmStudio`] and [`LlamaServer`] are asked what only such servers know, and [`FileDownload`] fetches large files. Nothing
//! here reads the environment, stores anything or decides what a tool may do, and no key ever
//! stands in an error or a log.
//!
//! To add a vendor with an OpenAI-compatible endpoint: one line in `preset.rs`. To add a dialect:
//! a module beside `openai_compat` that passes the tests of `tests/providers`.

mod anthropic;
mod connection;
mod discover;
mod download;
mod endpoint;
mod failure;
mod gemini;
mod guarded;
mod http;
mod llama_server;
mod lm_studio;
mod names;
mod ollama;
mod openai_compat;
mod preset;
mod responses;
mod sse;
mod stream;

pub use anthropic::Anthropic;
pub use discover::{LocalPorts, TestReport, discover_local, list_models, test_endpoint};
pub use download::{DownloadError, FileDownload, OpenedFile};
pub use endpoint::{BaseUrlError, Dialect, EndpointConfig, Timeouts, parse_base_url};
pub use gemini::Gemini;
pub use guarded::{GuardedHttp, TestNet};
pub use http::install_tls;
pub use llama_server::{LlamaServer, ServerState};
pub use lm_studio::LmStudio;
pub use ollama::{Ollama, PullProgress, ServedModel};
pub use openai_compat::OpenAiCompatible;
pub use preset::{PRESETS, Preset, preset_for_env, preset_for_key};
pub use responses::Responses;

use namma_core::ports::Provider;
use std::sync::Arc;

/// The adapter for the dialect that an endpoint speaks. Touches no network.
pub fn connect(endpoint: EndpointConfig) -> Arc<dyn Provider> {
    match endpoint.dialect {
        Dialect::ChatCompletions => Arc::new(OpenAiCompatible::new(endpoint)),
        Dialect::Responses => Arc::new(Responses::new(endpoint)),
        Dialect::Anthropic => Arc::new(Anthropic::new(endpoint)),
        Dialect::Gemini => Arc::new(Gemini::new(endpoint)),
    }
}
