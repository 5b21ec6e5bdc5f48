//! The loop: ask the model, run its tools through the gate, repeat, answer.
//!
//! Each thing is stored before the next begins. The words of a step are told as they stream in and
//! kept every half second; everything else is told once it is stored. On every path
//! each call gets exactly one result and the turn exactly one outcome.

use crate::gate::{ToolGate, TurnScope};
use crate::ports::{
    Clock, Entry, ModelMessage, ModelRequest, NewTurn, Provider, Replay, SessionStore, StopReason, StoreError,
    StoredTurn,
};
use crate::turn::calls::Round;
use crate::turn::handle::TurnHandle;
use crate::turn::history::model_messages;
use crate::turn::limits::{Breaker, TurnLimits};
use crate::turn::step::{StepCx, StepEnd, Thought};
use namma_protocol::{ApiError, ErrorCode, Limit, Mode, NoticeKind, ToolCallId, TurnEvent, TurnOutcome, Usage};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What one turn needs beyond its scope: read from the settings when it starts.
pub struct TurnInput {
    pub turn: NewTurn,
    pub system: String,
    pub provider: Arc<dyn Provider>,
    pub limits: TurnLimits,
}

/// Runs turns.
pub struct TurnEngine {
    pub(super) gate: Arc<ToolGate>,
    sessions: Arc<dyn SessionStore>,
    pub(super) clock: Arc<dyn Clock>,
}

impl TurnEngine {
    pub fn new(gate: Arc<ToolGate>, sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { gate, sessions, clock }
    }

    /// Stores the person's message and starts the turn. When this returns, the message is safe.
    ///
    /// # Errors
    /// When the message could not be stored, or another turn runs in the session.
    pub async fn start(
        self: &Arc<Self>,
        input: TurnInput,
        scope: TurnScope,
        parent: &CancellationToken,
        tasks: &TaskTracker,
    ) -> Result<TurnHandle, StoreError> {
        self.sessions.begin_turn(&input.turn).await?;
        let token = parent.child_token();
        let (steering, inbox) = mpsc::channel(16);
        let run = Run {
            engine: Arc::clone(self),
            input,
            scope,
            cancel: token.clone(),
            inbox,
            past: Vec::new(),
            entries: Vec::new(),
            usage: Usage::default(),
            replays: HashMap::new(),
        };
        let task = tasks.spawn(run.live());
        Ok(TurnHandle { guard: token.clone().drop_guard(), token, steering, task })
    }
}

/// One turn on its way.
pub(super) struct Run {
    pub(super) engine: Arc<TurnEngine>,
    pub(super) input: TurnInput,
    pub(super) scope: TurnScope,
    pub(super) cancel: CancellationToken,
    inbox: mpsc::Receiver<String>,
    /// Earlier turns, read once.
    past: Vec<StoredTurn>,
    /// This turn's entries, each already stored.
    entries: Vec<Entry>,
    usage: Usage,
    /// What the vendor wants to see again, by the first call of its message.
    pub(super) replays: HashMap<ToolCallId, Replay>,
}

impl Run {
    async fn live(mut self) -> TurnOutcome {
        let turn = &self.input.turn;
        self.emit(TurnEvent::TurnStarted {
            user_text: turn.user_text.clone(),
            model: turn.model.clone(),
            mode: turn.mode,
            started_at: turn.started_at,
        });
        let mut outcome = match self.drive().await {
            Ok(outcome) => outcome,
            Err(error) => TurnOutcome::Failed { error: error.to_api_error(), text: String::new() },
        };
        let finished_at = self.engine.clock.now();
        let finish = self.engine.sessions.finish_turn(&self.input.turn.turn_id, &outcome, &self.usage, finished_at);
        if let Err(error) = finish.await {
            tracing::error!(%error, "the end of a turn could not be stored");
            outcome = TurnOutcome::Failed { error: error.to_api_error(), text: String::new() };
        }
        self.emit(TurnEvent::TurnFinished { outcome: outcome.clone(), finished_at });
        outcome
    }

