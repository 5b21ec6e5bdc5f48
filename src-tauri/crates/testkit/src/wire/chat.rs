use super::{Frame, WireAnswer, WireEnd, WirePart, pieces};
use serde_json::{Value, json};

/// How a server speaks chat completions.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatStyle {
    pub index: ChatIndex,
    pub ids: ChatIds,
    pub arguments: ChatArguments,
    pub thinking: ChatThinking,
    pub usage: ChatUsage,
    /// The name comes again with each piece of a call.
    pub repeats_names: bool,
    /// All pieces of all calls in turn: the first of each, then the second of each.
    pub interleaves: bool,
    /// All fragments of the calls stand in one event.
    pub glues_calls: bool,
    /// An event without a choice comes first.
    pub begins_empty: bool,
    /// The reason to stop comes twice.
    pub finishes_twice: bool,
    /// `[DONE]` comes last.
    pub has_done: bool,
}

/// The `index` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatIndex {
    FromZero,
    FromOne,
    Missing,
    /// All calls under one number.
    AllZero,
}

/// The `id` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatIds {
    /// With its first piece.
    First,
    /// With each piece.
    Each,
    Null,
}

/// The `arguments` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatArguments {
    Pieces,
    /// `null` with the name, then pieces.
    NullThenPieces,
    /// Pieces, and an empty one at the end.
    PiecesThenEmpty,
    Whole,
    /// An object and no text.
    Object,
}

/// Where thinking stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatThinking {
    ReasoningContent,
    Reasoning,
    /// The text begins with `<think>…</think>`.
    Tags,
    /// Content is a list of typed parts.
    Parts,
}

/// Where the usage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatUsage {
    /// In an event of its own without a choice.
    Last,
    WithFinish,
    /// With every event.
    Each,
}

impl Default for ChatStyle {
    fn default() -> Self {
        Self {
            index: ChatIndex::FromZero,
            ids: ChatIds::First,
            arguments: ChatArguments::Pieces,
            thinking: ChatThinking::ReasoningContent,
            usage: ChatUsage::Last,
            repeats_names: false,
            interleaves: false,
            glues_calls: false,
            begins_empty: false,
            finishes_twice: false,
            has_done: true,
        }
    }
}

impl ChatStyle {
    /// Whether anybody could tell the calls apart.
    pub fn is_clear(&self) -> bool {
        let has_index = matches!(self.index, ChatIndex::FromZero | ChatIndex::FromOne);
        let is_whole = matches!(self.arguments, ChatArguments::Whole | ChatArguments::Object);
        let told_apart = has_index || is_whole || self.ids != ChatIds::Null;
        let in_turn_told_apart = has_index || is_whole || self.ids == ChatIds::Each;
        told_apart && (!self.interleaves || in_turn_told_apart)
    }

    pub(super) fn frames(&self, answer: &WireAnswer) -> Vec<Frame> {
        let mut frames = Vec::new();
        if self.begins_empty {
            frames.push(Frame::new("", &json!({ "choices": [], "prompt_filter_results": [] })));
        }
        frames.push(self.chunk(answer, json!({ "role": "assistant", "content": "" }), None));
        let fragments: Vec<Vec<Value>> = self.fragments(answer);
        let mut told_calls = false;
        for part in self.ordered(answer) {
            match part {
                WirePart::Text(text) => frames.push(self.chunk(answer, self.text(&text), None)),
                WirePart::Thinking(_) if self.thinking == ChatThinking::Tags => {}
                WirePart::Thinking(text) => frames.push(self.chunk(answer, self.think(&text), None)),
                WirePart::Call { .. } if told_calls => {}
                WirePart::Call { .. } => {
                    told_calls = true;
                    frames.extend(
                        self.in_order(&fragments)
                            .into_iter()
                            .map(|fragments| self.chunk(answer, json!({ "tool_calls": fragments }), None)),
                    );
                }
            }
        }
        let finish = self.finish_reason(answer);
        frames.push(self.chunk(answer, json!({}), Some(finish)));
        if self.finishes_twice {
            frames.push(self.chunk(answer, json!({ "content": "" }), Some(finish)));
        }
        if self.usage == ChatUsage::Last {
            frames.push(Frame::new("", &json!({ "choices": [], "usage": usage(answer) })));
        }
        if self.has_done {
            frames.push(Frame::plain("[DONE]"));
        }
        frames
    }

    pub(super) fn document(&self, answer: &WireAnswer) -> Value {
        let (mut text, mut thinking, mut calls) = (String::new(), String::new(), Vec::new());
        for part in &answer.parts {
            match part {
                WirePart::Text(piece) => text.push_str(piece),
                WirePart::Thinking(piece) => thinking.push_str(piece),
                WirePart::Call { name, arguments } => calls.push(json!({
                    "id": format!("call_{}", calls.len()), "type": "function",
                    "function": { "name": name, "arguments": arguments.to_string() },
                })),
            }
        }
        let message =
            json!({ "role": "assistant", "content": text, "reasoning_content": thinking, "tool_calls": calls });
        let choice = json!({ "index": 0, "message": message, "finish_reason": self.finish_reason(answer) });
        json!({ "object": "chat.completion", "choices": [choice], "usage": usage(answer) })
    }

