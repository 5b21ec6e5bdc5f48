use crate::learned::{Lessons, Part};
use crate::names::wire_name;
use crate::schema::without_dialect;
use crate::think_level::effort;
use crate::wire::data_url;
use namma_core::ports::{Image, ModelCall, ModelMessage, ModelRequest, ProviderError, Replay};
use namma_protocol::ThinkLevel;
use serde_json::{Map, Value, json};

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "responses";

/// The request's bytes. The same request gives the same bytes, and a longer conversation begins
/// with the bytes of the shorter one, so that the vendor's cache can hit.
pub(crate) fn body(request: &ModelRequest, lessons: &Lessons) -> Result<Vec<u8>, ProviderError> {
    let mut body = Map::new();
    body.insert("model".into(), request.model.as_str().into());
    body.insert("stream".into(), true.into());
    body.insert("store".into(), false.into());
    if !lessons.has_dropped(Part::EncryptedThinking) {
        body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    }
    if let Some(effort) = effort(&request.thinking).filter(|_| !lessons.has_dropped(Part::Thinking)) {
        let mut reasoning = json!({ "effort": effort });
        if request.thinking.level != ThinkLevel::Off && !lessons.has_dropped(Part::ThinkingSummary) {
            reasoning["summary"] = "auto".into();
        }
        body.insert("reasoning".into(), reasoning);
    }
    if let Some(schema) = request.answer_schema.as_ref().filter(|_| !lessons.has_dropped(Part::AnswerSchema)) {
        let format = json!({ "type": "json_schema", "name": "answer", "schema": without_dialect(schema) });
        body.insert("text".into(), json!({ "format": format }));
    }
    if let Some(cap) = lessons.cap(request.max_output_tokens) {
        // The vendor takes no smaller number.
        body.insert("max_output_tokens".into(), cap.max(16).into());
    }
    if !request.system.is_empty() {
        body.insert("instructions".into(), request.system.as_str().into());
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "name": wire_name(&tool.name),
                "description": tool.description,
                "parameters": without_dialect(&tool.parameters),
                "strict": false,
            })
        });
        body.insert("tools".into(), tools.collect());
    }
    body.insert("input".into(), request.messages.iter().flat_map(items).collect());
    serde_json::to_vec(&body)
        .map_err(|error| ProviderError::Malformed { what: format!("a request that is not JSON: {error}") })
}

fn items(message: &ModelMessage) -> Vec<Value> {
    match message {
        ModelMessage::User { text, images } => {
            let part = (!text.trim().is_empty()).then(|| json!({ "type": "input_text", "text": text }));
            let content: Vec<Value> = images.iter().map(image_part).chain(part).collect();
            (!content.is_empty()).then(|| said("user", content.into())).into_iter().collect()
        }
        ModelMessage::Assistant { text, calls, replay } => assistant(text, calls, replay.as_ref()),
        ModelMessage::ToolResult { call_id, tool: _, content, images, is_error: _ } => {
            let text = json!({ "type": "input_text", "text": content });
            let content: Value = match images.as_slice() {
                [] => content.as_str().into(),
                images => [text].into_iter().chain(images.iter().map(image_part)).collect(),
            };
            vec![json!({ "type": "function_call_output", "call_id": call_id.as_str(), "output": content })]
        }
    }
}

/// Thinking stands before the calls that came of it.
fn assistant(text: &str, calls: &[ModelCall], replay: Option<&Replay>) -> Vec<Value> {
    let ours = replay.filter(|replay| replay.dialect == DIALECT).and_then(|replay| replay.data.as_array());
    let calls = calls.iter().map(|call| {
        let is_object = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
        let arguments = if is_object { call.arguments.as_str() } else { "{}" };
        json!({ "type": "function_call", "call_id": call.id.as_str(), "name": wire_name(&call.name), "arguments": arguments })
    });
    // As a list of parts the vendor wants its own id and state with it, which we do not keep.
    let text = (!text.trim().is_empty()).then(|| said("assistant", text.into()));
    ours.into_iter().flatten().cloned().chain(text).chain(calls).collect()
}

fn image_part(image: &Image) -> Value {
    json!({ "type": "input_image", "image_url": data_url(image) })
}

fn said(role: &str, content: Value) -> Value {
    json!({ "type": "message", "role": role, "content": content })
}