    async fn drive(&mut self) -> Result<TurnOutcome, StoreError> {
        self.read_past().await?;
        let mut breaker = Breaker::default();
        let mut steps = 0;
        let mut nudged = false;
        let mut unchecked_change = false;
        loop {
            self.take_steering().await?;
            if self.input.limits.steps.is_some_and(|limit| steps >= limit) {
                return Ok(TurnOutcome::LimitReached { limit: Limit::Steps, text: self.last_text() });
            }
            steps += 1;
            let thought = match self.think(nudged && unchecked_change).await {
                Ok(thought) => thought,
                Err(end) => return self.end_early(end).await,
            };
            self.add_usage(&thought.usage);
            if thought.stop == Some(StopReason::Length) || thought.stop == Some(StopReason::ContentFilter) {
                return self.end_cut(thought).await;
            }
            if thought.calls.is_empty() {
                let ask_to_check = self.input.limits.verify_changes && unchecked_change && !nudged;
                let more = ask_to_check || !self.inbox.is_empty();
                let text = thought.text.clone();
                if !self.keep_text(thought, more).await? {
                    return Ok(TurnOutcome::Failed { error: empty_answer(), text });
                }
                if !more {
                    return Ok(TurnOutcome::Answered { text });
                }
                if ask_to_check {
                    nudged = true;
                    let text = "Checking what was changed.".to_owned();
                    self.emit(TurnEvent::Notice { kind: NoticeKind::Verifying, text });
                }
                continue;
            }
            match self.run_calls(thought, &mut breaker, &mut unchecked_change).await? {
                Round::Go => {}
                Round::Cancelled => return Ok(TurnOutcome::Cancelled { text: String::new() }),
                Round::Repeats => {
                    return Ok(TurnOutcome::LimitReached { limit: Limit::Repetition, text: self.last_text() });
                }
            }
        }
    }

    async fn read_past(&mut self) -> Result<(), StoreError> {
        let turn = &self.input.turn;
        // One more than is sent tells whether something is left out.
        let limit = self.input.limits.history_turns.saturating_add(1);
        self.past = self.engine.sessions.turns(&turn.session_id, Some(&turn.turn_id), limit).await?;
        if self.past.len() >= limit as usize {
            self.past.remove(0);
            let text = "The oldest messages of this chat did not go into the request.".to_owned();
            self.emit(TurnEvent::Notice { kind: NoticeKind::Shortened, text });
        }
        for stored in &self.past {
            self.scope.add_owner_text(&stored.turn.user_text);
            for entry in &stored.entries {
                if let Entry::Result { taint, .. } = entry {
                    self.scope.add_taint(*taint);
                }
            }
        }
        self.scope.add_owner_text(&self.input.turn.user_text);
        Ok(())
    }

    /// Messages the person added while the turn ran.
    async fn take_steering(&mut self) -> Result<(), StoreError> {
        while let Ok(text) = self.inbox.try_recv() {
            self.scope.add_owner_text(&text);
            self.store(Entry::User { text: text.clone() }).await?;
            self.emit(TurnEvent::UserMessageAdded { text });
        }
        Ok(())
    }

    async fn think(&self, check: bool) -> Result<Thought, StepEnd> {
        let cx = StepCx {
            provider: self.input.provider.as_ref(),
            sessions: self.engine.sessions.as_ref(),
            clock: self.engine.clock.as_ref(),
            events: self.scope.events().as_ref(),
            limits: &self.input.limits,
            turn: &self.input.turn.turn_id,
            cancel: &self.cancel,
        };
        cx.think(&self.request(check)).await
    }

    fn request(&self, check: bool) -> ModelRequest {
        let now = StoredTurn {
            turn: self.input.turn.clone(),
            entries: self.entries.clone(),
            usage: Usage::default(),
            outcome: None,
            finished_at: None,
        };
        let mut messages = model_messages(&self.past);
        let mut of_this_turn = model_messages(std::slice::from_ref(&now));
        for message in &mut of_this_turn {
            if let ModelMessage::Assistant { calls, replay, .. } = message {
                *replay = calls.first().and_then(|call| self.replays.get(&call.id)).cloned();
            }
        }
        messages.append(&mut of_this_turn);
        let mut messages = joined(messages);
        if check {
            messages.push(ModelMessage::User { text: CHECK.into() });
        }
        let tools = match self.input.turn.mode {
            Mode::Agent => self.engine.gate.specs(&self.scope),
            Mode::Chat => Vec::new(),
        };
        ModelRequest {
            model: self.input.turn.model.clone(),
            system: self.input.system.clone(),
            messages,
            tools,
            max_output_tokens: self.input.limits.max_output_tokens,
        }
    }

