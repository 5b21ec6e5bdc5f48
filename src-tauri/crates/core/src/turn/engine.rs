//! The loop: ask the model, run its tools through the gate, repeat, answer.
//!
//! Each thing is stored before the next begins. The words of a step are told as they stream in and
//! kept every half second; everything else is told once it is stored. On every path
//! each call gets exactly one result and the turn exactly one outcome.

use crate::gate::{ToolGate, TurnScope};
use crate::ports::{Clock, Entry, NewTurn, Replay, SessionStore, StopReason, StoreError, StoredTurn, micros};
use crate::prompt::SystemPrompt;
use crate::turn::ask::AskEnd;
use crate::turn::books::{Allowance, Books};
use crate::turn::brain::{Brain, BrainWatch, Brains};
use crate::turn::calls::Round;
use crate::turn::contents::Contents;
use crate::turn::context::{LeftOut, Meter};
use crate::turn::handle::{Steering, TurnHandle};
use crate::turn::limits::{Breaker, TurnLimits};
use crate::turn::step::{StepEnd, Thought};
use namma_protocol::{ApiError, ErrorCode, Limit, NoticeKind, ThinkLevel, ToolCallId, TurnEvent, TurnOutcome, Usage};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What one turn needs beyond its scope: read from the settings when it starts.
pub struct TurnInput {
    pub turn: NewTurn,
    pub system: SystemPrompt,
    pub brains: Brains,
    pub think: ThinkLevel,
    pub limits: TurnLimits,
    pub allowance: Allowance,
    pub watch: Arc<dyn BrainWatch>,
}

/// Runs turns.
pub struct TurnEngine {
    pub(super) gate: Arc<ToolGate>,
    pub(super) sessions: Arc<dyn SessionStore>,
    pub(super) clock: Arc<dyn Clock>,
    /// By connection and model.
    pub(super) learned: Mutex<HashMap<(String, String), Learned>>,
}

/// What was learned of a model by asking it.
#[derive(Default)]
pub(super) struct Learned {
    /// How it counts tokens.
    pub(super) meter: Meter,
    pub(super) has_no_tools: bool,
    pub(super) window: Option<u32>,
}

impl TurnEngine {
    pub fn new(gate: Arc<ToolGate>, sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { gate, sessions, clock, learned: Mutex::default() }
    }

    /// Forgets what was learned of models: how they are reached has changed, or they answer anew.
    pub fn forget_learned(&self) {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
            contents: Contents::default(),
            books: Books::default(),
            replays: HashMap::new(),
            room: None,
            told_left_out: None,
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
    inbox: mpsc::Receiver<Steering>,
    /// Earlier turns, read once.
    pub(super) past: Vec<StoredTurn>,
    /// This turn's entries, each already stored.
    pub(super) entries: Vec<Entry>,
    /// What was attached to the messages of this and earlier turns.
    pub(super) contents: Contents,
    books: Books,
    /// What the vendor wants to see again, by the first call of its message.
    pub(super) replays: HashMap<ToolCallId, Replay>,
    /// Tokens for the messages, once the model said that there were too many.
    pub(super) room: Option<u32>,
    /// The most of what the person was told that requests leave out.
    pub(super) told_left_out: Option<LeftOut>,
}

impl Run {
    async fn live(mut self) -> TurnOutcome {
        let turn = &self.input.turn;
        self.emit(TurnEvent::TurnStarted {
            user_text: turn.user_text.clone(),
            attachments: turn.attachments.clone(),
            model: turn.model.clone(),
            mode: turn.mode,
            started_at: turn.started_at,
        });
        let mut outcome = match self.drive().await {
            Ok(outcome) => outcome,
            Err(error) => TurnOutcome::Failed { error: error.to_api_error(), text: String::new() },
        };
        let finished_at = self.engine.clock.now();
        let finish =
            self.engine.sessions.finish_turn(&self.input.turn.turn_id, &outcome, self.books.spent(), finished_at);
        if let Err(error) = finish.await {
            tracing::error!(%error, "the end of a turn could not be stored");
            outcome = TurnOutcome::Failed { error: error.to_api_error(), text: String::new() };
        }
        self.emit(TurnEvent::TurnFinished { outcome: outcome.clone(), finished_at });
        outcome
    }

