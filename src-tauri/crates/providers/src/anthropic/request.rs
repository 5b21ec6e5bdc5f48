use crate::learned::{Lessons, Part};
use crate::names::wire_name;
use crate::schema::without_dialect;
use crate::think_level::{budget, effort, fitted, switch};
use crate::wire::base64;
use namma_core::ports::{Image, ModelCall, ModelMessage, ModelRequest, ProviderError, Replay, ThinkingControl};
use namma_protocol::ThinkLevel;
use serde_json::{Map, Value, json};

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "anthropic";

/// Tokens of one answer when nobody says how many. The dialect wants a number.
const USUAL_MAX_TOKENS: u32 = 16_384;

/// The vendor takes no smaller number to think with.
const LEAST_BUDGET: u32 = 1024;

/// The request's bytes. The same request gives the same bytes. What stays the same between steps
/// comes first and ends with a mark for the vendor's cache; so does the newest message, which the
/// next step will read again.
pub(crate) fn body(request: &ModelRequest, lessons: &Lessons) -> Result<Vec<u8>, ProviderError> {
    let mut body = Map::new();
    body.insert("model".into(), request.model.as_str().into());
    let answer_tokens = request.max_output_tokens.unwrap_or(USUAL_MAX_TOKENS);
    let thinking = thinking(request, lessons);
    // What is thought counts as answer.
    let thought = thinking.as_ref().and_then(|thinking| thinking["budget_tokens"].as_u64());
    let thought = thought.and_then(|tokens| u32::try_from(tokens).ok()).unwrap_or(0);
    let most = lessons.cap(Some(answer_tokens.saturating_add(thought)));
    body.insert("max_tokens".into(), most.into());
    let budget = fitted(thought, Some(answer_tokens), most);
    match thinking {
        Some(mut thinking) if thought > 0 && budget >= LEAST_BUDGET => {
            thinking["budget_tokens"] = budget.into();
            body.insert("thinking".into(), thinking);
        }
        Some(thinking) if thought == 0 => drop(body.insert("thinking".into(), thinking)),
        // There is no room to think in, or nothing to be said of it.
        Some(_) | None => {}
    }
    let mut output = Map::new();
    if let Some(effort) = effort(&request.thinking).filter(|_| !lessons.has_dropped(Part::Thinking)) {
        output.insert("effort".into(), effort.into());
    }
    if let Some(schema) = request.answer_schema.as_ref().filter(|_| !lessons.has_dropped(Part::AnswerSchema)) {
        output.insert("format".into(), json!({ "type": "json_schema", "schema": without_dialect(schema) }));
    }
    if !output.is_empty() {
        body.insert("output_config".into(), output.into());
    }
    body.insert("stream".into(), true.into());
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({
                "name": wire_name(&tool.name),
                "description": tool.description,
                "input_schema": schema(&tool.parameters),
            })
        })
        .collect();
    if request.system.is_empty() {
        tools.last_mut().map(mark);
    } else {
        // It stands after the tools, so its mark covers both.
        let mut system = json!({ "type": "text", "text": request.system });
        mark(&mut system);
        body.insert("system".into(), json!([system]));
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    body.insert("messages".into(), messages(&request.messages).into());
    serde_json::to_vec(&body)
        .map_err(|error| ProviderError::Malformed { what: format!("a request that is not JSON: {error}") })
}

fn thinking(request: &ModelRequest, lessons: &Lessons) -> Option<Value> {
    if lessons.has_dropped(Part::Thinking) {
        return None;
    }
    let thinking = &request.thinking;
    let by_effort = matches!(thinking.control, ThinkingControl::Effort { .. }) && thinking.level != ThinkLevel::Off;
    match (budget(thinking), switch(thinking)) {
        (Some(tokens), _) => (tokens > 0).then(|| json!({ "type": "enabled", "budget_tokens": tokens })),
        (_, Some(on)) => Some(json!({ "type": if on { "enabled" } else { "disabled" } })),
        (None, None) => by_effort.then(|| json!({ "type": "adaptive" })),
    }
}

fn mark(block: &mut Value) {
    if let Some(block) = block.as_object_mut() {
        block.insert("cache_control".into(), json!({ "type": "ephemeral" }));
    }
}

/// The schema without `$schema`, as an object: a tool without arguments takes an empty one.
fn schema(schema: &Value) -> Value {
    let mut object = match without_dialect(schema).into_owned() {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.entry("type").or_insert_with(|| "object".into());
    object.into()
}

/// The two sides alternate; the results of a step and what the person adds share one message, the
/// results first.
fn messages(conversation: &[ModelMessage]) -> Vec<Value> {
    let mut sides: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, blocks) = match message {
            ModelMessage::User { text, images } => {
                ("user", images.iter().map(image_block).chain(text_block(text)).collect())
            }
            ModelMessage::Assistant { text, calls, replay } => ("assistant", assistant(text, calls, replay.as_ref())),
            ModelMessage::ToolResult { call_id, tool: _, content, images, is_error } => {
                let content = match images.as_slice() {
                    [] => content.as_str().into(),
                    images => text_block(content).into_iter().chain(images.iter().map(image_block)).collect::<Value>(),
                };
                let id = call_id.as_str();
                let result =
                    json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error });
                ("user", vec![result])
            }
        };
        match sides.last_mut() {
            _ if blocks.is_empty() => {}
            Some((side, known)) if *side == role => known.extend(blocks),
            _ => sides.push((role, blocks)),
        }
    }
    if let Some(newest) = sides.last_mut().and_then(|(_, blocks)| blocks.last_mut()) {
        mark(newest);
    }
    sides.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn assistant(text: &str, calls: &[ModelCall], replay: Option<&Replay>) -> Vec<Value> {
    let ours = replay.filter(|replay| replay.dialect == DIALECT).and_then(|replay| replay.data.as_array());
    let thinking = ours.into_iter().flatten().cloned();
    let calls = calls.iter().map(|call| {
        // Vendors refuse arguments that are no object; broken ones were answered as such.
        let input = serde_json::from_str::<Map<String, Value>>(&call.arguments).unwrap_or_default();
        json!({ "type": "tool_use", "id": call.id.as_str(), "name": wire_name(&call.name), "input": input })
    });
    thinking.chain(text_block(text)).chain(calls).collect()
}

fn image_block(image: &Image) -> Value {
    let source = json!({ "type": "base64", "media_type": image.media_type, "data": base64(&image.bytes) });
    json!({ "type": "image", "source": source })
}

/// Vendors refuse a block that says nothing.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}
