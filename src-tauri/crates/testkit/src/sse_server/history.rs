use serde_json::Value;

/// Panics when the messages of a chat request break a rule of the vendors: every tool call is
/// answered by exactly one tool message right after it, and nothing is empty.
pub fn assert_valid_history(request: &Value) {
    if let Some(problem) = history_problem(request) {
        panic!("the request would be refused by a vendor: {problem}\n{request:#}");
    }
}

/// What a vendor would refuse in this request.
pub fn history_problem(request: &Value) -> Option<String> {
    let Some(messages) = request["messages"].as_array() else {
        return Some("`messages` is not a list".to_owned());
    };
    if messages.is_empty() {
        return Some("`messages` is empty".to_owned());
    }
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let Some(position) = open.iter().position(|wanted| *wanted == id) else {
                return Some(format!("message {at} answers `{id}`, which nobody asked for"));
            };
            open.remove(position);
            if !message["content"].is_string() {
                return Some(format!("message {at}, a tool result, has no text"));
            }
            continue;
        }
        if let Some(missing) = open.first() {
            return Some(format!("the call `{missing}` has no result before message {at}"));
        }
        let problem = match role {
            "system" | "user" => text_problem(message),
            "assistant" => assistant_problem(message, &mut open),
            other => Some(format!("has the unknown role `{other}`")),
        };
        if let Some(problem) = problem {
            return Some(format!("message {at} {problem}"));
        }
    }
    open.first().map(|missing| format!("the call `{missing}` has no result"))
}

fn text_problem(message: &Value) -> Option<String> {
    let content = &message["content"];
    // Words, or a list of parts with words among them.
    let of_parts = || content.as_array()?.iter().find_map(|part| part["text"].as_str());
    content.as_str().or_else(of_parts).is_none_or(str::is_empty).then(|| "has no text".to_owned())
}

fn assistant_problem<'a>(message: &'a Value, open: &mut Vec<&'a str>) -> Option<String> {
    let Some(calls) = message.get("tool_calls") else { return text_problem(message) };
    let calls = calls.as_array().filter(|calls| !calls.is_empty());
    let Some(calls) = calls else { return Some("has an empty list of calls".to_owned()) };
    for call in calls {
        let id = call["id"].as_str().filter(|id| !id.is_empty());
        let Some(id) = id else { return Some("has a call without an id".to_owned()) };
        if open.contains(&id) {
            return Some(format!("has two calls with the id `{id}`"));
        }
        let name = call["function"]["name"].as_str().unwrap_or_default();
        if !is_tool_name(name) {
            return Some(format!("calls a tool by the name `{name}`, which no vendor takes"));
        }
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        if !serde_json::from_str::<Value>(arguments).is_ok_and(|arguments| arguments.is_object()) {
            return Some(format!("has a call whose arguments are not a JSON object: {arguments}"));
        }
        open.push(id);
    }
    None
}

fn is_tool_name(name: &str) -> bool {
    let taken = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    (1..=64).contains(&name.len()) && name.chars().all(taken)
}

#[cfg(test)]
mod tests {
    use super::history_problem;
    use serde_json::{Value, json};

    fn call(id: &str) -> Value {
        json!({ "id": id, "type": "function", "function": { "name": "read_file", "arguments": "{}" } })
    }

    fn problem(messages: &Value) -> Option<String> {
        history_problem(&json!({ "messages": messages }))
    }

    #[test]
    fn a_history_with_every_call_answered_is_valid() {
        let messages = json!([
            { "role": "system", "content": "be kind" },
            { "role": "user", "content": "hello" },
            { "role": "assistant", "content": null, "tool_calls": [call("a"), call("b")] },
            { "role": "tool", "tool_call_id": "b", "content": "two" },
            { "role": "tool", "tool_call_id": "a", "content": "" },
            { "role": "assistant", "content": "done" },
        ]);
        assert_eq!(problem(&messages), None);
    }

    #[test]
    fn among_parts_there_are_words() {
        let image = json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64,AA==" } });
        let with_words = json!([{ "role": "user", "content": [image, { "type": "text", "text": "look" }] }]);
        assert_eq!(problem(&with_words), None);
        let without = json!([{ "role": "user", "content": [image] }]);
        assert_eq!(problem(&without).as_deref(), Some("message 0 has no text"));
    }

    #[test]
    fn a_call_without_a_result_is_named() {
        let messages = json!([
            { "role": "assistant", "content": null, "tool_calls": [call("a")] },
            { "role": "user", "content": "hello" },
        ]);
        assert_eq!(problem(&messages).as_deref(), Some("the call `a` has no result before message 1"));
    }

    #[test]
    fn a_result_that_nobody_asked_for_is_named() {
        let messages = json!([{ "role": "tool", "tool_call_id": "x", "content": "hm" }]);
        assert_eq!(problem(&messages).as_deref(), Some("message 0 answers `x`, which nobody asked for"));
    }

    #[test]
    fn an_empty_assistant_message_is_named() {
        let messages = json!([{ "role": "user", "content": "hello" }, { "role": "assistant", "content": "" }]);
        assert_eq!(problem(&messages).as_deref(), Some("message 1 has no text"));
    }
}
