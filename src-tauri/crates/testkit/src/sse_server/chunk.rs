use serde_json::{Value, json};

/// A piece of what the scripted model says, in the words of OpenAI's chat completions.
#[derive(Clone, Debug, PartialEq)]
pub enum Chunk {
    Text(String),
    /// In the field `reasoning_content`.
    Thinking(String),
    Call {
        name: String,
        /// The raw text: it need not be JSON.
        arguments: String,
    },
    Usage {
        input_tokens: u32,
        output_tokens: u32,
    },
    Finish(String),
    /// One event's data, word for word.
    Raw(String),
}

/// The model writes text.
pub fn text(text: impl Into<String>) -> Chunk {
    Chunk::Text(text.into())
}

/// The model thinks aloud.
pub fn thinking(text: impl Into<String>) -> Chunk {
    Chunk::Thinking(text.into())
}

/// The model calls a tool.
pub fn call(name: impl Into<String>, arguments: &Value) -> Chunk {
    raw_call(name, arguments.to_string())
}

/// The model calls a tool with exactly this text as arguments.
pub fn raw_call(name: impl Into<String>, arguments: impl Into<String>) -> Chunk {
    Chunk::Call { name: name.into(), arguments: arguments.into() }
}

/// What the step cost.
pub fn usage(input_tokens: u32, output_tokens: u32) -> Chunk {
    Chunk::Usage { input_tokens, output_tokens }
}

/// Why the model stopped; without one it is `stop`, or `tool_calls` when it called.
pub fn finish(reason: impl Into<String>) -> Chunk {
    Chunk::Finish(reason.into())
}

/// One event, word for word.
pub fn raw(data: impl Into<String>) -> Chunk {
    Chunk::Raw(data.into())
}

/// The events of a whole step: finish, usage and `[DONE]` are added where the chunks have none.
pub(super) fn whole_step(chunks: &[Chunk]) -> String {
    let has = |test: fn(&Chunk) -> bool| chunks.iter().any(test);
    let mut body = events(chunks);
    if !has(|chunk| matches!(chunk, Chunk::Finish(_))) {
        let calls = has(|chunk| matches!(chunk, Chunk::Call { .. }));
        push(&mut body, &finish_data(if calls { "tool_calls" } else { "stop" }));
    }
    if !has(|chunk| matches!(chunk, Chunk::Usage { .. })) {
        push(&mut body, &usage_data(10, 5));
    }
    push(&mut body, "[DONE]");
    body
}

/// The events of the chunks and nothing more.
pub(super) fn events(chunks: &[Chunk]) -> String {
    let mut body = String::new();
    let mut index = 0_u32;
    for chunk in chunks {
        match chunk {
            Chunk::Text(text) => push(&mut body, &delta_data(&json!({ "content": text }))),
            Chunk::Thinking(text) => push(&mut body, &delta_data(&json!({ "reasoning_content": text }))),
            Chunk::Call { name, arguments } => {
                for delta in call_deltas(index, name, arguments) {
                    push(&mut body, &delta_data(&json!({ "tool_calls": [delta] })));
                }
                index += 1;
            }
            Chunk::Usage { input_tokens, output_tokens } => push(&mut body, &usage_data(*input_tokens, *output_tokens)),
            Chunk::Finish(reason) => push(&mut body, &finish_data(reason)),
            Chunk::Raw(data) => push(&mut body, data),
        }
    }
    body
}

/// As most servers send a call: name and id first, then the arguments in two pieces.
fn call_deltas(index: u32, name: &str, arguments: &str) -> [Value; 3] {
    let middle = (0..=arguments.len() / 2).rev().find(|at| arguments.is_char_boundary(*at)).unwrap_or(0);
    let (first, second) = arguments.split_at(middle);
    let id = format!("call_{index}");
    [
        json!({ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" } }),
        json!({ "index": index, "function": { "arguments": first } }),
        json!({ "index": index, "function": { "arguments": second } }),
    ]
}

fn delta_data(delta: &Value) -> String {
    envelope(&json!([{ "index": 0, "delta": delta, "finish_reason": null }]), &Value::Null)
}

fn finish_data(reason: &str) -> String {
    envelope(&json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), &Value::Null)
}

fn usage_data(input_tokens: u32, output_tokens: u32) -> String {
    let total = input_tokens.saturating_add(output_tokens);
    let usage = json!({ "prompt_tokens": input_tokens, "completion_tokens": output_tokens, "total_tokens": total });
    envelope(&json!([]), &usage)
}

fn envelope(choices: &Value, usage: &Value) -> String {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "test-model",
        "choices": choices,
        "usage": usage,
    })
    .to_string()
}

fn push(body: &mut String, data: &str) {
    body.push_str("data: ");
    body.push_str(data);
    body.push_str("\n\n");
}
