use serde_json::Value;

/// What a vendor complains about, whatever the shape it comes in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) message: String,
    /// A status inside an error object.
    pub(super) status: Option<u16>,
    /// Code, type and message in lower case, for the questions below.
    words: String,
}

impl Complaint {
    /// Reads a whole body: JSON in any vendor's shape, a web page, or plain text.
    pub(super) fn read(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(Value::Array(list)) if !list.is_empty() => Self::from_document(&list[0]),
            Ok(document) => Self::from_document(&document),
            Err(_) => Self::from_text(&String::from_utf8_lossy(body)),
        }
    }

    fn from_document(document: &Value) -> Self {
        match &document["error"] {
            Value::Null => Self::from_error(document),
            error => Self::from_error(error),
        }
    }

    /// Reads an error object or an error that is only a text.
    pub(super) fn from_error(error: &Value) -> Self {
        if let Some(text) = error.as_str() {
            return Self::from_text(text);
        }
        let message = message_of(error);
        let code = &error["code"];
        let status = code.as_u64().or_else(|| code.as_str().and_then(|code| code.parse().ok()));
        let status = status.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
        let word = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        let words = [word("code"), word("type"), word("status"), message.clone()].join(" ").to_lowercase();
        Self { message: short_text(&message), status, words }
    }

    fn from_text(text: &str) -> Self {
        Self { message: short_text(text), status: None, words: text.to_lowercase() }
    }

    pub(super) fn is_context_too_long(&self) -> bool {
        self.has(&[
            "context_length_exceeded",
            "exceed_context_size",
            "context length",
            // Anthropic's, of the conversation and the answer together.
            "context limit",
            "context size",
            "context window",
            "maximum prompt length",
            "max context",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "input token count",
            "too many tokens",
            "reduce the length of",
            "reduce your prompt",
            "string_above_max_length",
            "maximum number of tokens",
        ])
    }

    pub(super) fn is_about_tools(&self) -> bool {
        self.has(&[
            "does not support tools",
            "does not support function calling",
            "tool use is not supported",
            "tools are not supported",
            "tool calling is not supported",
            "no endpoints found that support tool use",
        ])
    }

    pub(super) fn is_about_model(&self) -> bool {
        if self.has(&["model_not_found", "model_not_supported", "not a valid model", "no endpoints found for"]) {
            return true;
        }
        self.has(&["model"])
            && self.has(&[
                // Anthropic's, whose message is only `model: NAME`.
                "not_found_error",
                "not found",
                "does not exist",
                "doesn't exist",
                "not exist",
                "no such model",
                "unknown model",
                "invalid model",
                "not have access to model",
                "could not find model",
                "not loaded",
                "decommissioned",
            ])
    }

    pub(super) fn is_out_of_credit(&self) -> bool {
        self.has(&[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient balance",
            "insufficient credit",
            "credit balance",
            "out of credit",
            "billing_hard_limit",
            "payment required",
        ])
    }

    pub(super) fn is_filtered(&self) -> bool {
        self.has(&[
            "content_filter",
            "content_policy",
            "content management policy",
            "data_inspection_failed",
            "flagged",
            "moderation",
        ])
    }

    pub(super) fn is_rate_limit(&self) -> bool {
        self.has(&["rate_limit", "rate limit", "too many requests", "resource_exhausted"])
    }

    pub(super) fn is_about_key(&self) -> bool {
        self.has(&["invalid_api_key", "api key not valid", "invalid api key", "incorrect api key"])
    }

    pub(super) fn is_about_country(&self) -> bool {
        self.has(&["unsupported_country", "country, region", "location is not supported"])
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.words.contains(word))
    }
}

/// The message of an error object: `message`, or FastAPI's `detail`, or the object as it is.
fn message_of(error: &Value) -> String {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let first_detail = || error["detail"].as_array().and_then(|list| list.first()).map(detail_of);
    // OpenRouter hides the vendor's own words one level down.
    let inner = || text(&error["metadata"]["raw"]);
    let message = text(&error["message"]).or_else(|| text(&error["detail"])).or_else(first_detail);
    match (message, inner()) {
        (Some(message), Some(inner)) => format!("{message}: {inner}"),
        (Some(message), None) => message,
        (None, Some(inner)) => inner,
        (None, None) if error.is_null() => String::new(),
        (None, None) => error.to_string(),
    }
}

fn detail_of(detail: &Value) -> String {
    let place: Vec<&str> = detail["loc"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let message = detail["msg"].as_str().unwrap_or_default();
    if place.is_empty() { message.to_owned() } else { format!("{}: {message}", place.join(".")) }
}

/// One short line: of a web page its title, of anything else its beginning.
pub(super) fn short_text(text: &str) -> String {
    const MAX_CHARS: usize = 300;
    let start = text.trim_start();
    let is_page = start.get(..200).unwrap_or(start).to_ascii_lowercase();
    let is_page = is_page.starts_with("<!doctype") || is_page.contains("<html") || is_page.contains("<head");
    let plain = if is_page { page_title(text) } else { text.to_owned() };
    let visible = plain.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_CHARS {
        return line;
    }
    let cut: String = line.chars().take(MAX_CHARS).collect();
    format!("{cut}…")
}

fn page_title(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    let between = |open: &str, close: &str| {
        let from = lower.find(open)?;
        let from = from + lower[from..].find('>')? + 1;
        let to = from + lower[from..].find(close)?;
        Some(without_tags(&page[from..to])).filter(|text| !text.trim().is_empty())
    };
    let title = between("<title", "</title").or_else(|| between("<h1", "</h1"));
    title.map_or_else(|| "a web page".to_owned(), |title| format!("a web page titled \"{}\"", title.trim()))
}

fn without_tags(html: &str) -> String {
    let mut inside = false;
    let keep = |character: &char| {
        match character {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                return false;
            }
            _ => {}
        }
        !inside
    };
    html.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::{Complaint, short_text};

    #[test]
    fn the_message_is_found_in_every_vendors_shape() {
        let table = [
            (r#"{"error":{"message":"one","type":"t"}}"#, "one"),
            (r#"{"error":"two"}"#, "two"),
            (r#"{"object":"error","message":"three","code":400}"#, "three"),
            (r#"{"detail":"four"}"#, "four"),
            (r#"{"detail":[{"loc":["body","model"],"msg":"five"}]}"#, "body.model: five"),
            (r#"[{"error":{"message":"six"}}]"#, "six"),
            (
                r#"{"error":{"message":"Provider returned error","metadata":{"raw":"seven"}}}"#,
                "Provider returned error: seven",
            ),
            ("eight\n\u{1b}[31mred", "eight [31mred"),
            ("<html><head><title>502 Bad Gateway</title></head></html>", "a web page titled \"502 Bad Gateway\""),
            ("<!DOCTYPE html><body><h1>Not <b>here</b></h1>", "a web page titled \"Not here\""),
            ("<!doctype html><body></body>", "a web page"),
            ("", ""),
        ];
        for (body, message) in table {
            assert_eq!(Complaint::read(body.as_bytes()).message, message, "{body}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let text = short_text(&"ಕ".repeat(1000));
        assert_eq!(text.chars().count(), 301);
    }
}
