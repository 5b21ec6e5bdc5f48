//! Asking for one step: the request within the model's room, and the next model when one fails.

use crate::ports::{Entry, ModelMessage, ModelRequest, ProviderError, StoreError, StoredTurn, Thinking};
use crate::prompt::thinking_section;
use crate::turn::brain::{Brain, losses};
use crate::turn::context::{self, LeftOut, Meter};
use crate::turn::engine::{Learned, Run};
use crate::turn::step::{StepCx, StepEnd, Thought, capital};
use namma_protocol::{Mode, NoticeKind, TurnEvent, Usage};
use std::sync::PoisonError;

/// Of the model's room, kept free for what the guess misses.
const MARGIN: f64 = 0.05;

/// Kept free for the answer when nobody says how long it may be.
const USUAL_ANSWER_TOKENS: u32 = 4096;

/// An answer that may not even be so long is no answer.
const LEAST_ANSWER_TOKENS: u32 = 256;

/// Why a step was not made, or could not be kept.
pub(super) enum AskEnd {
    Step(Box<StepEnd>),
    Store(StoreError),
}

impl From<StoreError> for AskEnd {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Run {
    /// The next step of the model. One that says that the conversation is too long is asked once
    /// more with less of it; where it does not answer at all, the next model is asked.
    pub(super) async fn think(&mut self, check: bool) -> Result<Thought, AskEnd> {
        loop {
            let request = self.request(check);
            let meter = self.meter();
            let guessed = meter.request(&request);
            self.emit(TurnEvent::ContextMeasured { tokens: guessed, window: self.window() });
            let cx = StepCx {
                provider: self.brain().provider.as_ref(),
                sessions: self.engine.sessions.as_ref(),
                clock: self.engine.clock.as_ref(),
                events: self.scope.events().as_ref(),
                limits: &self.input.limits,
                turn: &self.input.turn.turn_id,
                cancel: &self.cancel,
            };
            let (error, thought) = match cx.think(&request).await {
                Ok(thought) => {
                    self.with_learned(|learned| learned.meter.learn(meter, guessed, thought.usage.input_tokens));
                    self.input.watch.answered(&self.brain().connection).await;
                    return Ok(thought);
                }
                Err(StepEnd::Failed(error, thought)) => (error, thought),
                Err(cancelled) => return Err(AskEnd::Step(Box::new(cancelled))),
            };
            let seen = !thought.text.trim().is_empty() || !thought.calls.is_empty();
            if matches!(error, ProviderError::ToolsUnsupported { .. }) && !request.tools.is_empty() {
                self.add_usage(thought.all_used());
                self.go_without_tools();
                continue;
            }
            if let ProviderError::ContextTooLong { message } = &error {
                if !seen && self.tighten(message, &request, meter) {
                    self.add_usage(thought.all_used());
                    self.emit(TurnEvent::StepRestarted);
                    continue;
                }
            } else {
                self.input.watch.failed(&self.brain().connection, &error).await;
            }
            if seen || !error.may_be_answered_elsewhere() || self.input.brains.rest.is_empty() {
                return Err(AskEnd::Step(Box::new(StepEnd::Failed(error, thought))));
            }
            // Whoever used it pays for it.
            self.add_usage(thought.all_used());
            self.next_brain(&error, &request).await?;
        }
    }

    pub(super) fn brain(&self) -> &Brain {
        &self.input.brains.first
    }

    /// Goes on with the next model, when there is one.
    async fn next_brain(&mut self, error: &ProviderError, request: &ModelRequest) -> Result<(), StoreError> {
        let Some(next) = self.input.brains.rest.pop_front() else { return Ok(()) };
        let before = std::mem::replace(&mut self.input.brains.first, next);
        self.room = None;
        let mut reasons = vec![format!("{}.", capital(&error.to_api_error(before.provider.label()).message))];
        reasons.extend(losses(&before.info, &self.brain().info, context::has_images(&request.messages)));
        self.emit(TurnEvent::StepRestarted);
        self.continue_with(reasons).await
    }

    /// Says that the brain at hand answers now.
    pub(super) async fn continue_with(&mut self, reasons: Vec<String>) -> Result<(), StoreError> {
        let (label, model) = (self.brain().provider.label().to_owned(), self.brain().model.clone());
        tracing::info!(label, model, "another model goes on");
        self.store(Entry::ContinuedWith { label: label.clone(), model: model.clone(), reasons: reasons.clone() })
            .await?;
        self.emit(TurnEvent::ContinuedWith { label, model, reasons });
        Ok(())
    }

    /// The model said that it cannot use tools: it is asked without, and that is remembered.
    fn go_without_tools(&mut self) {
        let model = self.brain().model.clone();
        self.emit(TurnEvent::StepRestarted);
        let text = format!("{model} cannot use tools, so it answers without them.");
        self.emit(TurnEvent::Notice { kind: NoticeKind::Limited, text });
        self.with_learned(|learned| learned.has_no_tools = true);
    }

