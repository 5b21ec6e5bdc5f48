use crate::endpoint::{EndpointConfig, parse_base_url};
use crate::names::ChangedNames;
use crate::{anthropic, gemini, openai_compat, responses, stream};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::iter;
use namma_core::ports::{ModelEvent, ModelStream};
use namma_testkit::Heard;
use namma_testkit::wire::Wire;
use reqwest::{Body, Response};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

/// How the transfer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Clean,
    Lost,
}

/// Hears answers from memory.
pub(super) struct Listener {
    runtime: Runtime,
    endpoint: Arc<EndpointConfig>,
}

impl Listener {
    pub(super) fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let base_url = parse_base_url("http://127.0.0.1:1/v1").unwrap();
        Self { runtime, endpoint: Arc::new(EndpointConfig::new("memory", base_url)) }
    }

    /// An event stream in these pieces.
    pub(super) fn hear(&self, wire: &Wire, pieces: &[&[u8]], end: End) -> Heard {
        self.hear_as("text/event-stream", wire, pieces, end)
    }

    /// A body of that type in these pieces.
    pub(super) fn hear_as(&self, content_type: &str, wire: &Wire, pieces: &[&[u8]], end: End) -> Heard {
        let lost = (end == End::Lost).then(|| Err(io::Error::other("connection reset")));
        let whole: Vec<io::Result<Bytes>> = pieces.iter().map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let body = Body::wrap_stream(iter(whole.into_iter().chain(lost)));
        let response = http::Response::builder().header("content-type", content_type).body(body).unwrap();
        self.runtime.block_on(async { Heard::listen(self.open(wire, response.into())).await })
    }

    /// The kinds of the events of an event stream, in their order.
    pub(super) fn order(&self, wire: &Wire, bytes: &[u8]) -> Vec<&'static str> {
        let body = Body::from(bytes.to_vec());
        let response = http::Response::builder().header("content-type", "text/event-stream").body(body).unwrap();
        let kind = |event| match event {
            Ok(ModelEvent::Usage(_)) => "usage",
            Ok(ModelEvent::Stop(_)) => "stop",
            Ok(_) => "word",
            Err(_) => "error",
        };
        self.runtime.block_on(async { self.open(wire, response.into()).map(kind).collect().await })
    }

    fn open(&self, wire: &Wire, response: Response) -> ModelStream {
        let deadline = Instant::now() + Duration::from_secs(60);
        let (endpoint, model, names) = (Arc::clone(&self.endpoint), "m".to_owned(), ChangedNames::of(&[]));
        let own = Arc::clone(&endpoint);
        match wire {
            Wire::Chat(_) => {
                stream::events(own, openai_compat::StepReader::new(endpoint, model, names), response, deadline)
            }
            Wire::Messages(_) => {
                stream::events(own, anthropic::StepReader::new(endpoint, model, names), response, deadline)
            }
            Wire::Contents(_) => {
                stream::events(own, gemini::StepReader::new(endpoint, model, names), response, deadline)
            }
            Wire::Responses(_) => {
                stream::events(own, responses::StepReader::new(endpoint, model, names), response, deadline)
            }
        }
    }
}
