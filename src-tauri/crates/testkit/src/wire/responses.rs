use super::{Frame, WireAnswer, WireEnd, WirePart, pieces};
use serde_json::{Value, json};

/// How a server speaks OpenAI's responses.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsesStyle {
    /// Text, thinking and arguments come in pieces.
    pub has_deltas: bool,
    /// Each item comes whole at its end. Without pieces it always does.
    pub has_items: bool,
    /// The whole arguments of a call come at their end as well.
    pub ends_arguments: bool,
    /// The answer comes whole with the last event.
    pub repeats_output: bool,
    /// The vendor's padding against listeners, and numbers of the events.
    pub has_obfuscation: bool,
    /// `[DONE]` comes last.
    pub has_done: bool,
}

impl Default for ResponsesStyle {
    fn default() -> Self {
        Self {
            has_deltas: true,
            has_items: true,
            ends_arguments: true,
            repeats_output: true,
            has_obfuscation: true,
            has_done: false,
        }
    }
}

impl ResponsesStyle {
    pub(super) fn frames(&self, answer: &WireAnswer) -> Vec<Frame> {
        let mut events = vec![
            json!({ "type": "response.created", "response": { "status": "in_progress", "output": [] } }),
            json!({ "type": "response.in_progress", "response": { "status": "in_progress" } }),
        ];
        for (place, part) in answer.parts.iter().enumerate() {
            self.tell(place, part, &mut events);
        }
        let kind = if answer.end == WireEnd::Whole { "response.completed" } else { "response.incomplete" };
        events.push(json!({ "type": kind, "response": self.closed(answer, self.repeats_output) }));
        if self.has_obfuscation {
            for (number, event) in events.iter_mut().enumerate() {
                event["sequence_number"] = number.into();
                event["obfuscation"] = "abc".into();
            }
        }
        let done = self.has_done.then(|| Frame::plain("[DONE]"));
        events.iter().map(Frame::typed).chain(done).collect()
    }

    pub(super) fn document(&self, answer: &WireAnswer) -> Value {
        self.closed(answer, true)
    }

    fn tell(&self, place: usize, part: &WirePart, events: &mut Vec<Value>) {
        let (open, kind, text) = match part {
            WirePart::Text(text) => (json!({ "type": "message", "content": [] }), "output_text", text.clone()),
            WirePart::Thinking(text) => {
                (json!({ "type": "reasoning", "summary": [] }), "reasoning_summary_text", text.clone())
            }
            WirePart::Call { name, arguments } => {
                let open = json!({ "type": "function_call", "call_id": "call_1", "name": name, "arguments": "" });
                (open, "function_call_arguments", arguments.to_string())
            }
        };
        events.push(json!({ "type": "response.output_item.added", "output_index": place, "item": open }));
        if self.has_deltas {
            for delta in pieces(&text) {
                events.push(json!({ "type": format!("response.{kind}.delta"), "output_index": place, "delta": delta }));
            }
        }
        if self.ends_arguments && matches!(part, WirePart::Call { .. }) {
            events.push(
                json!({ "type": "response.function_call_arguments.done", "output_index": place, "arguments": text }),
            );
        }
        if self.has_items || !self.has_deltas {
            events.push(json!({ "type": "response.output_item.done", "output_index": place, "item": item(part) }));
        }
    }

    fn closed(&self, answer: &WireAnswer, with_output: bool) -> Value {
        let output: Vec<Value> = if with_output { answer.parts.iter().map(item).collect() } else { Vec::new() };
        let usage = json!({ "input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens });
        match answer.end {
            WireEnd::Whole => json!({ "status": "completed", "output": output, "usage": usage, "error": null }),
            WireEnd::Length => json!({ "status": "incomplete", "output": output, "usage": usage,
                "incomplete_details": { "reason": "max_output_tokens" } }),
        }
    }
}

fn item(part: &WirePart) -> Value {
    match part {
        WirePart::Text(text) => json!({ "id": "msg_1", "type": "message", "role": "assistant",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }] }),
        WirePart::Thinking(text) => {
            json!({ "id": "rs_1", "type": "reasoning", "summary": [{ "type": "summary_text", "text": text }],
            "encrypted_content": "ZW5j" })
        }
        WirePart::Call { name, arguments } => {
            json!({ "id": "fc_1", "type": "function_call", "call_id": "call_1", "name": name,
            "arguments": arguments.to_string(), "status": "completed" })
        }
    }
}
