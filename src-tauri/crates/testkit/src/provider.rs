//! A model that says what the test wrote, and checks every request it gets.

use futures_util::StreamExt;
use namma_core::BoxFuture;
use namma_core::ports::{
    ModelCall, ModelEvent, ModelMessage, ModelRequest, ModelStream, Provider, ProviderError, StopReason,
};
use namma_protocol::{ToolCallId, Usage};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// What the model does in one step.
pub enum Step {
    /// These events, then the end of the stream.
    Events(Vec<Result<ModelEvent, ProviderError>>),
    /// The request fails before anything arrives.
    Refused(ProviderError),
    /// Events as the test pushes them; dropping the sender cuts the stream.
    Held(mpsc::UnboundedReceiver<Result<ModelEvent, ProviderError>>),
}

/// Says its steps in order; a request beyond the last one fails the test.
#[derive(Clone, Default)]
pub struct ScriptedProvider {
    steps: Arc<Mutex<VecDeque<Step>>>,
    requests: Arc<Mutex<Vec<ModelRequest>>>,
}

impl ScriptedProvider {
    pub fn says(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: Arc::new(Mutex::new(steps.into_iter().collect())), requests: Arc::default() }
    }

    pub fn push(&self, step: Step) {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).push_back(step);
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A step that answers with text.
pub fn text(text: &str) -> Step {
    Step::Events(vec![
        Ok(ModelEvent::Text(text.into())),
        Ok(ModelEvent::Usage(Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() })),
        Ok(ModelEvent::Stop(StopReason::End)),
    ])
}

/// A step that calls one tool.
pub fn call(name: &str, arguments: serde_json::Value) -> Step {
    calls("", [(name, arguments.to_string().as_str())])
}

/// A step with text before its calls; the arguments are raw text.
pub fn calls<'a>(preamble: &str, calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Step {
    let mut events = Vec::new();
    if !preamble.is_empty() {
        events.push(Ok(ModelEvent::Text(preamble.into())));
    }
    for (name, arguments) in calls {
        events.push(Ok(ModelEvent::ToolCall(model_call(name, arguments))));
    }
    events.push(Ok(ModelEvent::Stop(StopReason::ToolCalls)));
    Step::Events(events)
}

pub fn model_call(name: &str, arguments: &str) -> ModelCall {
    ModelCall { id: ToolCallId::fresh(), name: name.into(), arguments: arguments.into() }
}

/// A step the test feeds by hand.
pub fn held() -> (mpsc::UnboundedSender<Result<ModelEvent, ProviderError>>, Step) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (sender, Step::Held(receiver))
}

impl Provider for ScriptedProvider {
    fn label(&self) -> &str {
        "script"
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        assert_valid(&request.messages);
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let step = self.steps.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move {
            match step {
                Some(Step::Events(events)) => Ok(futures_util::stream::iter(events).boxed()),
                Some(Step::Refused(error)) => Err(error),
                Some(Step::Held(receiver)) => Ok(futures_util::stream::unfold(receiver, |mut receiver| async move {
                    receiver.recv().await.map(|event| (event, receiver))
                })
                .boxed()),
                None => Err(ProviderError::BadRequest { status: 400, message: "the script has no more steps".into() }),
            }
        })
    }
}

/// The laws of a conversation as vendors enforce them.
///
/// # Panics
/// When a call is not answered exactly once right after it, or a message is empty.
pub fn assert_valid(messages: &[ModelMessage]) {
    let mut open: Vec<&ToolCallId> = Vec::new();
    for message in messages {
        match message {
            ModelMessage::ToolResult { call_id, .. } => {
                let at = open.iter().position(|id| *id == call_id);
                assert!(at.is_some(), "a result without its call right before: {call_id}");
                open.retain(|id| *id != call_id);
            }
            ModelMessage::User { text, .. } => {
                assert!(open.is_empty(), "calls without a result: {open:?}");
                assert!(!text.is_empty(), "an empty message of the person");
            }
            ModelMessage::Assistant { text, calls, .. } => {
                assert!(open.is_empty(), "calls without a result: {open:?}");
                assert!(!text.is_empty() || !calls.is_empty(), "an empty message of the assistant");
                open = calls.iter().map(|call| &call.id).collect();
            }
        }
    }
    assert!(open.is_empty(), "calls without a result: {open:?}");
}
