//! One answer of a model on the wire of each vendor, in the ways that servers differ by.
//!
//! A [`WireAnswer`] says what the model said; a [`Wire`] says it in a dialect and a style; a
//! [`Framing`] makes bytes of it. The same answer must come out of an adapter whatever the wire.
//! A new way to say the same is a field of a style.

mod chat;
mod contents;
mod framing;
mod messages;
mod responses;

pub use chat::{ChatArguments, ChatIds, ChatIndex, ChatStyle, ChatThinking, ChatUsage};
pub use contents::ContentsStyle;
pub use framing::Framing;
pub use messages::{MessagesInput, MessagesStyle};
pub use responses::ResponsesStyle;

use crate::heard::Heard;
use namma_core::ports::StopReason;
use namma_protocol::Usage;
use serde_json::Value;

/// What a model says in one step, in no dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct WireAnswer {
    pub parts: Vec<WirePart>,
    pub input_tokens: u32,
    pub output_tokens: u32,
    pub end: WireEnd,
}

/// A piece of text or of thinking, or a whole call.
#[derive(Clone, Debug, PartialEq)]
pub enum WirePart {
    Text(String),
    Thinking(String),
    Call { name: String, arguments: Value },
}

/// Why the model stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireEnd {
    /// It is done, or waits for the results of its calls.
    Whole,
    /// It may write no more.
    Length,
}

/// A dialect and how a server speaks it.
#[derive(Clone, Debug, PartialEq)]
pub enum Wire {
    Chat(ChatStyle),
    Messages(MessagesStyle),
    Contents(ContentsStyle),
    Responses(ResponsesStyle),
}

/// One event before it is bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Empty where the vendor names no events.
    pub name: String,
    pub data: String,
}

impl WireAnswer {
    /// An answer that ends well.
    pub fn of(parts: impl IntoIterator<Item = WirePart>) -> Self {
        Self { parts: parts.into_iter().collect(), input_tokens: 100, output_tokens: 42, end: WireEnd::Whole }
    }

    /// An answer of each kind of part, with text of many bytes a letter and two calls.
    pub fn rich() -> Self {
        let call = |name: &str, arguments: Value| WirePart::Call { name: name.to_owned(), arguments };
        Self::of([
            WirePart::Thinking("ಯೋಚಿಸು 🤔".to_owned()),
            WirePart::Text("I will ".to_owned()),
            WirePart::Text("\"look\" 🙏\r\n.".to_owned()),
            call("read_file", serde_json::json!({ "path": "ಕಡತ.txt", "lines": [1, 20] })),
            call("list_dir", serde_json::json!({})),
        ])
    }

    /// A short answer of each kind of part, to be cut at every byte.
    pub fn brief() -> Self {
        let arguments = serde_json::json!({ "p": "ಕ" });
        Self::of([
            WirePart::Thinking("ಯೋ".to_owned()),
            WirePart::Text("\"🙏\r\n".to_owned()),
            WirePart::Call { name: "f".to_owned(), arguments },
        ])
    }

    /// What an adapter must make of it. Calls of an answer that was cut off are not given.
    pub fn heard(&self) -> Heard {
        let mut heard = Heard::default();
        for part in &self.parts {
            match part {
                WirePart::Text(text) => heard.text.push_str(text),
                WirePart::Thinking(text) => heard.thinking.push_str(text),
                WirePart::Call { name, arguments } => heard.calls.push((name.clone(), arguments.to_string())),
            }
        }
        heard.stop = Some(match self.end {
            WireEnd::Length => StopReason::Length,
            WireEnd::Whole if heard.calls.is_empty() => StopReason::End,
            WireEnd::Whole => StopReason::ToolCalls,
        });
        if self.end == WireEnd::Length {
            heard.calls.clear();
        }
        let (input_tokens, output_tokens) = (self.input_tokens, self.output_tokens);
        heard.usage = Some(Usage { input_tokens, output_tokens, ..Usage::default() });
        heard
    }

    fn has_calls(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, WirePart::Call { .. }))
    }
}

impl Wire {
    /// The wires as the vendors themselves speak.
    pub fn usual() -> [Self; 4] {
        [
            Self::Chat(ChatStyle::default()),
            Self::Messages(MessagesStyle::default()),
            Self::Contents(ContentsStyle::default()),
            Self::Responses(ResponsesStyle::default()),
        ]
    }

    /// The events of a whole answer.
    pub fn frames(&self, answer: &WireAnswer) -> Vec<Frame> {
        match self {
            Self::Chat(style) => style.frames(answer),
            Self::Messages(style) => style.frames(answer),
            Self::Contents(style) => style.frames(answer),
            Self::Responses(style) => style.frames(answer),
        }
    }

    /// The same answer of a server that does not stream.
    pub fn document(&self, answer: &WireAnswer) -> Value {
        match self {
            Self::Chat(style) => style.document(answer),
            Self::Messages(style) => style.document(answer),
            Self::Contents(style) => style.document(answer),
            Self::Responses(style) => style.document(answer),
        }
    }

    /// The vendor breaks off with words of its own.
    pub fn fault(&self, message: &str) -> Frame {
        match self {
            Self::Chat(_) => {
                Frame::new("", &serde_json::json!({ "error": { "message": message, "type": "server_error" } }))
            }
            Self::Messages(_) => {
                let error = serde_json::json!({ "type": "api_error", "message": message });
                Frame::typed(&serde_json::json!({ "type": "error", "error": error }))
            }
            Self::Contents(_) => {
                let error = serde_json::json!({ "code": 500, "status": "INTERNAL", "message": message });
                Frame::new("", &serde_json::json!({ "error": error }))
            }
            Self::Responses(_) => {
                Frame::typed(&serde_json::json!({ "type": "error", "code": "server_error", "message": message }))
            }
        }
    }

    /// How the vendor frames its events.
    pub fn framing(&self) -> Framing {
        match self {
            Self::Contents(_) => Framing { line_end: "\r\n", ..Framing::default() },
            Self::Chat(_) | Self::Messages(_) | Self::Responses(_) => Framing::default(),
        }
    }

    /// The bytes of a whole answer as the vendor sends it.
    pub fn bytes(&self, answer: &WireAnswer) -> Vec<u8> {
        self.framing().bytes(&self.frames(answer))
    }
}

impl Frame {
    fn new(name: &str, data: &Value) -> Self {
        Self { name: name.to_owned(), data: data.to_string() }
    }

    /// Named by its own type, as Anthropic and OpenAI do.
    fn typed(data: &Value) -> Self {
        Self::new(data["type"].as_str().unwrap_or_default(), data)
    }

    fn plain(data: &str) -> Self {
        Self { name: String::new(), data: data.to_owned() }
    }
}

/// A text in pieces of a few letters.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(5).map(|piece| piece.iter().collect()).collect()
}
