use super::{Frame, WireAnswer, WireEnd, WirePart};
use serde_json::{Value, json};

/// How a server speaks Google's generateContent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContentsStyle {
    /// All parts stand in one event.
    pub is_whole: bool,
    /// The reason to stop comes with the last part and not after it.
    pub stops_with_part: bool,
    /// The usage grows with each event.
    pub counts_each: bool,
    /// Calls have ids.
    pub has_ids: bool,
    /// A call without arguments has no `args`.
    pub leaves_out_args: bool,
    /// Other candidates, which nobody asked for, stand beside the first.
    pub has_others: bool,
}

impl ContentsStyle {
    pub(super) fn frames(&self, answer: &WireAnswer) -> Vec<Frame> {
        let parts: Vec<Value> = answer.parts.iter().map(|part| self.part(part)).collect();
        let mut groups: Vec<Vec<Value>> =
            if self.is_whole { vec![parts] } else { parts.into_iter().map(|part| vec![part]).collect() };
        if !self.stops_with_part {
            groups.push(vec![json!({ "text": "" })]);
        }
        let last = groups.len().saturating_sub(1);
        let frame = |(at, parts): (usize, Vec<Value>)| {
            let mut piece = json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }] });
            if at == last {
                piece["candidates"][0]["finishReason"] = stop_reason(answer).into();
                piece["usageMetadata"] = usage(answer);
            } else if self.counts_each {
                piece["usageMetadata"] = json!({ "promptTokenCount": answer.input_tokens, "candidatesTokenCount": at });
            }
            if self.has_others {
                let other = json!({ "content": { "parts": [{ "text": "no" }] }, "index": 1, "finishReason": "STOP" });
                if let Some(candidates) = piece["candidates"].as_array_mut() {
                    candidates.push(other);
                }
            }
            Frame::new("", &piece)
        };
        groups.into_iter().enumerate().map(frame).collect()
    }

    pub(super) fn document(&self, answer: &WireAnswer) -> Value {
        let parts: Vec<Value> = answer.parts.iter().map(|part| self.part(part)).collect();
        let candidate = json!({ "content": { "role": "model", "parts": parts }, "finishReason": stop_reason(answer) });
        json!({ "candidates": [candidate], "usageMetadata": usage(answer) })
    }

    fn part(&self, part: &WirePart) -> Value {
        match part {
            WirePart::Text(text) => json!({ "text": text }),
            WirePart::Thinking(text) => json!({ "text": text, "thought": true }),
            WirePart::Call { name, arguments } => {
                let mut call = json!({ "name": name, "args": arguments });
                if self.leaves_out_args && arguments.as_object().is_some_and(serde_json::Map::is_empty) {
                    call = json!({ "name": name });
                }
                if self.has_ids {
                    call["id"] = "call_1".into();
                }
                json!({ "functionCall": call, "thoughtSignature": "c2ln" })
            }
        }
    }
}

fn usage(answer: &WireAnswer) -> Value {
    json!({ "promptTokenCount": answer.input_tokens, "candidatesTokenCount": answer.output_tokens })
}

/// The vendor says the same for an answer and for calls.
fn stop_reason(answer: &WireAnswer) -> &'static str {
    match answer.end {
        WireEnd::Length => "MAX_TOKENS",
        WireEnd::Whole => "STOP",
    }
}
