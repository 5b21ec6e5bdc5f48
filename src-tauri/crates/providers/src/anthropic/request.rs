use crate::names::wire_name;
use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ProviderError, Replay};
use serde_json::{Map, Value, json};

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "anthropic";

/// The request's bytes. The same request gives the same bytes. What stays the same between steps
/// comes first and ends with a mark for the vendor's cache; so does the newest message, which the
/// next step will read again.
pub(super) fn body(request: &ModelRequest, max_tokens: u32) -> Result<Vec<u8>, ProviderError> {
    let mut body = Map::new();
    body.insert("model".into(), request.model.as_str().into());
    body.insert("max_tokens".into(), max_tokens.into());
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

fn mark(block: &mut Value) {
    if let Some(block) = block.as_object_mut() {
        block.insert("cache_control".into(), json!({ "type": "ephemeral" }));
    }
}

/// The schema without `$schema`, as an object: a tool without arguments takes an empty one.
fn schema(schema: &Value) -> Value {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.shift_remove("$schema");
    object.entry("type").or_insert_with(|| "object".into());
    object.into()
}

/// The two sides alternate; the results of a step and what the person adds share one message, the
/// results first.
fn messages(conversation: &[ModelMessage]) -> Vec<Value> {
    let mut sides: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, blocks) = match message {
            ModelMessage::User { text } => ("user", text_block(text).into_iter().collect()),
            ModelMessage::Assistant { text, calls, replay } => ("assistant", assistant(text, calls, replay.as_ref())),
            ModelMessage::ToolResult { call_id, tool: _, content, is_error } => (
                "user",
                vec![json!({
                    "type": "tool_result",
                    "tool_use_id": call_id.as_str(),
                    "content": content,
                    "is_error": is_error,
                })],
            ),
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

/// Vendors refuse a block that says nothing.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}
