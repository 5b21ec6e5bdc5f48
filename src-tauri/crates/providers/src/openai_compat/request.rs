use crate::endpoint::Quirks;
use crate::names::wire_name;
use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ProviderError, ToolSpec};
use namma_protocol::ToolCallId;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The request's bytes. The same request gives the same bytes, and a longer conversation begins
/// with the bytes of the shorter one, so that a vendor's prompt cache can hit.
pub(super) fn body(request: &ModelRequest, quirks: Quirks) -> Result<Vec<u8>, ProviderError> {
    let (max_tokens, max_completion_tokens) = match quirks.max_completion_tokens {
        true => (None, request.max_output_tokens),
        false => (request.max_output_tokens, None),
    };
    let body = Body {
        model: &request.model,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
        max_tokens,
        max_completion_tokens,
        tools: request.tools.iter().map(tool).collect(),
        messages: messages(request, quirks),
    };
    serde_json::to_vec(&body)
        .map_err(|error| ProviderError::Malformed { what: format!("a request that is not JSON: {error}") })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", content = "function", rename_all = "lowercase")]
enum Tool<'a> {
    Function { name: Cow<'a, str>, description: &'a str, parameters: Cow<'a, Value> },
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    #[serde(flatten)]
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", content = "function", rename_all = "lowercase")]
enum CalledFunction<'a> {
    Function { name: Cow<'a, str>, arguments: &'a str },
}

fn tool(spec: &ToolSpec) -> Tool<'_> {
    let (name, description) = (wire_name(&spec.name), spec.description.as_str());
    Tool::Function { name, description, parameters: parameters(&spec.parameters) }
}

/// The schema without `$schema`, which some vendors refuse.
fn parameters(schema: &Value) -> Cow<'_, Value> {
    if schema.get("$schema").is_none() {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("$schema");
    }
    Cow::Owned(schema)
}

fn messages(request: &ModelRequest, quirks: Quirks) -> Vec<Message<'_>> {
    let system = (!request.system.is_empty()).then_some(Message::System { content: &request.system });
    system.into_iter().chain(request.messages.iter().filter_map(|turn| message(turn, quirks))).collect()
}

fn message(message: &ModelMessage, quirks: Quirks) -> Option<Message<'_>> {
    Some(match message {
        ModelMessage::User { text } => Message::User { content: text },
        // Vendors refuse an assistant message that says nothing.
        ModelMessage::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => return None,
        ModelMessage::Assistant { text, calls, replay: _ } => Message::Assistant {
            content: (!text.is_empty()).then_some(text.as_str()),
            tool_calls: calls.iter().map(|made| call(made, quirks)).collect(),
        },
        // The dialect has no mark for an error; the content says that it is one.
        ModelMessage::ToolResult { call_id, tool: _, content, is_error: _ } => {
            Message::Tool { tool_call_id: wire_id(call_id, quirks), content }
        }
    })
}

fn call(call: &ModelCall, quirks: Quirks) -> Call<'_> {
    let arguments = if is_object(&call.arguments) { call.arguments.as_str() } else { "{}" };
    let function = CalledFunction::Function { name: wire_name(&call.name), arguments };
    Call { id: wire_id(&call.id, quirks), function }
}

/// Servers parse the arguments of earlier calls, and refuse the whole request when they cannot.
fn is_object(arguments: &str) -> bool {
    arguments.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
}

fn wire_id(id: &ToolCallId, quirks: Quirks) -> Cow<'_, str> {
    if !quirks.short_call_ids {
        return Cow::Borrowed(id.as_str());
    }
    // FNV-1a in base 36: the same short id for the same call, in every request.
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = id.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    let mut short = String::with_capacity(9);
    for _ in 0..9 {
        let digit = u32::try_from(hash % 36).unwrap_or_default();
        short.push(char::from_digit(digit, 36).unwrap_or('0'));
        hash /= 36;
    }
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::body;
    use crate::endpoint::Quirks;
    use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ToolSpec};
    use serde_json::json;

    fn request() -> ModelRequest {
        ModelRequest {
            model: "m".to_owned(),
            system: "be kind".to_owned(),
            messages: vec![
                ModelMessage::User { text: "hello".to_owned() },
                ModelMessage::Assistant { text: String::new(), calls: Vec::new(), replay: None },
                ModelMessage::Assistant {
                    text: String::new(),
                    calls: vec![ModelCall {
                        id: "call_1".into(),
                        name: "read file".to_owned(),
                        arguments: "{\"path\":\"a".to_owned(),
                    }],
                    replay: None,
                },
                ModelMessage::ToolResult {
                    call_id: "call_1".into(),
                    tool: "read_file".to_owned(),
                    content: "no such file".to_owned(),
                    is_error: true,
                },
            ],
            tools: vec![ToolSpec {
                name: "read_file".to_owned(),
                description: "Reads a file.".to_owned(),
                parameters: json!({ "$schema": "x", "type": "object", "properties": { "b": {}, "a": {} } }),
            }],
            max_output_tokens: None,
        }
    }

    fn text(request: &ModelRequest, quirks: Quirks) -> String {
        String::from_utf8(body(request, quirks).expect("a body")).expect("text")
    }

    #[test]
    fn the_bytes_are_exactly_these() {
        let expected = concat!(
            r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"#,
            r#""tools":[{"type":"function","function":{"name":"read_file","description":"Reads a file.","#,
            r#""parameters":{"type":"object","properties":{"b":{},"a":{}}}}}],"#,
            r#""messages":[{"role":"system","content":"be kind"},{"role":"user","content":"hello"},"#,
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","#,
            r#""function":{"name":"read_file_1214148ebf663ce8","arguments":"{}"}}]},"#,
            r#"{"role":"tool","tool_call_id":"call_1","content":"no such file"}]}"#,
        );
        assert_eq!(text(&request(), Quirks::default()), expected);
    }

    #[test]
    fn a_longer_conversation_begins_with_the_bytes_of_the_shorter() {
        let short = request();
        let mut long = request();
        long.messages.push(ModelMessage::User { text: "again".to_owned() });
        let short = text(&short, Quirks::default());
        let common = short.strip_suffix("]}").expect("the end of the messages");
        assert!(text(&long, Quirks::default()).starts_with(common));
    }

    #[test]
    fn a_cap_is_sent_by_the_name_the_vendor_takes_and_only_when_given() {
        let mut request = request();
        assert!(!text(&request, Quirks::default()).contains("max_"));
        request.max_output_tokens = Some(16);
        assert!(text(&request, Quirks::default()).contains(r#""max_tokens":16,"#));
        let quirks = Quirks { max_completion_tokens: true, ..Quirks::default() };
        assert!(text(&request, quirks).contains(r#""max_completion_tokens":16,"#));
    }

    #[test]
    fn short_ids_are_nine_signs_and_the_same_for_call_and_result() {
        let quirks = Quirks { short_call_ids: true, ..Quirks::default() };
        let body: serde_json::Value = serde_json::from_str(&text(&request(), quirks)).expect("JSON");
        let id = body["messages"][2]["tool_calls"][0]["id"].as_str().expect("an id").to_owned();
        assert_eq!(id.len(), 9);
        assert!(id.chars().all(|c| c.is_ascii_alphanumeric()));
        assert_eq!(body["messages"][3]["tool_call_id"], id);
    }
}
