use super::request::DIALECT;
use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::names::ChangedNames;
use crate::stream::{Ending, ReadStep, Spoken, tokens};
use namma_core::ports::{ModelCall, ModelEvent, ProviderError, Replay, StopReason};
use namma_protocol::{ToolCallId, Usage};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// More calls than this in one step is a fault of the server.
const MAX_CALLS: usize = 128;

/// Reads the events of one step: each is a piece of the answer, calls come whole.
pub(crate) struct StepReader {
    endpoint: Arc<EndpointConfig>,
    model: String,
    changed_names: ChangedNames,
    calls: Vec<ModelCall>,
    /// Of each call, in the same order.
    signatures: Vec<Option<String>>,
    stop: Option<StopReason>,
    done: bool,
    spoken: Spoken,
}

impl ReadStep for StepReader {
    fn is_done(&self) -> bool {
        self.done
    }

    fn has_stopped(&self) -> bool {
        self.done || self.stop.is_some()
    }

    /// A gateway's habit, and no reason to stop in this dialect.
    fn end_of_stream(&mut self) {
        self.done = self.stop.is_some();
    }

    fn usage(&mut self, piece: &Value) -> Option<Usage> {
        read_usage(&piece["usageMetadata"])
    }

    fn event(&mut self, event: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        self.document(event, ready)
    }

    fn document(&mut self, piece: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        if let Some(reason) = piece["promptFeedback"]["blockReason"].as_str() {
            return Err(ProviderError::ContentFiltered { message: reason.chars().take(60).collect() });
        }
        let candidate = &piece["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.part(part, ready)?;
        }
        match candidate["finishReason"].as_str() {
            Some(reason) => self.note_stop(reason),
            None => Ok(()),
        }
    }

    fn fault(&self, error: &Value) -> ProviderError {
        failure::from_stream(&self.endpoint, &self.model, error)
    }

    fn finish(self, ready: &mut VecDeque<ModelEvent>) {
        let signed = self.signatures.iter().any(Option::is_some);
        let data = || self.signatures.into_iter().map(Value::from).collect();
        let replay = signed.then(|| Replay { dialect: DIALECT, data: data() });
        Ending { calls: self.calls, replay, stop: self.stop }.tell(ready);
    }

    fn break_off(self, _: &mut VecDeque<ModelEvent>) {}
}

impl StepReader {
    pub(crate) fn new(endpoint: Arc<EndpointConfig>, model: String, changed_names: ChangedNames) -> Self {
        Self {
            endpoint,
            model,
            changed_names,
            calls: Vec::new(),
            signatures: Vec::new(),
            stop: None,
            done: false,
            spoken: Spoken::default(),
        }
    }

    fn part(&mut self, part: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        let call = &part["functionCall"];
        if let Some(name) = call["name"].as_str() {
            if self.calls.len() == MAX_CALLS {
                return Err(ProviderError::Malformed { what: format!("more than {MAX_CALLS} tool calls at once") });
            }
            let arguments = if call["args"].is_object() { call["args"].to_string() } else { "{}".to_owned() };
            let name = self.changed_names.own(name.to_owned());
            self.calls.push(ModelCall { id: ToolCallId::fresh(), name, arguments });
            self.signatures.push(part["thoughtSignature"].as_str().map(str::to_owned));
        }
        let text = part["text"].as_str().unwrap_or_default();
        let is_thought = part["thought"].as_bool().unwrap_or(false);
        let event = if is_thought { ModelEvent::Thinking } else { ModelEvent::Text };
        self.spoken.say(text, event, ready)
    }

    fn note_stop(&mut self, reason: &str) -> Result<(), ProviderError> {
        self.stop = Some(match reason {
            "STOP" => StopReason::End,
            "MAX_TOKENS" => StopReason::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" | "IMAGE_SAFETY" => {
                StopReason::ContentFilter
            }
            // The model wrote a call that the vendor could not read; another try often can be.
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                let message = "the model wrote a tool call that could not be read".to_owned();
                return Err(ProviderError::ServerFailed { status: 500, retry_after: None, message });
            }
            other => StopReason::Other(Some(other.chars().take(60).collect())),
        });
        Ok(())
    }
}

fn read_usage(usage: &Value) -> Option<Usage> {
    let number = |key: &str| tokens(&usage[key]).unwrap_or(0);
    let reasoning_tokens = number("thoughtsTokenCount");
    usage.is_object().then(|| Usage {
        input_tokens: number("promptTokenCount"),
        // Thinking is counted beside the answer, and costs the same.
        output_tokens: number("candidatesTokenCount").saturating_add(reasoning_tokens),
        cached_tokens: number("cachedContentTokenCount"),
        cache_write_tokens: 0,
        reasoning_tokens,
    })
}
