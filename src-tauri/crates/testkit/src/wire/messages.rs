use super::{Frame, WireAnswer, WireEnd, WirePart, pieces};
use serde_json::{Value, json};

/// How a server speaks Anthropic's messages.
#[derive(Clone, Debug, PartialEq)]
pub struct MessagesStyle {
    pub input: MessagesInput,
    /// All parts begin before the first ends, and none is said to end, as with llama-server.
    pub overlaps: bool,
    /// A part's first piece stands in its beginning.
    pub begins_with_text: bool,
    /// Events that nobody has heard of yet.
    pub has_unknown: bool,
    /// `message_stop` comes last.
    pub has_stop: bool,
}

/// The `input` of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesInput {
    /// An empty object, an empty piece, then pieces.
    Pieces,
    /// None, then pieces.
    MissingThenPieces,
    /// Whole with the beginning of the part.
    Whole,
}

impl Default for MessagesStyle {
    fn default() -> Self {
        let input = MessagesInput::Pieces;
        Self { input, overlaps: false, begins_with_text: false, has_unknown: false, has_stop: true }
    }
}

impl MessagesStyle {
    pub(super) fn frames(&self, answer: &WireAnswer) -> Vec<Frame> {
        let usage = json!({ "input_tokens": answer.input_tokens, "output_tokens": 1, "service_tier": "standard" });
        let message = json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": usage });
        let mut events = vec![json!({ "type": "message_start", "message": message }), json!({ "type": "ping" })];
        let (mut begins, mut rest) = (Vec::new(), Vec::new());
        for (index, part) in answer.parts.iter().enumerate() {
            let (begin, deltas) = self.part(part);
            begins.push(json!({ "type": "content_block_start", "index": index, "content_block": begin }));
            let delta = |delta| json!({ "type": "content_block_delta", "index": index, "delta": delta });
            rest.push(deltas.into_iter().map(delta).collect::<Vec<Value>>());
        }
        if self.overlaps {
            events.extend(begins);
            events.extend(rest.concat());
        } else {
            for (index, (begin, deltas)) in begins.into_iter().zip(rest).enumerate() {
                events.push(begin);
                events.extend(deltas);
                events.push(json!({ "type": "content_block_stop", "index": index }));
            }
        }
        if self.has_unknown {
            let count = answer.parts.len();
            events.push(
                json!({ "type": "content_block_start", "index": count, "content_block": { "type": "tomorrow" } }),
            );
            events
                .push(json!({ "type": "content_block_delta", "index": count, "delta": { "type": "tomorrow_delta" } }));
            events.push(json!({ "type": "message_of_tomorrow", "content": [] }));
        }
        let delta = json!({ "stop_reason": stop_reason(answer), "stop_sequence": null });
        let usage = json!({ "output_tokens": answer.output_tokens });
        events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
        if self.has_stop {
            events.push(json!({ "type": "message_stop" }));
        }
        events.iter().map(Frame::typed).collect()
    }

    pub(super) fn document(&self, answer: &WireAnswer) -> Value {
        let block = |part: &WirePart| match part {
            WirePart::Text(text) => json!({ "type": "text", "text": text }),
            WirePart::Thinking(text) => json!({ "type": "thinking", "thinking": text, "signature": "c2ln" }),
            WirePart::Call { name, arguments } => {
                json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": arguments })
            }
        };
        let content: Vec<Value> = answer.parts.iter().map(block).collect();
        let usage = json!({ "input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens });
        json!({ "type": "message", "role": "assistant", "content": content, "stop_reason": stop_reason(answer),
            "usage": usage })
    }

    /// The beginning of a part and its pieces.
    fn part(&self, part: &WirePart) -> (Value, Vec<Value>) {
        match part {
            WirePart::Text(text) => {
                let delta = |piece: &String| json!({ "type": "text_delta", "text": piece });
                let (first, rest) = self.split(text);
                (json!({ "type": "text", "text": first }), rest.iter().map(delta).collect())
            }
            WirePart::Thinking(text) => {
                let delta = |piece: &String| json!({ "type": "thinking_delta", "thinking": piece });
                let (first, rest) = self.split(text);
                let signature = json!({ "type": "signature_delta", "signature": "c2ln" });
                let deltas = rest.iter().map(delta).chain([signature]).collect();
                (json!({ "type": "thinking", "thinking": first, "signature": "" }), deltas)
            }
            WirePart::Call { name, arguments } => {
                let delta = |piece: String| json!({ "type": "input_json_delta", "partial_json": piece });
                let deltas: Vec<Value> = pieces(&arguments.to_string()).into_iter().map(delta).collect();
                let mut begin = json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": {} });
                match self.input {
                    MessagesInput::Pieces => {
                        let empty = delta(String::new());
                        (begin, std::iter::once(empty).chain(deltas).collect())
                    }
                    MessagesInput::MissingThenPieces => {
                        begin["input"] = Value::Null;
                        (begin, deltas)
                    }
                    MessagesInput::Whole => {
                        begin["input"] = arguments.clone();
                        (begin, Vec::new())
                    }
                }
            }
        }
    }

    fn split(&self, text: &str) -> (String, Vec<String>) {
        let mut pieces = pieces(text);
        // The order of overlapping texts is that of their pieces.
        if self.begins_with_text && !self.overlaps && !pieces.is_empty() {
            let first = pieces.remove(0);
            return (first, pieces);
        }
        (String::new(), pieces)
    }
}

fn stop_reason(answer: &WireAnswer) -> &'static str {
    match answer.end {
        WireEnd::Length => "max_tokens",
        WireEnd::Whole if answer.has_calls() => "tool_use",
        WireEnd::Whole => "end_turn",
    }
}
