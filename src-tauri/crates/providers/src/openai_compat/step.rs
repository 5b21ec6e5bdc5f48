use super::calls::CallAssembler;
use super::request::DIALECT;
use super::thinking::ThinkingTags;
use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::names::ChangedNames;
use crate::stream::{Ending, ReadStep, Spoken, tokens};
use namma_core::ports::{ModelCall, ModelEvent, ProviderError, Replay, StopReason};
use namma_protocol::Usage;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::Arc;

/// Reads the events of one step: what the model says, calls and costs.
pub(crate) struct StepReader {
    endpoint: Arc<EndpointConfig>,
    model: String,
    tags: ThinkingTags,
    calls: CallAssembler,
    changed_names: ChangedNames,
    stop: Option<StopReason>,
    done: bool,
    /// What the vendor wants to see again, by its own names.
    replay: Map<String, Value>,
    spoken: Spoken,
}

impl ReadStep for StepReader {
    fn is_done(&self) -> bool {
        self.done
    }

    fn has_stopped(&self) -> bool {
        self.done || self.stop.is_some()
    }

    fn end_of_stream(&mut self) {
        self.done = true;
    }

    fn usage(&mut self, chunk: &Value) -> Option<Usage> {
        read_usage(chunk)
    }

    fn event(&mut self, event: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        self.chunk(event, ready)
    }

    fn document(&mut self, document: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        self.chunk(document, ready)
    }

    fn fault(&self, error: &Value) -> ProviderError {
        failure::from_stream(&self.endpoint, &self.model, error)
    }

    fn finish(mut self, ready: &mut VecDeque<ModelEvent>) {
        self.tags.finish(ready);
        let own_name = |call: ModelCall| ModelCall { name: self.changed_names.own(call.name), ..call };
        let calls: Vec<ModelCall> = self.calls.finish().map(own_name).collect();
        let seen_again = !calls.is_empty() && !self.replay.is_empty();
        let replay = seen_again.then(|| Replay { dialect: DIALECT, data: self.replay.into() });
        Ending { calls, replay, stop: self.stop }.tell(ready);
    }

    fn break_off(mut self, ready: &mut VecDeque<ModelEvent>) {
        self.tags.finish(ready);
    }
}

impl StepReader {
    pub(crate) fn new(endpoint: Arc<EndpointConfig>, model: String, changed_names: ChangedNames) -> Self {
        Self {
            endpoint,
            model,
            tags: ThinkingTags::default(),
            calls: CallAssembler::default(),
            changed_names,
            stop: None,
            done: false,
            replay: Map::new(),
            spoken: Spoken::default(),
        }
    }

    fn chunk(&mut self, chunk: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        let choices = chunk["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
        let first = choices.iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0);
        let Some(choice) = first else { return Ok(()) };
        let delta = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
        self.delta(delta, ready)?;
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish_reason(reason)?;
        }
        Ok(())
    }

    fn delta(&mut self, delta: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        let reasoning = ["reasoning_content", "reasoning"].iter().find_map(|key| text_of(&delta[*key]));
        if let Some(text) = reasoning {
            self.thinking(text, ready)?;
        }
        self.keep_thinking(delta)?;
        match &delta["content"] {
            Value::String(text) => self.text(text, ready)?,
            Value::Array(parts) => self.parts(parts, ready)?,
            _ => {}
        }
        if let Some(refusal) = text_of(&delta["refusal"]) {
            self.text(refusal, ready)?;
        }
        let calls = delta["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !calls.is_empty() && self.calls.is_empty() {
            self.tags.interrupt(ready);
        }
        calls.iter().try_for_each(|call| self.calls.push(call))
    }

    /// DeepSeek and Moonshot want to see `reasoning_content` again in the same turn, OpenRouter
    /// `reasoning_details`. Others do not send them.
    fn keep_thinking(&mut self, delta: &Value) -> Result<(), ProviderError> {
        if let Some(text) = text_of(&delta["reasoning_content"]) {
            self.spoken.count(text)?;
            match self.replay.entry("reasoning_content").or_insert_with(|| Value::String(String::new())) {
                Value::String(known) => known.push_str(text),
                other => *other = text.into(),
            }
        }
        if let Some(details) = delta["reasoning_details"].as_array() {
            self.spoken.count(&delta["reasoning_details"].to_string())?;
            match self.replay.entry("reasoning_details").or_insert_with(|| Value::Array(Vec::new())) {
                Value::Array(known) => known.extend(details.iter().cloned()),
                other => *other = details.clone().into(),
            }
        }
        Ok(())
    }

    /// Mistral's way: content as a list of typed parts.
    fn parts(&mut self, parts: &[Value], ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        for part in parts {
            match (&part["thinking"], &part["text"], part) {
                (Value::Array(inner), _, _) => {
                    for text in inner.iter().filter_map(|part| text_of(&part["text"])) {
                        self.thinking(text, ready)?;
                    }
                }
                (Value::String(text), _, _) => self.thinking(text, ready)?,
                (_, Value::String(text), _) | (_, _, Value::String(text)) => self.text(text, ready)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        self.spoken.count(text)?;
        self.tags.push(text, ready);
        Ok(())
    }

    fn thinking(&mut self, text: &str, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        self.spoken.say(text, ModelEvent::Thinking, ready)
    }

    fn finish_reason(&mut self, reason: &str) -> Result<(), ProviderError> {
        let reason = match reason {
            "stop" | "end_turn" | "eos" | "eos_token" | "stop_sequence" | "complete" | "completed" => StopReason::End,
            "tool_calls" | "tool_use" | "function_call" => StopReason::ToolCalls,
            "length" | "max_tokens" | "model_length" => StopReason::Length,
            "content_filter" | "safety" => StopReason::ContentFilter,
            // The second is DeepSeek's word for being too busy to go on.
            "error" | "insufficient_system_resource" => {
                let message = "the vendor broke the answer off with an error".to_owned();
                return Err(ProviderError::ServerFailed { status: 500, retry_after: None, message });
            }
            other => StopReason::Other(Some(other.chars().take(60).collect())),
        };
        // It may come twice. The first counts, unless the second says that the answer is not whole.
        if self.stop.is_none() || matches!(reason, StopReason::Length | StopReason::ContentFilter) {
            self.stop = Some(reason);
        }
        Ok(())
    }
}

fn text_of(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

fn read_usage(chunk: &Value) -> Option<Usage> {
    let usage = [&chunk["usage"], &chunk["x_groq"]["usage"]].into_iter().find(|usage| usage.is_object())?;
    let cached = tokens(&usage["prompt_tokens_details"]["cached_tokens"]);
    Some(Usage {
        input_tokens: tokens(&usage["prompt_tokens"]).unwrap_or(0),
        output_tokens: tokens(&usage["completion_tokens"]).unwrap_or(0),
        cached_tokens: cached.or_else(|| tokens(&usage["prompt_cache_hit_tokens"])).unwrap_or(0),
        cache_write_tokens: tokens(&usage["prompt_tokens_details"]["cache_write_tokens"]).unwrap_or(0),
        reasoning_tokens: tokens(&usage["completion_tokens_details"]["reasoning_tokens"]).unwrap_or(0),
    })
}
