//! One request to the model: streamed, kept while it streams, and made again when that is safe.

#![allow(clippy::result_large_err, reason = "an end carries what had arrived, and happens once a step")]

use crate::ports::{Clock, TurnEvents};
use crate::ports::{
    ModelCall, ModelEvent, ModelRequest, ModelStream, Provider, ProviderError, Replay, SessionStore, StopReason,
};
use crate::turn::limits::TurnLimits;
use futures_util::StreamExt;
use namma_protocol::{NoticeKind, TurnEvent, TurnId, Usage};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What the model said in one step.
#[derive(Debug, Default)]
pub(crate) struct Thought {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) calls: Vec<ModelCall>,
    pub(crate) replay: Option<Replay>,
    pub(crate) usage: Usage,
    /// What attempts used that were made again.
    pub(crate) used_before: Usage,
    pub(crate) stop: Option<StopReason>,
}

impl Thought {
    pub(crate) fn all_used(&self) -> Usage {
        self.usage.plus(self.used_before)
    }
}

/// Why a step did not end well; what had arrived comes with it.
#[derive(Debug)]
pub(crate) enum StepEnd {
    Cancelled(Thought),
    Failed(ProviderError, Thought),
}

/// What a step works with.
pub(crate) struct StepCx<'a> {
    pub(crate) provider: &'a dyn Provider,
    pub(crate) sessions: &'a dyn SessionStore,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) events: &'a dyn TurnEvents,
    pub(crate) limits: &'a TurnLimits,
    pub(crate) turn: &'a TurnId,
    pub(crate) cancel: &'a CancellationToken,
}

impl StepCx<'_> {
    /// Asks the model. A request is made again only while the reader has seen no word of it.
    pub(crate) async fn think(&self, request: &ModelRequest) -> Result<Thought, StepEnd> {
        let mut attempt = 0;
        let mut used_before = Usage::default();
        loop {
            let (error, thought) = match self.attempt(request).await {
                Ok(thought) => return Ok(Thought { used_before, ..thought }),
                Err(StepEnd::Failed(error, thought)) => (error, Thought { used_before, ..thought }),
                Err(StepEnd::Cancelled(thought)) => return Err(StepEnd::Cancelled(Thought { used_before, ..thought })),
            };
            let seen = !thought.text.trim().is_empty() || !thought.calls.is_empty();
            let Some(wait) = self.wait_before_retry(&error, attempt).filter(|_| !seen) else {
                return Err(StepEnd::Failed(error, thought));
            };
            attempt += 1;
            used_before = thought.all_used();
            self.events.emit(TurnEvent::StepRestarted);
            self.events.emit(notice_of(&error, wait, self.provider.label()));
            tracing::info!(attempt, wait_ms = wait.as_millis(), code = ?error.to_api_error("").code, "the request is made again");
            if self.cancel.run_until_cancelled(self.clock.sleep(wait)).await.is_none() {
                return Err(StepEnd::Cancelled(Thought { used_before, ..Thought::default() }));
            }
        }
    }

    fn wait_before_retry(&self, error: &ProviderError, attempt: u32) -> Option<Duration> {
        if !error.is_transient() || attempt >= self.limits.retries {
            return None;
        }
        let jitter = Duration::from_millis(u64::try_from(uuid::Uuid::new_v4().as_u128() % 250).unwrap_or(0));
        let wait = match error.retry_after() {
            Some(wait) => wait + jitter / 4,
            None => Duration::from_millis(500) * 2u32.pow(attempt.min(6)) + jitter,
        };
        (wait <= self.limits.longest_wait).then_some(wait)
    }

    async fn attempt(&self, request: &ModelRequest) -> Result<Thought, StepEnd> {
        let opening = self.cancel.run_until_cancelled(self.provider.stream(request.clone())).await;
        let mut stream = match opening {
            None => return Err(StepEnd::Cancelled(Thought::default())),
            Some(Err(error)) => return Err(StepEnd::Failed(error, Thought::default())),
            Some(Ok(stream)) => stream,
        };
        let mut thought = Thought::default();
        let mut keeper = Keeper::default();
        loop {
            let next = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return Err(StepEnd::Cancelled(thought)),
                next = stream.next() => next,
                () = self.clock.sleep(self.limits.keep_partial_every), if keeper.kept < thought.text.len() => {
                    self.keep(&thought, &mut keeper).await;
                    continue;
                }
            };
            match next {
                Some(Ok(event)) => self.take(event, &mut thought)?,
                Some(Err(error)) => return Err(StepEnd::Failed(error, thought)),
                None => return finish(thought, stream),
            }
            if keeper.kept < thought.text.len() && self.clock.now().0 >= keeper.next_at {
                self.keep(&thought, &mut keeper).await;
            }
        }
    }

    fn take(&self, event: ModelEvent, thought: &mut Thought) -> Result<(), StepEnd> {
        match event {
            ModelEvent::Text(text) => {
                if text.is_empty() {
                    return Ok(());
                }
                thought.text.push_str(&text);
                self.events.emit(TurnEvent::TextDelta { text });
            }
            ModelEvent::Thinking(text) => {
                thought.thinking.push_str(&text);
                self.events.emit(TurnEvent::ThinkingDelta { text });
            }
            ModelEvent::ToolCall(call) => thought.calls.push(call),
            ModelEvent::Replay(replay) => thought.replay = Some(replay),
            ModelEvent::Usage(usage) => thought.usage = usage,
            ModelEvent::Stop(reason) => thought.stop = Some(reason),
        }
        if thought.text.len() + thought.thinking.len() > self.limits.step_bytes {
            let what = format!("more than {} MB in one answer", self.limits.step_bytes / 1024 / 1024);
            return Err(StepEnd::Failed(ProviderError::Malformed { what }, std::mem::take(thought)));
        }
        Ok(())
    }

    /// Keeps what has arrived. A failure here is not the end: the whole text is stored at the end
    /// of the step, and that failure is.
    async fn keep(&self, thought: &Thought, keeper: &mut Keeper) {
        keeper.kept = thought.text.len();
        let every = i64::try_from(self.limits.keep_partial_every.as_millis()).unwrap_or(500);
        keeper.next_at = self.clock.now().0 + every;
        if let Err(error) = self.sessions.save_partial(self.turn, &thought.text).await {
            tracing::warn!(%error, "the partial text could not be kept");
        }
    }
}

/// How much of the text is kept, and when it is due again.
#[derive(Default)]
struct Keeper {
    kept: usize,
    next_at: i64,
}

fn finish(thought: Thought, stream: ModelStream) -> Result<Thought, StepEnd> {
    drop(stream);
    if thought.stop.is_none() {
        let error = ProviderError::StreamCut { cause: "the stream ended without saying why".into() };
        return Err(StepEnd::Failed(error, thought));
    }
    Ok(thought)
}

fn notice_of(error: &ProviderError, wait: Duration, label: &str) -> TurnEvent {
    let seconds = wait.as_secs().max(1);
    let (kind, text) = match error {
        ProviderError::RateLimited { .. } => (NoticeKind::Waiting, format!("{label} asks us to wait {seconds} s.")),
        _ => (NoticeKind::Retrying, format!("{}. Trying again in {seconds} s.", capital(&error.to_string()))),
    };
    TurnEvent::Notice { kind, text }
}

/// With a capital letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
