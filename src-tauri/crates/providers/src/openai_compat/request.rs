use crate::endpoint::Quirks;
use crate::learned::{Lessons, Part};
use crate::names::wire_name;
use crate::schema::without_dialect;
use crate::think_level::{budget, effort, switch};
use crate::wire::data_url;
use namma_core::ports::{Image, ModelCall, ModelMessage, ModelRequest, ProviderError, Thinking, ToolSpec};
use namma_protocol::{ThinkLevel, ToolCallId};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The name of this dialect on what it wants to see again.
pub(super) const DIALECT: &str = "chat_completions";

/// The request's bytes. The same request gives the same bytes, and a longer conversation begins
/// with the bytes of the shorter one, so that a vendor's prompt cache can hit.
pub(crate) fn body(request: &ModelRequest, lessons: &Lessons, quirks: Quirks) -> Result<Vec<u8>, ProviderError> {
    let cap = lessons.cap(request.max_output_tokens);
    let (max_tokens, max_completion_tokens) = match quirks.max_completion_tokens || lessons.has_dropped(Part::MaxTokens)
    {
        true => (None, cap),
        false => (cap, None),
    };
    let include_usage = !lessons.has_dropped(Part::StreamUsage);
    let body = Body {
        model: &request.model,
        stream: true,
        stream_options: include_usage.then_some(StreamOptions { include_usage }),
        thinking: thinking_words(&request.thinking, lessons, quirks),
        response_format: response_format(request, lessons),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    thinking: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
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
        content: Content<'a>,
    },
    Assistant {
        content: Option<&'a str>,
        /// What the vendor wants to see again of its thinking, under its own name.
        #[serde(flatten)]
        thinking: Option<&'a Map<String, Value>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: &'a str,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Parts(Vec<Value>),
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
    Tool::Function { name, description, parameters: without_dialect(&spec.parameters) }
}

fn messages(request: &ModelRequest, quirks: Quirks) -> Vec<Message<'_>> {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.is_empty() {
        messages.push(Message::System { content: &request.system });
    }
    // A result is text alone here; its images follow when the results of the step are over.
    let mut seen: Vec<&Image> = Vec::new();
    for message in &request.messages {
        if !matches!(message, ModelMessage::ToolResult { .. }) {
            messages.extend(shown(std::mem::take(&mut seen)));
        }
        match message {
            ModelMessage::User { text, images } => messages.push(Message::User { content: content(text, images) }),
            // Vendors refuse an assistant message that says nothing.
            ModelMessage::Assistant { text, calls, .. } if text.is_empty() && calls.is_empty() => {}
            ModelMessage::Assistant { text, calls, replay } => messages.push(Message::Assistant {
                content: (!text.is_empty()).then_some(text.as_str()),
                thinking: replay.as_ref().filter(|one| one.dialect == DIALECT).and_then(|one| one.data.as_object()),
                tool_calls: calls.iter().map(|made| call(made, quirks)).collect(),
            }),
            // The dialect has no mark for an error; the content says that it is one.
            ModelMessage::ToolResult { call_id, tool: _, content, images, is_error: _ } => {
                messages.push(Message::Tool { tool_call_id: wire_id(call_id, quirks), content });
                seen.extend(images);
            }
        }
    }
    messages.extend(shown(seen));
    messages
}

fn content<'a>(text: &'a str, images: &[Image]) -> Content<'a> {
    if images.is_empty() {
        return Content::Text(text);
    }
    let text = (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }));
    Content::Parts(images.iter().map(image_part).chain(text).collect())
}

fn shown<'a>(images: Vec<&Image>) -> Option<Message<'a>> {
    if images.is_empty() {
        return None;
    }
    let words = json!({ "type": "text", "text": "The images of the results above:" });
    Some(Message::User {
        content: Content::Parts([words].into_iter().chain(images.into_iter().map(image_part)).collect()),
    })
}

fn image_part(image: &Image) -> Value {
    json!({ "type": "image_url", "image_url": { "url": data_url(image) } })
}

/// The level of thinking, each server in its own words.
fn thinking_words(thinking: &Thinking, lessons: &Lessons, quirks: Quirks) -> Map<String, Value> {
    let mut words = Map::new();
    if lessons.has_dropped(Part::Thinking) {
        return words;
    }
    let word = effort(thinking).or_else(|| match budget(thinking)? {
        0 => Some("none"),
        _ if thinking.level == ThinkLevel::Off => Some(ThinkLevel::Low.as_str()),
        _ => Some(thinking.level.as_str()),
    });
    if let Some(word) = word {
        match quirks.reasoning_object {
            true => words.insert("reasoning".into(), json!({ "effort": word })),
            false => words.insert("reasoning_effort".into(), word.into()),
        };
    }
    if let Some(on) = switch(thinking) {
        match quirks.thinking_type {
            true => words.insert("thinking".into(), json!({ "type": if on { "enabled" } else { "disabled" } })),
            false => words.insert("chat_template_kwargs".into(), json!({ "enable_thinking": on })),
        };
    }
    words
}

fn response_format(request: &ModelRequest, lessons: &Lessons) -> Option<Value> {
    let schema = request.answer_schema.as_ref().filter(|_| !lessons.has_dropped(Part::AnswerSchema))?;
    let named = json!({ "name": "answer", "schema": without_dialect(schema) });
    Some(json!({ "type": "json_schema", "json_schema": named }))
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
    use crate::learned::Lessons;
    use namma_core::ports::{ModelCall, ModelMessage, ModelRequest, ToolSpec};
    use serde_json::json;

    fn request() -> ModelRequest {
        ModelRequest {
            model: "m".to_owned(),
            system: "be kind".to_owned(),
            messages: vec![
                ModelMessage::User { text: "hello".to_owned(), images: Vec::new() },
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
                    images: Vec::new(),
                    is_error: true,
                },
            ],
            tools: vec![ToolSpec {
                name: "read_file".to_owned(),
                description: "Reads a file.".to_owned(),
                parameters: json!({ "$schema": "x", "type": "object", "properties": { "b": {}, "a": {} } }),
            }],
            ..ModelRequest::default()
        }
    }

    fn text(request: &ModelRequest, quirks: Quirks) -> String {
        String::from_utf8(body(request, &Lessons::default(), quirks).expect("a body")).expect("text")
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
        long.messages.push(ModelMessage::User { text: "again".to_owned(), images: Vec::new() });
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
