//! One answer as it arrives, in any dialect: the waiting, the limits and the ways to end.

mod ending;
mod spoken;

pub(crate) use ending::{Ending, tokens};
pub(crate) use spoken::Spoken;

use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::http::deepest;
use crate::sse::{SseEvent, SseSplitter};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use namma_core::ports::{ModelEvent, ModelStream, ProviderError, StopReason};
use namma_protocol::Usage;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// The longest event that is read.
const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// The longest answer of a server that does not stream.
const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

/// How long costs may come after the reason to stop.
const AFTER_STOP: Duration = Duration::from_secs(2);

/// How long the end of the transfer may take after `[DONE]`; the connection can then be used again.
const AFTER_DONE: Duration = Duration::from_millis(20);

/// Reads the events of one step in one dialect. What is ready for the core goes into `ready`.
pub(crate) trait ReadStep: Send + 'static {
    /// The vendor said that nothing more comes.
    fn is_done(&self) -> bool;

    /// The model has said why it stopped; only its costs may follow.
    fn has_stopped(&self) -> bool;

    /// A line `[DONE]` came.
    fn end_of_stream(&mut self);

    /// What the step has cost as far as this event or document says; it may be an error.
    fn usage(&mut self, piece: &Value) -> Option<Usage>;

    /// Takes one event of the stream. It is no error: those are told by [`ReadStep::fault`].
    fn event(&mut self, event: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError>;

    /// Takes the whole answer of a server that does not stream. It is no error either.
    fn document(&mut self, document: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError>;

    /// What an error that the server wrote means.
    fn fault(&self, error: &Value) -> ProviderError;

    /// The end of the step: what was held back, the calls, the reason.
    fn finish(self, ready: &mut VecDeque<ModelEvent>);

    /// The step broke off: only the text that was held back is given, and no call.
    fn break_off(self, ready: &mut VecDeque<ModelEvent>);
}

/// Hands one event to the reader of the dialect.
fn take<R: ReadStep>(reader: &mut R, event: &SseEvent, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
    let data = event.data.trim_ascii();
    if reader.is_done() || data.is_empty() {
        return Ok(());
    }
    if data == b"[DONE]" {
        reader.end_of_stream();
        return Ok(());
    }
    let is_error = event.name == "error";
    let document = match serde_json::from_slice(data) {
        Ok(document) => document,
        Err(_) if is_error => Value::from(String::from_utf8_lossy(data)),
        Err(error) => {
            // Only the place of the fault: it may be the person's own words.
            tracing::debug!(size_bytes = data.len(), line = error.line(), column = error.column(), "frame is not JSON");
            return Err(ProviderError::Malformed { what: "a piece of the stream is not JSON".to_owned() });
        }
    };
    // Before anything else: a step that breaks off or is stopped has its price, too.
    ready.extend(reader.usage(&document).map(ModelEvent::Usage));
    match error_in(&document, is_error) {
        Some(error) => Err(reader.fault(error)),
        None => reader.event(&document, ready),
    }
}

/// The error that an event or a document carries. Servers and gateways use the shapes of other
/// vendors, so that one look serves all dialects.
fn error_in(document: &Value, is_error: bool) -> Option<&Value> {
    let inner = document.get("error").filter(|error| match error {
        Value::String(text) => !text.is_empty(),
        Value::Object(object) => !object.is_empty(),
        _ => false,
    });
    inner.or_else(|| (is_error || document["type"] == "error").then_some(document))
}

/// The events of one answer. Dropping the stream drops the connection.
pub(crate) fn events(
    endpoint: Arc<EndpointConfig>,
    reader: impl ReadStep,
    response: Response,
    first_byte: Instant,
) -> ModelStream {
    let answer = Answer {
        reader: Some(reader),
        splitter: Some(SseSplitter::new(MAX_EVENT_BYTES)),
        ready: VecDeque::new(),
        response: Some(response),
        first_byte: Some(first_byte),
        last_chance: None,
        fault: None,
        endpoint,
    };
    unfold(answer, |mut answer| async move { answer.next().await.map(|event| (event, answer)) }).boxed()
}

struct Answer<R> {
    endpoint: Arc<EndpointConfig>,
    /// Gone when the step is over.
    reader: Option<R>,
    splitter: Option<SseSplitter>,
    ready: VecDeque<ModelEvent>,
    /// Gone when the step is over: the connection closes with it.
    response: Option<Response>,
    /// Until when the first byte must come; `None` once it came.
    first_byte: Option<Instant>,
    /// Until when anything may follow the stop; `None` before it.
    last_chance: Option<Instant>,
    /// What broke the step off; given after everything that had arrived before it.
    fault: Option<ProviderError>,
}

/// What the wait for more of the body ended with.
enum Arrival {
    Piece(bytes::Bytes),
    End,
    Lost(String),
    TooLate { seconds: u64 },
}

impl<R: ReadStep> Answer<R> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ProviderError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(fault) = self.fault.take() {
                return Some(Err(fault));
            }
            self.reader.as_ref()?;
            if let Err(fault) = self.advance().await {
                self.response = None;
                self.fault = Some(fault);
                if let Some(reader) = self.reader.take() {
                    reader.break_off(&mut self.ready);
                }
            }
        }
    }

    /// Reads on until something is ready or the step is over.
    async fn advance(&mut self) -> Result<(), ProviderError> {
        if self.reader.as_ref().is_some_and(R::is_done) {
            self.drain().await;
            self.finish();
            return Ok(());
        }
        if self.first_byte.is_some() && !self.is_event_stream() {
            return self.read_document().await;
        }
        match self.arrival().await {
            Arrival::Piece(bytes) => self.read(&bytes),
            Arrival::End => self.end("the connection ended"),
            Arrival::Lost(cause) => self.end(&cause),
            Arrival::TooLate { seconds } if self.has_stopped() => {
                tracing::debug!(seconds, "no end of the stream after the stop");
                self.finish();
                Ok(())
            }
            Arrival::TooLate { seconds } => Err(ProviderError::TimedOut { seconds }),
        }
    }

    async fn arrival(&mut self) -> Arrival {
        let stopped = self.has_stopped();
        let timeouts = self.endpoint.timeouts;
        let Some(response) = &mut self.response else { return Arrival::End };
        let (deadline, limit) = match self.first_byte {
            Some(deadline) => (deadline, timeouts.first_byte),
            None if stopped => {
                // Counted from the stop: pings do not put off the end.
                let deadline = *self.last_chance.get_or_insert_with(|| Instant::now() + AFTER_STOP);
                (deadline, AFTER_STOP)
            }
            None => (Instant::now() + timeouts.idle, timeouts.idle),
        };
        match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(bytes))) => {
                self.first_byte = None;
                Arrival::Piece(bytes)
            }
            Ok(Ok(None)) => Arrival::End,
            Ok(Err(error)) => Arrival::Lost(self.endpoint.redact(&deepest(&error))),
            Err(_) => Arrival::TooLate { seconds: limit.as_secs() },
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), ProviderError> {
        let (Some(splitter), Some(reader)) = (&mut self.splitter, &mut self.reader) else { return Ok(()) };
        let mut events = Vec::new();
        let split = splitter.push(bytes, &mut events);
        for event in &events {
            take(reader, event, &mut self.ready)?;
        }
        split.map_err(|_| ProviderError::Malformed { what: "a single piece of more than 1 MB".to_owned() })
    }

    /// The body is over, by its end or by a fault.
    fn end(&mut self, cause: &str) -> Result<(), ProviderError> {
        let tail = self.splitter.take().and_then(SseSplitter::finish);
        if let (Some(tail), Some(reader)) = (tail, &mut self.reader) {
            match take(reader, &tail, &mut self.ready) {
                // Cut in the middle of the last event: that the stream was cut says it all.
                Ok(()) | Err(ProviderError::Malformed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        if !self.has_stopped() {
            return Err(ProviderError::StreamCut { cause: cause.to_owned() });
        }
        self.finish();
        Ok(())
    }

    fn finish(&mut self) {
        self.response = None;
        if let Some(reader) = self.reader.take() {
            reader.finish(&mut self.ready);
        }
        // What the vendor itself calls unfinished runs nothing, however whole a call looks.
        let is_unfinished = |event| matches!(event, &ModelEvent::Stop(StopReason::Length | StopReason::ContentFilter));
        if self.ready.iter().any(is_unfinished) {
            self.ready.retain(|event| !matches!(event, ModelEvent::ToolCall(_)));
        }
    }

    /// Reads the end of the transfer, so that the connection can be used for the next request.
    async fn drain(&mut self) {
        if let Some(response) = &mut self.response {
            // Too late only means that the connection is not used again.
            let _ = timeout(AFTER_DONE, async { while let Ok(Some(_)) = response.chunk().await {} }).await;
        }
    }

    fn has_stopped(&self) -> bool {
        self.reader.as_ref().is_none_or(R::has_stopped)
    }

    fn content_type(&self) -> &str {
        let header = self.response.as_ref().and_then(|response| response.headers().get(CONTENT_TYPE));
        header.and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Anything but a document by name: many servers name their streams wrongly.
    fn is_event_stream(&self) -> bool {
        !self.content_type().starts_with("application/json") && !self.content_type().starts_with("text/html")
    }

    /// A server that does not stream answers with one document.
    async fn read_document(&mut self) -> Result<(), ProviderError> {
        let is_page = self.content_type().starts_with("text/html");
        let mut document = Vec::new();
        loop {
            match self.arrival().await {
                Arrival::Piece(bytes) => document.extend_from_slice(&bytes),
                Arrival::End => break,
                Arrival::Lost(cause) => return Err(ProviderError::StreamCut { cause }),
                Arrival::TooLate { seconds } => return Err(ProviderError::TimedOut { seconds }),
            }
            if document.len() > MAX_DOCUMENT_BYTES {
                return Err(ProviderError::Malformed { what: "an answer without end".to_owned() });
            }
        }
        let (Some(reader), false) = (&mut self.reader, is_page) else {
            return Err(ProviderError::Malformed { what: failure::short_text(&document) });
        };
        // An event stream under the wrong name.
        if !matches!(document.trim_ascii_start().first(), Some(b'{' | b'[')) {
            self.first_byte = None;
            self.read(&document)?;
            return self.end("the connection ended");
        }
        let document = serde_json::from_slice(&document)
            .map_err(|_| ProviderError::Malformed { what: "an answer that is not JSON".to_owned() })?;
        // Google's servers send a list of the pieces when they do not stream.
        let pieces = match document {
            Value::Array(pieces) => pieces,
            document => vec![document],
        };
        for piece in &pieces {
            self.ready.extend(reader.usage(piece).map(ModelEvent::Usage));
            match error_in(piece, false) {
                Some(error) => return Err(reader.fault(error)),
                None => reader.document(piece, &mut self.ready)?,
            }
        }
        if !reader.has_stopped() {
            let what = "a document that is not a model's answer".to_owned();
            return Err(ProviderError::Malformed { what });
        }
        self.finish();
        Ok(())
    }
}
