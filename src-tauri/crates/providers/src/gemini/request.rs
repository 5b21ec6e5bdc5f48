use crate::names::{wire_name, without_dialect};
use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ProviderError, Replay};
use serde_json::{Map, Value, json};

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "gemini";

/// The request's bytes. The same request gives the same bytes.
pub(super) fn body(request: &ModelRequest) -> Result<Vec<u8>, ProviderError> {
    let mut body = Map::new();
    if !request.system.is_empty() {
        body.insert("systemInstruction".into(), json!({ "parts": [{ "text": request.system }] }));
    }
    if !request.tools.is_empty() {
        let declarations: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": wire_name(&tool.name),
                    "description": tool.description,
                    "parametersJsonSchema": without_dialect(&tool.parameters),
                })
            })
            .collect();
        body.insert("tools".into(), json!([{ "functionDeclarations": declarations }]));
    }
    if let Some(cap) = request.max_output_tokens {
        body.insert("generationConfig".into(), json!({ "maxOutputTokens": cap }));
    }
    body.insert("contents".into(), contents(&request.messages).into());
    serde_json::to_vec(&body)
        .map_err(|error| ProviderError::Malformed { what: format!("a request that is not JSON: {error}") })
}

/// The two sides alternate; the results of a step and what the person adds share one turn.
fn contents(conversation: &[ModelMessage]) -> Vec<Value> {
    let mut sides: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, parts) = match message {
            ModelMessage::User { text } => ("user", text_part(text).into_iter().collect()),
            ModelMessage::Assistant { text, calls, replay } => ("model", assistant(text, calls, replay.as_ref())),
            ModelMessage::ToolResult { call_id: _, tool, content, is_error } => {
                let key = if *is_error { "error" } else { "result" };
                let answer = json!({ "name": wire_name(tool), "response": { key: content } });
                ("user", vec![json!({ "functionResponse": answer })])
            }
        };
        match sides.last_mut() {
            _ if parts.is_empty() => {}
            Some((side, known)) if *side == role => known.extend(parts),
            _ => sides.push((role, parts)),
        }
    }
    sides.into_iter().map(|(role, parts)| json!({ "role": role, "parts": parts })).collect()
}

/// Each call carries the signature that it came with.
fn assistant(text: &str, calls: &[ModelCall], replay: Option<&Replay>) -> Vec<Value> {
    let ours = replay.filter(|replay| replay.dialect == DIALECT).and_then(|replay| replay.data.as_array());
    let calls = calls.iter().enumerate().map(|(place, call)| {
        let arguments = serde_json::from_str::<Map<String, Value>>(&call.arguments).unwrap_or_default();
        let mut part = json!({ "functionCall": { "name": wire_name(&call.name), "args": arguments } });
        if let Some(signature) = ours.and_then(|signatures| signatures.get(place)).filter(|one| one.is_string())
            && let Some(part) = part.as_object_mut()
        {
            part.insert("thoughtSignature".into(), signature.clone());
        }
        part
    });
    text_part(text).into_iter().chain(calls).collect()
}

fn text_part(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "text": text }))
}