    async fn drive(&mut self) -> Result<TurnOutcome, StoreError> {
        self.read_past().await?;
        if let Some(reasons) = self.input.brains.detour.take() {
            self.continue_with(reasons).await?;
        }
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
            if let Some(text) = self.over_the_limit() {
                self.emit(TurnEvent::Notice { kind: NoticeKind::Spending, text });
                return Ok(TurnOutcome::LimitReached { limit: Limit::Spending, text: self.last_text() });
            }
            let thought = match self.think(nudged && unchecked_change).await {
                Ok(thought) => thought,
                Err(AskEnd::Step(end)) => return self.end_early(*end).await,
                Err(AskEnd::Store(error)) => return Err(error),
            };
            self.add_usage(thought.all_used());
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
            self.tell_left_out(LeftOut::Turns);
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
        self.load_past().await
    }

    /// Messages the person added while the turn ran.
    async fn take_steering(&mut self) -> Result<(), StoreError> {
        while let Ok(Steering { text, attachments }) = self.inbox.try_recv() {
            self.scope.add_owner_text(&text);
            self.store(Entry::User { text: text.clone(), attachments: attachments.clone() }).await?;
            self.load(&attachments).await?;
            self.emit(TurnEvent::UserMessageAdded { text, attachments });
        }
        Ok(())
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
            StepEnd::Failed(error, thought) => (thought, Some(error.to_api_error(self.brain().provider.label()))),
        };
        self.add_usage(thought.all_used());
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
            TurnOutcome::Failed { error: error.to_api_error(self.brain().provider.label()), text }
        })
    }

    /// Which limit on spending is reached. A model that costs nothing may go on.
    fn over_the_limit(&self) -> Option<String> {
        self.brain().info.price?;
        self.books.over(&self.input.allowance)
    }

    pub(super) async fn store(&mut self, mut entry: Entry) -> Result<(), StoreError> {
        let (turn, spent) = (&self.input.turn.turn_id, self.books.spent());
        self.engine.sessions.append(turn, std::slice::from_ref(&entry), spent).await?;
        if let Entry::Result { whole, .. } = &mut entry {
            // Only `open_result` reads it, from the store.
            *whole = None;
        }
        self.entries.push(entry);
        Ok(())
    }

    pub(super) fn add_usage(&mut self, usage: Usage) {
        if usage == Usage::default() {
            return;
        }
        let Brain { model, info, .. } = &self.input.brains.first;
        self.books.add(model, info, usage);
        let cost_micros = self.books.cost_nanos().map(micros);
        self.emit(TurnEvent::UsageUpdated { usage: self.books.usage(), cost_micros });
    }

    fn last_text(&self) -> String {
        let texts = self.entries.iter().rev().filter_map(|entry| match entry {
            Entry::Assistant { text, .. } if !text.is_empty() => Some(text.clone()),
            Entry::Assistant { .. } | Entry::Result { .. } | Entry::User { .. } | Entry::ContinuedWith { .. } => None,
        });
        texts.into_iter().next().unwrap_or_default()
    }

    pub(super) fn emit(&self, event: TurnEvent) {
        self.scope.events().emit(event);
    }
}

fn assistant(text: String, thinking: String, stopped: bool) -> Entry {
    Entry::Assistant { text, thinking, calls: Vec::new(), stopped, taint: crate::trust::TaintSet::CLEAN }
}

fn empty_answer() -> ApiError {
    ApiError::new(ErrorCode::EmptyAnswer, "the model answered with nothing")
        .hint("Try again, or put the question in other words.")
}