    /// With tags all thinking comes first, in one block.
    fn ordered(&self, answer: &WireAnswer) -> Vec<WirePart> {
        let thinking: String = answer
            .parts
            .iter()
            .filter_map(|part| match part {
                WirePart::Thinking(text) => Some(text.as_str()),
                WirePart::Text(_) | WirePart::Call { .. } => None,
            })
            .collect();
        if self.thinking != ChatThinking::Tags || thinking.is_empty() {
            return answer.parts.clone();
        }
        let block = format!("<think>{thinking}</think>");
        pieces(&block).into_iter().map(WirePart::Text).chain(answer.parts.iter().cloned()).collect()
    }

    fn text(&self, text: &str) -> Value {
        match self.thinking {
            ChatThinking::Parts => json!({ "content": [{ "type": "text", "text": text }] }),
            ChatThinking::ReasoningContent | ChatThinking::Reasoning | ChatThinking::Tags => json!({ "content": text }),
        }
    }

    fn think(&self, text: &str) -> Value {
        match self.thinking {
            ChatThinking::Parts => {
                json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": text }] }] })
            }
            ChatThinking::Reasoning => json!({ "reasoning": text, "content": null }),
            ChatThinking::ReasoningContent | ChatThinking::Tags => {
                json!({ "reasoning_content": text, "content": null })
            }
        }
    }

    /// The fragments of each call.
    fn fragments(&self, answer: &WireAnswer) -> Vec<Vec<Value>> {
        let calls = answer.parts.iter().filter_map(|part| match part {
            WirePart::Call { name, arguments } => Some((name, arguments)),
            WirePart::Text(_) | WirePart::Thinking(_) => None,
        });
        calls.enumerate().map(|(number, (name, arguments))| self.fragments_of(number, name, arguments)).collect()
    }

    fn fragments_of(&self, number: usize, name: &str, arguments: &Value) -> Vec<Value> {
        let split = || pieces(&arguments.to_string()).into_iter().map(Value::from);
        let texts: Vec<Value> = match self.arguments {
            ChatArguments::Pieces => std::iter::once("".into()).chain(split()).collect(),
            ChatArguments::NullThenPieces => std::iter::once(Value::Null).chain(split()).collect(),
            ChatArguments::PiecesThenEmpty => split().chain(std::iter::once("".into())).collect(),
            ChatArguments::Whole => vec![arguments.to_string().into()],
            ChatArguments::Object => vec![arguments.clone()],
        };
        let fragment = |(at, text): (usize, Value)| {
            let mut fragment = json!({ "type": "function", "function": { "arguments": text } });
            match self.index {
                ChatIndex::FromZero => fragment["index"] = number.into(),
                ChatIndex::FromOne => fragment["index"] = (number + 1).into(),
                ChatIndex::AllZero => fragment["index"] = 0.into(),
                ChatIndex::Missing => {}
            }
            match self.ids {
                ChatIds::Null => fragment["id"] = Value::Null,
                ChatIds::First if at > 0 => {}
                ChatIds::First | ChatIds::Each => fragment["id"] = format!("call_{number}").into(),
            }
            if at == 0 || self.repeats_names {
                fragment["function"]["name"] = name.into();
            }
            fragment
        };
        texts.into_iter().enumerate().map(fragment).collect()
    }

    /// The fragments of all calls, as lists that come in one event each.
    fn in_order(&self, calls: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let longest = calls.iter().map(Vec::len).max().unwrap_or(0);
        let flat: Vec<Value> = if self.interleaves {
            (0..longest).flat_map(|at| calls.iter().filter_map(move |call| call.get(at).cloned())).collect()
        } else {
            calls.concat()
        };
        if self.glues_calls { vec![flat] } else { flat.into_iter().map(|fragment| vec![fragment]).collect() }
    }

    fn chunk(&self, answer: &WireAnswer, delta: Value, finish: Option<&str>) -> Frame {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
        let mut chunk = json!({ "id": "x", "object": "chat.completion.chunk", "choices": [choice], "usage": null });
        if self.usage == ChatUsage::Each || (self.usage == ChatUsage::WithFinish && finish.is_some()) {
            chunk["usage"] = usage(answer);
        }
        Frame::new("", &chunk)
    }

    fn finish_reason(&self, answer: &WireAnswer) -> &'static str {
        match answer.end {
            WireEnd::Length => "length",
            WireEnd::Whole if answer.has_calls() => "tool_calls",
            WireEnd::Whole => "stop",
        }
    }
}

fn usage(answer: &WireAnswer) -> Value {
    json!({ "prompt_tokens": answer.input_tokens, "completion_tokens": answer.output_tokens })
}
