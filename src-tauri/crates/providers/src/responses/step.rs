use super::request::DIALECT;
use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::names::ChangedNames;
use crate::stream::{Ending, ReadStep, Spoken, tokens};
use namma_core::ports::{ModelCall, ModelEvent, ProviderError, Replay, StopReason};
use namma_protocol::{ToolCallId, Usage};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// More parts than this in one step are a fault of the server.
const MAX_ITEMS: usize = 512;

/// Reads the events of one step.
pub(crate) struct StepReader {
    endpoint: Arc<EndpointConfig>,
    model: String,
    changed_names: ChangedNames,
    /// Name and arguments, by the vendor's place of the call in its output.
    calls: BTreeMap<u64, (String, String)>,
    /// Places whose text came piece by piece; the whole text at their end is the same again.
    told: BTreeSet<u64>,
    thinking: Vec<Value>,
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

    /// A gateway's habit; the dialect ends with an event of its own.
    fn end_of_stream(&mut self) {}

    fn usage(&mut self, piece: &Value) -> Option<Usage> {
        read_usage(&piece["response"]["usage"]).or_else(|| read_usage(&piece["usage"]))
    }

    fn event(&mut self, event: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        let place = event["output_index"].as_u64().unwrap_or(0);
        let delta = event["delta"].as_str().unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                self.told.insert(place);
                self.spoken.say(delta, ModelEvent::Text, ready)
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.told.insert(place);
                self.spoken.say(delta, ModelEvent::Thinking, ready)
            }
            "response.reasoning_summary_part.added" if self.told.contains(&place) => {
                self.spoken.say("\n\n", ModelEvent::Thinking, ready)
            }
            "response.output_item.added" => self.begin(place, &event["item"]),
            "response.function_call_arguments.delta" => self.extend(place, delta),
            "response.output_item.done" => self.end(place, &event["item"], ready),
            "response.completed" | "response.incomplete" | "response.failed" => self.close(&event["response"]),
            // What goes on, and what comes to be one day.
            _ => Ok(()),
        }
    }

    fn document(&mut self, document: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        for (place, item) in (0..).zip(document["output"].as_array().into_iter().flatten()) {
            self.end(place, item, ready)?;
        }
        self.close(document)
    }

    fn fault(&self, error: &Value) -> ProviderError {
        failure::from_stream(&self.endpoint, &self.model, error)
    }

    fn finish(self, ready: &mut VecDeque<ModelEvent>) {
        let call = |(name, arguments)| {
            let name = self.changed_names.own(name);
            ModelCall { id: ToolCallId::fresh(), name, arguments }
        };
        let calls = self.calls.into_values().map(call).collect();
        let replay = (!self.thinking.is_empty()).then(|| Replay { dialect: DIALECT, data: self.thinking.into() });
        Ending { calls, replay, stop: self.stop }.tell(ready);
    }

    fn break_off(self, _: &mut VecDeque<ModelEvent>) {}
}

impl StepReader {
    pub(crate) fn new(endpoint: Arc<EndpointConfig>, model: String, changed_names: ChangedNames) -> Self {
        Self {
            endpoint,
            model,
            changed_names,
            calls: BTreeMap::new(),
            told: BTreeSet::new(),
            thinking: Vec::new(),
            stop: None,
            done: false,
            spoken: Spoken::default(),
        }
    }

    fn begin(&mut self, place: u64, item: &Value) -> Result<(), ProviderError> {
        if item["type"] != "function_call" {
            return Ok(());
        }
        if self.calls.len() >= MAX_ITEMS {
            return Err(ProviderError::Malformed { what: format!("more than {MAX_ITEMS} tool calls at once") });
        }
        let name = item["name"].as_str().unwrap_or_default().to_owned();
        self.calls.insert(place, (name, String::new()));
        Ok(())
    }

    fn extend(&mut self, place: u64, piece: &str) -> Result<(), ProviderError> {
        self.spoken.count_call(piece)?;
        if let Some((_, arguments)) = self.calls.get_mut(&place) {
            arguments.push_str(piece);
        }
        Ok(())
    }

    /// The whole part once more: what it says is final.
    fn end(&mut self, place: u64, item: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        match item["type"].as_str().unwrap_or_default() {
            "function_call" => {
                if !self.calls.contains_key(&place) {
                    self.begin(place, item)?;
                }
                if let (Some((name, arguments)), Some(whole)) =
                    (self.calls.get_mut(&place), item["arguments"].as_str().filter(|text| !text.is_empty()))
                {
                    whole.clone_into(arguments);
                    if let Some(final_name) = item["name"].as_str().filter(|name| !name.is_empty()) {
                        final_name.clone_into(name);
                    }
                }
                Ok(())
            }
            "message" if !self.told.contains(&place) => {
                for part in item["content"].as_array().into_iter().flatten() {
                    let text = part["text"].as_str().or_else(|| part["refusal"].as_str()).unwrap_or_default();
                    self.spoken.say(text, ModelEvent::Text, ready)?;
                }
                Ok(())
            }
            "reasoning" => {
                if !self.told.contains(&place) {
                    for part in item["summary"].as_array().into_iter().flatten() {
                        self.spoken.say(part["text"].as_str().unwrap_or_default(), ModelEvent::Thinking, ready)?;
                    }
                }
                if item["encrypted_content"].is_string() && self.thinking.len() < MAX_ITEMS {
                    self.thinking.push(item.clone());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn close(&mut self, response: &Value) -> Result<(), ProviderError> {
        if response["error"].is_object() {
            return Err(self.fault(&response["error"]));
        }
        let reason = response["incomplete_details"]["reason"].as_str();
        self.stop = match (response["status"].as_str().unwrap_or_default(), reason) {
            (_, Some("max_output_tokens")) => Some(StopReason::Length),
            (_, Some("content_filter")) => Some(StopReason::ContentFilter),
            ("completed", _) => Some(StopReason::End),
            // Without a reason, or with one of tomorrow: what came is not whole all the same.
            ("incomplete", _) => Some(StopReason::Length),
            ("", _) => None,
            (other, _) => Some(StopReason::Other(Some(other.chars().take(60).collect()))),
        };
        self.done = self.stop.is_some();
        Ok(())
    }
}

fn read_usage(usage: &Value) -> Option<Usage> {
    let number = |value: &Value| tokens(value).unwrap_or(0);
    usage.is_object().then(|| Usage {
        input_tokens: number(&usage["input_tokens"]),
        output_tokens: number(&usage["output_tokens"]),
        cached_tokens: number(&usage["input_tokens_details"]["cached_tokens"]),
        cache_write_tokens: 0,
        reasoning_tokens: number(&usage["output_tokens_details"]["reasoning_tokens"]),
    })
}
