use crate::learned::{Lessons, Part};
use crate::names::wire_name;
use crate::schema::without_dialect;
use crate::think_level::{budget, effort, fitted};
use crate::wire::base64;
use namma_core::ports::{Image, ModelCall, ModelMessage, ModelRequest, ProviderError, Replay};
use namma_protocol::ThinkLevel;
use serde_json::{Map, Value, json};

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "gemini";

/// A name with a folder is taken as it is: `tunedModels/mine`.
pub(crate) fn path(model: &str) -> String {
    let folder = if model.contains('/') { "" } else { "models/" };
    format!("{folder}{model}:streamGenerateContent?alt=sse")
}

/// The request's bytes. The same request gives the same bytes.
pub(crate) fn body(request: &ModelRequest, lessons: &Lessons) -> Result<Vec<u8>, ProviderError> {
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
    let generation = generation(request, lessons);
    if !generation.is_empty() {
        body.insert("generationConfig".into(), generation.into());
    }
    body.insert("contents".into(), contents(&request.messages).into());
    serde_json::to_vec(&body)
        .map_err(|error| ProviderError::Malformed { what: format!("a request that is not JSON: {error}") })
}

fn generation(request: &ModelRequest, lessons: &Lessons) -> Map<String, Value> {
    let mut generation = Map::new();
    let thinking = &request.thinking;
    let thought = budget(thinking).filter(|_| !lessons.has_dropped(Part::Thinking)).unwrap_or(0);
    // What is thought counts as answer.
    let most = lessons.cap(request.max_output_tokens.map(|cap| cap.saturating_add(thought)));
    if !lessons.has_dropped(Part::Thinking) {
        let shown = thinking.level != ThinkLevel::Off;
        if let Some(tokens) = budget(thinking) {
            let tokens = fitted(tokens, request.max_output_tokens, most);
            let config = json!({ "thinkingBudget": tokens, "includeThoughts": shown });
            generation.insert("thinkingConfig".into(), config);
        } else if let Some(level) = effort(thinking) {
            generation.insert("thinkingConfig".into(), json!({ "thinkingLevel": level, "includeThoughts": shown }));
        }
    }
    if let Some(most) = most {
        generation.insert("maxOutputTokens".into(), most.into());
    }
    if let Some(schema) = request.answer_schema.as_ref().filter(|_| !lessons.has_dropped(Part::AnswerSchema)) {
        generation.insert("responseMimeType".into(), "application/json".into());
        generation.insert("responseJsonSchema".into(), without_dialect(schema).into_owned());
    }
    generation
}

/// The two sides alternate; the results of a step and what the person adds share one turn.
fn contents(conversation: &[ModelMessage]) -> Vec<Value> {
    let mut sides: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, parts) = match message {
            ModelMessage::User { text, images } => {
                ("user", images.iter().map(image_part).chain(text_part(text)).collect())
            }
            ModelMessage::Assistant { text, calls, replay } => ("model", assistant(text, calls, replay.as_ref())),
            ModelMessage::ToolResult { call_id: _, tool, content, images, is_error } => {
                let key = if *is_error { "error" } else { "result" };
                let answer = json!({ "name": wire_name(tool), "response": { key: content } });
                let answer = json!({ "functionResponse": answer });
                ("user", [answer].into_iter().chain(images.iter().map(image_part)).collect())
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

fn image_part(image: &Image) -> Value {
    json!({ "inlineData": { "mimeType": image.media_type, "data": base64(&image.bytes) } })
}

fn text_part(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "text": text }))
}
