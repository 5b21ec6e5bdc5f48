use super::request::DIALECT;
use crate::endpoint::EndpointConfig;
use crate::failure;
use crate::names::ChangedNames;
use crate::stream::{Ending, ReadStep, Spoken, tokens};
use namma_core::ports::{ModelCall, ModelEvent, ProviderError, Replay, StopReason};
use namma_protocol::{ToolCallId, Usage};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// More parts than this in one step are a fault of the server.
const MAX_BLOCKS: usize = 512;

/// Reads the events of one step.
pub(crate) struct StepReader {
    endpoint: Arc<EndpointConfig>,
    model: String,
    changed_names: ChangedNames,
    /// By the vendor's index. Some servers begin the next part before they end the last.
    blocks: BTreeMap<u64, Block>,
    /// Tokens by the vendor's names.
    costs: Map<String, Value>,
    stop: Option<StopReason>,
    done: bool,
    spoken: Spoken,
}

enum Block {
    Text,
    Thinking {
        thinking: String,
        signature: String,
    },
    /// Thinking that only the vendor can read.
    Redacted {
        data: String,
    },
    Call {
        name: String,
        arguments: String,
        input: Value,
    },
    Other,
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

    /// The numbers of the end replace those of the beginning.
    fn usage(&mut self, piece: &Value) -> Option<Usage> {
        let newer = [&piece["message"]["usage"], &piece["usage"]].into_iter().find_map(Value::as_object)?;
        let numbers = newer.iter().filter(|(_, number)| tokens(number).is_some());
        self.costs.extend(numbers.map(|(key, number)| (key.clone(), number.clone())));
        read_usage(&self.costs)
    }

    fn event(&mut self, event: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        match event["type"].as_str().unwrap_or_default() {
            "content_block_start" => {
                let index = event["index"].as_u64().unwrap_or(u64::MAX);
                self.begin(index, &event["content_block"], ready)?;
            }
            "content_block_delta" => {
                let index = event["index"].as_u64().unwrap_or(u64::MAX);
                self.delta(index, &event["delta"], ready)?;
            }
            "message_delta" => self.note_stop(&event["delta"]["stop_reason"]),
            "message_stop" => self.done = true,
            // The beginning, pings, ends of parts, and what comes to be one day.
            _ => {}
        }
        Ok(())
    }

    fn document(&mut self, document: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        for (index, block) in (0..).zip(document["content"].as_array().into_iter().flatten()) {
            self.begin(index, block, ready)?;
        }
        self.note_stop(&document["stop_reason"]);
        Ok(())
    }

    fn fault(&self, error: &Value) -> ProviderError {
        failure::from_stream(&self.endpoint, &self.model, error)
    }

    fn finish(self, ready: &mut VecDeque<ModelEvent>) {
        let (mut calls, mut thinking) = (Vec::new(), Vec::new());
        for block in self.blocks.into_values() {
            match block {
                Block::Thinking { thinking: text, signature } if !signature.is_empty() => {
                    thinking.push(json!({ "type": "thinking", "thinking": text, "signature": signature }));
                }
                Block::Redacted { data } => thinking.push(json!({ "type": "redacted_thinking", "data": data })),
                Block::Call { name, arguments, input } => {
                    let arguments = match (arguments.is_empty(), &input) {
                        (false, _) => arguments,
                        (true, Value::Object(_)) => input.to_string(),
                        (true, _) => "{}".to_owned(),
                    };
                    calls.push(ModelCall { id: ToolCallId::fresh(), name: self.changed_names.own(name), arguments });
                }
                Block::Text | Block::Thinking { .. } | Block::Other => {}
            }
        }
        let replay = (!thinking.is_empty()).then(|| Replay { dialect: DIALECT, data: thinking.into() });
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
            blocks: BTreeMap::new(),
            costs: Map::new(),
            stop: None,
            done: false,
            spoken: Spoken::default(),
        }
    }

    fn begin(&mut self, index: u64, block: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        if self.blocks.len() >= MAX_BLOCKS {
            return Err(ProviderError::Malformed { what: format!("more than {MAX_BLOCKS} parts in one answer") });
        }
        let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        let block = match block["type"].as_str().unwrap_or_default() {
            "text" => {
                self.spoken.say(&text("text"), ModelEvent::Text, ready)?;
                Block::Text
            }
            "thinking" => {
                self.spoken.say(&text("thinking"), ModelEvent::Thinking, ready)?;
                Block::Thinking { thinking: text("thinking"), signature: text("signature") }
            }
            "redacted_thinking" => Block::Redacted { data: text("data") },
            "tool_use" => Block::Call { name: text("name"), arguments: String::new(), input: block["input"].clone() },
            _ => Block::Other,
        };
        self.blocks.insert(index, block);
        Ok(())
    }

    fn delta(&mut self, index: u64, delta: &Value, ready: &mut VecDeque<ModelEvent>) -> Result<(), ProviderError> {
        if let Some(text) = delta["text"].as_str() {
            return self.spoken.say(text, ModelEvent::Text, ready);
        }
        if let Some(text) = delta["thinking"].as_str() {
            if let Some(Block::Thinking { thinking, .. }) = self.blocks.get_mut(&index) {
                thinking.push_str(text);
            }
            return self.spoken.say(text, ModelEvent::Thinking, ready);
        }
        match self.blocks.get_mut(&index) {
            Some(Block::Thinking { signature, .. }) => {
                signature.push_str(delta["signature"].as_str().unwrap_or_default());
            }
            Some(Block::Call { arguments, .. }) => {
                let piece = delta["partial_json"].as_str().unwrap_or_default();
                self.spoken.count_call(piece)?;
                arguments.push_str(piece);
            }
            Some(Block::Text | Block::Redacted { .. } | Block::Other) | None => {}
        }
        Ok(())
    }

    fn note_stop(&mut self, reason: &Value) {
        let Some(reason) = reason.as_str().filter(|reason| !reason.is_empty()) else { return };
        self.stop = Some(match reason {
            "end_turn" | "stop_sequence" => StopReason::End,
            "tool_use" => StopReason::ToolCalls,
            "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
            "refusal" => StopReason::ContentFilter,
            other => StopReason::Other(Some(other.chars().take(60).collect())),
        });
    }
}

fn read_usage(costs: &Map<String, Value>) -> Option<Usage> {
    let number = |key: &str| costs.get(key).and_then(tokens).unwrap_or(0);
    let cached_tokens = number("cache_read_input_tokens");
    let cache_write_tokens = number("cache_creation_input_tokens");
    let usage = Usage {
        input_tokens: number("input_tokens").saturating_add(cache_write_tokens).saturating_add(cached_tokens),
        output_tokens: number("output_tokens"),
        cached_tokens,
        cache_write_tokens,
        reasoning_tokens: 0,
    };
    (usage != Usage::default()).then_some(usage)
}
