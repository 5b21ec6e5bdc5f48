use futures_util::{Stream, StreamExt};
use namma_core::ports::{ModelCall, ModelEvent, ProviderError, StopReason};
use namma_protocol::Usage;
use std::pin::pin;

/// Everything one step of a model said, joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    pub text: String,
    pub thinking: String,
    /// Name and arguments.
    pub calls: Vec<(String, String)>,
    pub usage: Option<Usage>,
    pub stop: Option<StopReason>,
    pub error: Option<ProviderError>,
}

impl Heard {
    /// A step that ended as it should, with nothing but text and the usage of a scripted server.
    pub fn text(text: &str) -> Self {
        Self { text: text.to_owned(), stop: Some(StopReason::End), usage: Some(tokens(10, 5)), ..Self::default() }
    }

    /// A step that ended with these calls and the usage of a scripted server.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        let calls = calls.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned())).collect();
        Self { calls, stop: Some(StopReason::ToolCalls), usage: Some(tokens(10, 5)), ..Self::default() }
    }

    /// A step that failed before it said anything.
    pub fn failed(error: ProviderError) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    /// Listens to a step until its end.
    ///
    /// # Panics
    /// When anything follows the reason to stop or an error, or two calls have one id.
    pub async fn listen(events: impl Stream<Item = Result<ModelEvent, ProviderError>>) -> Self {
        let mut events = pin!(events);
        let mut heard = Self::default();
        let mut ids = Vec::new();
        while let Some(event) = events.next().await {
            assert!(heard.stop.is_none() && heard.error.is_none(), "{event:?} came after the end of {heard:?}");
            match event {
                Ok(ModelEvent::Text(text)) => heard.text.push_str(&text),
                Ok(ModelEvent::Thinking(text)) => heard.thinking.push_str(&text),
                Ok(ModelEvent::ToolCall(ModelCall { id, name, arguments })) => {
                    assert!(!ids.contains(&id), "each call has an id of its own");
                    ids.push(id);
                    heard.calls.push((name, arguments));
                }
                Ok(ModelEvent::Usage(usage)) => heard.usage = Some(usage),
                Ok(ModelEvent::Replay(_)) => {}
                Ok(ModelEvent::Stop(reason)) => heard.stop = Some(reason),
                Err(error) => heard.error = Some(error),
            }
        }
        heard
    }
}

fn tokens(input_tokens: u32, output_tokens: u32) -> Usage {
    Usage { input_tokens, output_tokens, ..Usage::default() }
}
