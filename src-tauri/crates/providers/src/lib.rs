//! Vendors of models behind the core's Provider port, and the HTTP clients.
//!
//! Everything that speaks HTTP lives here: [`connect`] asks models, in the dialect that the endpoint
//! speaks; [`GuardedHttp`] fetches pages for tools, [`discover_local`] looks for model servers on
//! this computer, [`unplugged`] answers simple requests without any model,
//! [`Ollama`], [`LmStudio`] and [`LlamaServer`] are asked what only such servers know, and
//! [`FileDownload`] fetches large files. Nothing
//! here reads the environment, stores anything or decides what a tool may do, and no key ever
//! stands in an error or a log.
//!
//! To add a vendor with an OpenAI-compatible endpoint: one line in `preset.rs`. To add a dialect:
//! a module beside `openai_compat`, and its wire in the testkit, with which it passes `contract_tests`
//! and `tests/providers`.

mod adapter;
mod anthropic;
mod connection;
#[cfg(test)]
mod contract_tests;
mod discover;
mod document;
mod download;
mod endpoint;
mod failure;
mod gemini;
mod guarded;
mod http;
mod learned;
mod llama_server;
mod lm_studio;
mod names;
mod ollama;
mod openai_compat;
mod preset;
mod responses;
mod schema;
mod served;
mod sse;
mod stream;
mod think_level;
mod unplugged;
mod verdict;
mod wire;

pub use adapter::connect;
pub use discover::{LocalPorts, TestReport, discover_local, list_models, test_endpoint, test_model};
pub use download::{DownloadError, FileDownload, OpenedFile};
pub use endpoint::{BaseUrlError, Dialect, EndpointConfig, Timeouts, parse_base_url};
pub use guarded::{GuardedHttp, TestNet};
pub use http::install_tls;
pub use llama_server::{LlamaServer, ServerState};
pub use lm_studio::LmStudio;
pub use ollama::Ollama;
pub use preset::{PRESETS, Preset, known_models, preset_for_env};
pub use served::{PullProgress, ServedModel};
pub use unplugged::unplugged;
pub use verdict::verdict;