    /// Makes room after the model said that there is too much. Once: `false` the second time.
    fn tighten(&mut self, message: &str, request: &ModelRequest, meter: Meter) -> bool {
        if self.room.is_some() {
            return false;
        }
        let context::Complaint { share, window } = context::complaint(message);
        if window.is_some() {
            self.with_learned(|learned| learned.window = window);
        }
        let all = f64::from(meter.request(request));
        let fixed = meter.apart_from_messages(request);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of what fits u32")]
        let room = ((all * share) as u32).saturating_sub(fixed);
        if room == 0 {
            return false;
        }
        self.room = Some(room);
        true
    }

    fn request(&mut self, check: bool) -> ModelRequest {
        let info = &self.input.brains.first.info;
        let now = StoredTurn {
            turn: self.input.turn.clone(),
            entries: self.entries.clone(),
            usage: Usage::default(),
            cost_micros: None,
            outcome: None,
            finished_at: None,
        };
        let can_use_tools = info.tools && !self.with_learned(|learned| learned.has_no_tools);
        let tools = match self.input.turn.mode {
            Mode::Agent if can_use_tools => self.engine.gate.specs(&self.scope),
            Mode::Agent | Mode::Chat => Vec::new(),
        };
        let thinking = Thinking { level: self.input.think, control: info.thinking.clone() };
        let prompt = &self.input.system;
        let mut system = if can_use_tools { &prompt.with_tools } else { &prompt.without_tools }.clone();
        system.extend(thinking_section(&thinking));
        let cap = [self.input.limits.max_output_tokens, info.output_tokens].into_iter().flatten().min();
        let mut request = ModelRequest {
            model: self.input.brains.first.model.clone(),
            system,
            messages: Vec::new(),
            tools,
            max_output_tokens: cap,
            most_tokens: info.output_tokens,
            thinking,
            answer_schema: None,
        };
        let meter = self.meter();
        let window = self.window();
        let room = self.room.or_else(|| room_of(window?, cap, meter.apart_from_messages(&request)));
        let fitted = context::fit(&self.past, &now, &self.contents, room, |messages| meter.messages(messages));
        request.messages = fitted.messages;
        for message in &mut request.messages {
            if let ModelMessage::Assistant { calls, replay, .. } = message {
                *replay = calls.first().and_then(|call| self.replays.get(&call.id)).cloned();
            }
        }
        if !info.images {
            context::without_images(&mut request.messages);
        }
        if request.tools.is_empty() {
            request.messages = context::without_calls(request.messages);
        }
        if check {
            match request.messages.last_mut() {
                Some(ModelMessage::User { text, .. }) => *text = format!("{text}\n\n{CHECK}"),
                _ => request.messages.push(ModelMessage::User { text: CHECK.into(), images: Vec::new() }),
            }
        }
        if let Some(window) = window {
            // Servers refuse a request that could become longer than the window.
            let left = window.saturating_sub(meter.request(&request)).max(LEAST_ANSWER_TOKENS);
            request.max_output_tokens = request.max_output_tokens.map(|cap| cap.min(left));
            request.most_tokens = Some(request.most_tokens.unwrap_or(left).min(left));
        }
        if let Some(left_out) = fitted.left_out {
            self.tell_left_out(left_out);
        }
        request
    }

    /// Tells the person, once for each.
    pub(super) fn tell_left_out(&mut self, left_out: LeftOut) {
        if self.told_left_out >= Some(left_out) {
            return;
        }
        self.told_left_out = Some(left_out);
        let text = match left_out {
            LeftOut::Turns => "The oldest messages of this chat did not go into the request.",
            LeftOut::Details => "Long results and older attachments went into the request shortened.",
        };
        self.emit(TurnEvent::Notice { kind: NoticeKind::Shortened, text: text.into() });
    }

    /// The longest conversation that the model takes, as it is known or as the model itself said.
    fn window(&self) -> Option<u32> {
        self.with_learned(|learned| learned.window).into_iter().chain(self.brain().info.context_tokens).min()
    }

    fn meter(&self) -> Meter {
        self.with_learned(|learned| learned.meter)
    }

    /// What is known of the model from asking it.
    fn with_learned<T>(&self, look: impl FnOnce(&mut Learned) -> T) -> T {
        let mut all = self.engine.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let Brain { connection, model, .. } = self.brain();
        look(all.entry((connection.clone(), model.clone())).or_default())
    }
}

/// What the model takes, without the answer and what else the request holds.
fn room_of(window: u32, cap: Option<u32>, fixed: u32) -> Option<u32> {
    let answer = cap.unwrap_or(USUAL_ANSWER_TOKENS).min(window / 4);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of what fits u32")]
    let margin = (f64::from(window) * MARGIN) as u32;
    Some(window.saturating_sub(answer).saturating_sub(margin).saturating_sub(fixed))
}

/// What the loop tells a model that changed files and did not look at them afterwards. A provider
/// that is no model knows by it that no person speaks.
pub const CHECK: &str = "You changed files and did not look at them afterwards. Check now that they are as intended, \
with a tool, and then give the final answer. If a check is not possible, say so in the answer.";