    /// Stores and tells the text of a step without calls. `false` when there is none.
    async fn keep_text(&mut self, thought: Thought, more: bool) -> Result<bool, StoreError> {
        if thought.text.trim().is_empty() {
            return Ok(false);
        }
        self.store(assistant(thought.text, thought.thinking, false)).await?;
        self.emit(TurnEvent::TextEnded { preamble: more });
        Ok(true)
    }

    /// The step was stopped or failed: what had arrived is kept and marked.
    async fn end_early(&mut self, end: StepEnd) -> Result<TurnOutcome, StoreError> {
        let (thought, error) = match end {
            StepEnd::Cancelled(thought) => (thought, None),
            StepEnd::Failed(error, thought) => (thought, Some(error.to_api_error(self.input.provider.label()))),
        };
        self.add_usage(&thought.usage);
        let text = thought.text.clone();
        if !text.trim().is_empty() {
            self.store(assistant(thought.text, thought.thinking, true)).await?;
        }
        Ok(match error {
            None => TurnOutcome::Cancelled { text },
            Some(error) => TurnOutcome::Failed { error, text },
        })
    }

    /// The model was cut off by its own cap or filter. Its calls may be incomplete and never run.
    async fn end_cut(&mut self, thought: Thought) -> Result<TurnOutcome, StoreError> {
        let (stop, text) = (thought.stop.clone(), thought.text.clone());
        if !text.trim().is_empty() {
            self.store(assistant(thought.text, thought.thinking, true)).await?;
        }
        Ok(if stop == Some(StopReason::Length) {
            TurnOutcome::LimitReached { limit: Limit::OutputTokens, text }
        } else {
            let error = crate::ports::ProviderError::ContentFiltered { message: String::new() };
            TurnOutcome::Failed { error: error.to_api_error(self.input.provider.label()), text }
        })
    }

    pub(super) async fn store(&mut self, entry: Entry) -> Result<(), StoreError> {
        self.engine.sessions.append(&self.input.turn.turn_id, std::slice::from_ref(&entry)).await?;
        self.entries.push(entry);
        Ok(())
    }

    fn add_usage(&mut self, usage: &Usage) {
        if *usage == Usage::default() {
            return;
        }
        self.usage.input_tokens = self.usage.input_tokens.saturating_add(usage.input_tokens);
        self.usage.output_tokens = self.usage.output_tokens.saturating_add(usage.output_tokens);
        self.usage.cached_tokens = self.usage.cached_tokens.saturating_add(usage.cached_tokens);
        self.usage.reasoning_tokens = self.usage.reasoning_tokens.saturating_add(usage.reasoning_tokens);
        self.emit(TurnEvent::UsageUpdated { usage: self.usage });
    }

    fn last_text(&self) -> String {
        let texts = self.entries.iter().rev().filter_map(|entry| match entry {
            Entry::Assistant { text, .. } if !text.is_empty() => Some(text.clone()),
            Entry::Assistant { .. } | Entry::Result { .. } | Entry::User { .. } => None,
        });
        texts.into_iter().next().unwrap_or_default()
    }

    pub(super) fn emit(&self, event: TurnEvent) {
        self.scope.events().emit(event);
    }
}

/// What the loop tells a model that changed files and did not look at them afterwards. A provider
/// that is no model knows by it that no person speaks.
pub const CHECK: &str = "You changed files and did not look at them afterwards. Check now that they are as intended, \
with a tool, and then give the final answer. If a check is not possible, say so in the answer.";

fn assistant(text: String, thinking: String, stopped: bool) -> Entry {
    Entry::Assistant { text, thinking, calls: Vec::new(), stopped, taint: crate::trust::TaintSet::CLEAN }
}

/// Past and present meet where both may hold a message of the same side.
fn joined(messages: Vec<ModelMessage>) -> Vec<ModelMessage> {
    let mut out: Vec<ModelMessage> = Vec::with_capacity(messages.len());
    for message in messages {
        if let (Some(ModelMessage::User { text: before }), ModelMessage::User { text }) = (out.last_mut(), &message) {
            before.push_str("\n\n");
            before.push_str(text);
        } else {
            out.push(message);
        }
    }
    out
}

fn empty_answer() -> ApiError {
    ApiError::new(ErrorCode::EmptyAnswer, "the model answered with nothing")
        .hint("Try again, or put the question in other words.")
}
