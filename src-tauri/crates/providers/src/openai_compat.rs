//! The dialect of `POST /chat/completions` with streaming, as OpenAI, Ollama, LM Studio,
//! llama-server, vLLM, OpenRouter, Groq, DeepSeek, Mistral and many others speak it.
//!
//! Own code and not a library: see `docs/decisions/0003-wire-layer.md`.

mod calls;
mod request;
mod step;
mod thinking;

pub(crate) use request::body;
pub(crate) use step::StepReader;
