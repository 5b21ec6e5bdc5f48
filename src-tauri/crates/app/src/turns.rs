//! Starting, steering, queueing and stopping turns: one at a time in each session.

use crate::builder::App;
use crate::choice::with_connection;
use crate::event_bus::{TurnWatch, holds_the_queue};
use namma_config::Config;
use namma_core::BoxFuture;
use namma_core::gate::TurnScope;
use namma_core::ports::{NewTurn, SessionStore};
use namma_core::prompt::{PromptParts, SystemPrompt};
use namma_core::trust::{TaintSet, Trust};
use namma_core::turn::{Steering, TurnHandle, TurnInput, TurnLimits};
use namma_protocol::{
    ApiError, Attachment, Delivery, ErrorCode, EventsSince, Mode, QueuedId, ResolveApproval, SendMessage, SendReceipt,
    SessionId, Tag, ThinkLevel, TurnId, TurnRef,
};
use namma_store::{Choice, QueuedTurn};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The longest message a person may send.
const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

const PERSONA: &str = "You are {name}, a personal assistant who lives on this person's own computer. \
You are calm, exact and warm, and you keep what you know about the person between the two of you.";

/// The turns that run in this program.
#[derive(Default)]
pub(crate) struct RunningTurns {
    by_session: Mutex<HashMap<SessionId, Running>>,
    /// Held while a turn is stored and entered here, so that a stored turn is always found.
    entering: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Running {
    turn_id: TurnId,
    token: CancellationToken,
    steering: mpsc::Sender<Steering>,
    watch: TurnWatch,
    ended: CancellationToken,
}

impl RunningTurns {
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Running>> {
        self.by_session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn in_session(&self, session: &SessionId) -> bool {
        self.lock().contains_key(session)
    }

    fn get(&self, session: &SessionId) -> Option<Running> {
        self.lock().get(session).cloned()
    }
}

/// A message on its way to becoming a turn.
#[derive(Clone)]
struct Message {
    session_id: SessionId,
    text: String,
    attachments: Vec<Attachment>,
    mode: Mode,
    model: Option<String>,
    think: Option<ThinkLevel>,
    allow_spending: bool,
}

impl App {
    /// Takes a message: it starts a turn, joins the running one, or waits for it. When this
    /// returns, the message is stored.
    pub async fn turn_send(&self, request: SendMessage) -> Result<SendReceipt, ApiError> {
        if request.text.trim().is_empty() && request.attachments.is_empty() {
            return Err(ApiError::new(ErrorCode::InvalidInput, "the message is empty").hint("Write something first."));
        }
        if request.text.len() > MAX_MESSAGE_BYTES {
            return Err(ApiError::new(ErrorCode::InvalidInput, "the message is longer than 4 MB")
                .hint("Put the text into a file and ask about the file."));
        }
        let attachments = self.checked(request.attachments).await?;
        let session_id = request.session_id.unwrap_or_else(SessionId::fresh);
        let message = Message {
            session_id,
            text: request.text,
            attachments,
            mode: request.mode,
            model: with_connection(&self.connections(), request.model.as_deref()),
            think: request.think,
            allow_spending: request.allow_spending,
        };
        if let Some(running) = self.running_now(&message.session_id).await {
            return self.send_to_running(message, request.delivery, &running).await;
        }
        let turn = match self.start_turn(message.clone()).await {
            Err(error) if error.code == ErrorCode::Busy => {
                // Another message came first. In another program it is a refusal, here it is a turn to join.
                let Some(running) = self.running_now(&message.session_id).await else { return Err(error) };
                return self.send_to_running(message, request.delivery, &running).await;
            }
            started => started?,
        };
        Ok(SendReceipt { session_id: turn.session_id, turn_id: Some(turn.turn_id), queued_id: None })
    }

    /// The turn that runs in a session. One that has already told its end is waited for: it takes
    /// no message any more, and a moment later it is gone.
    async fn running_now(&self, session: &SessionId) -> Option<Running> {
        loop {
            let running = self.inner.running.get(session)?;
            if !running.watch.is_finished() {
                return Some(running);
            }
            running.ended.cancelled().await;
        }
    }

    async fn send_to_running(
        &self,
        message: Message,
        delivery: Delivery,
        running: &Running,
    ) -> Result<SendReceipt, ApiError> {
        let session_id = message.session_id.clone();
        // Steering too is stored as waiting first: if the program dies before the turn takes it,
        // it is found again.
        let queued_id = self.queue(message).await?;
        let steered = match delivery {
            Delivery::Queue => false,
            Delivery::Steer => self.steer(running, &queued_id, &session_id).await?,
        };
        self.inner.bus.data_changed([Tag::Sessions]);
        let turn_id = steered.then(|| running.turn_id.clone());
        if running.ended.is_cancelled() && !running.watch.holds_the_queue() {
            // The turn ended while this was being stored; nobody else looks at the queue now.
            self.next_in_queue(&session_id).await;
        }
        Ok(SendReceipt { session_id, turn_id, queued_id: (!steered).then_some(queued_id) })
    }

    async fn queue(&self, message: Message) -> Result<QueuedId, ApiError> {
        let queued = QueuedTurn {
            queued_id: QueuedId::fresh(),
            session_id: message.session_id,
            text: message.text,
            attachments: message.attachments,
            mode: message.mode,
            model: message.model,
            think: message.think,
            allow_spending: message.allow_spending,
            queued_at: self.inner.clock.now(),
        };
        self.inner.store.queue_push(&queued).await.map_err(|error| error.to_api_error())?;
        Ok(queued.queued_id)
    }

    async fn steer(&self, running: &Running, queued_id: &QueuedId, session: &SessionId) -> Result<bool, ApiError> {
        let waiting = self.inner.store.queue_list(session).await.map_err(|error| error.to_api_error())?;
        let Some(queued) = waiting.into_iter().find(|queued| queued.queued_id == *queued_id) else {
            return Err(no_longer_waits());
        };
        let message = Steering { text: queued.text, attachments: queued.attachments };
        Ok(running.steering.try_send(message).is_ok())
    }

    /// Sends this waiting message now: into the running turn, or as a turn of its own.
    pub async fn queue_send_now(&self, session: &SessionId, queued_id: &QueuedId) -> Result<(), ApiError> {
        if let Some(running) = self.running_now(session).await {
            return self.steer(&running, queued_id, session).await.map(|_| ());
        }
        let taken = self.inner.store.queue_take(session, queued_id).await.map_err(|error| error.to_api_error())?;
        self.start_queued(taken.ok_or_else(no_longer_waits)?).await
    }

    /// Takes a waiting message out: the person changed their mind.
    pub async fn queue_remove(&self, queued_id: &QueuedId) -> Result<(), ApiError> {
        self.inner.store.queue_remove(queued_id).await.map_err(|error| error.to_api_error())?;
        self.inner.bus.data_changed([Tag::Sessions]);
        Ok(())
    }

    /// Stops the running turn of a session and waits until its books are closed.
    pub async fn turn_cancel(&self, session: &SessionId) -> Result<(), ApiError> {
        if let Some(running) = self.inner.running.get(session) {
            running.token.cancel();
            running.ended.cancelled().await;
        }
        Ok(())
    }

    /// Asks the last question of a session again, as a new turn.
    pub async fn turn_retry(&self, session: &SessionId) -> Result<SendReceipt, ApiError> {
        let turns = self.inner.store.turns(session, None, 1).await.map_err(|error| error.to_api_error())?;
        let Some(last) = turns.into_iter().next_back() else {
            return Err(ApiError::new(ErrorCode::NotFound, "there is no question to ask again").hint("Ask one."));
        };
        self.turn_send(SendMessage {
            session_id: Some(session.clone()),
            text: last.turn.user_text,
            attachments: last.turn.attachments,
            mode: last.turn.mode,
            model: None,
            think: None,
            allow_spending: false,
            delivery: Delivery::Queue,
        })
        .await
    }

    /// The live events of a session after `seq`.
    pub fn turn_events_since(&self, session: &SessionId, seq: u32) -> EventsSince {
        self.inner.bus.since(session, seq)
    }

    /// The person's answer to a question.
    pub fn approval_resolve(&self, answer: ResolveApproval) -> Result<(), ApiError> {
        self.inner.desk.resolve(answer)
    }

    async fn start_turn(&self, message: Message) -> Result<TurnRef, ApiError> {
        // Another program may have changed the settings; a broken file keeps the last good ones.
        if let Err(error) = self.inner.config.reload() {
            tracing::warn!(%error, "the configuration could not be read again");
        }
        let config = self.inner.config.get();
        let turn_id = TurnId::fresh();
        let watch = TurnWatch::default();
        let events = self.inner.bus.sink(message.session_id.clone(), turn_id.clone(), watch.clone());
        let chosen = self.chosen(&message).await?;
        let brains = self.brains(&config, chosen.model.as_deref()).await?;
        let turn = NewTurn {
            turn_id: turn_id.clone(),
            session_id: message.session_id.clone(),
            user_text: message.text,
            attachments: message.attachments,
            mode: message.mode,
            model: brains.first.model.clone(),
            trust: Trust::Owner,
            started_at: self.inner.clock.now(),
        };
        let scope = TurnScope::new(
            turn.session_id.clone(),
            turn_id.clone(),
            Trust::Owner,
            turn.mode,
            self.inner.place.clone(),
            self.inner.approver.clone(),
            events,
            TaintSet::CLEAN,
        );
        let input = TurnInput {
            system: self.system_prompt(&config, turn.mode),
            brains,
            think: chosen.think.unwrap_or(config.conversation.think),
            limits: limits_of(&config),
            allowance: self.allowance(&config, message.allow_spending).await?,
            watch: Arc::new(self.clone()),
            turn,
        };
        let entering = self.inner.running.entering.lock().await;
        let handle = self
            .inner
            .engine
            .start(input, scope, &self.inner.root, &self.inner.tasks)
            .await
            .map_err(|error| error.to_api_error())?;
        let running = Running {
            turn_id: turn_id.clone(),
            token: handle.token(),
            steering: handle.steering(),
            watch,
            ended: CancellationToken::new(),
        };
        self.inner.running.lock().insert(message.session_id.clone(), running.clone());
        drop(entering);
        self.inner.bus.data_changed([Tag::Sessions]);
        let app = self.clone();
        let session_id = message.session_id.clone();
        self.inner.tasks.spawn(app.see_off(session_id, handle, running));
        Ok(TurnRef { session_id: message.session_id, turn_id })
    }

    /// Waits for the end of a turn, then starts what waited for it. Boxed, because the next turn is
    /// seen off in the same way.
    fn see_off(self, session: SessionId, handle: TurnHandle, running: Running) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let outcome = handle.outcome().await;
            self.forget_taken(&session, &running.watch).await;
            self.inner.running.lock().remove(&session);
            running.ended.cancel();
            self.inner.bus.data_changed([Tag::Sessions]);
            if !holds_the_queue(&outcome) {
                self.next_in_queue(&session).await;
            }
        })
    }

    /// Steering messages that the turn took over wait no more.
    async fn forget_taken(&self, session: &SessionId, watch: &TurnWatch) {
        let mut taken = watch.drain_taken();
        if taken.is_empty() {
            return;
        }
        let Ok(waiting) = self.inner.store.queue_list(session).await else { return };
        for queued in waiting {
            let is_this = |one: &Steering| one.text == queued.text && one.attachments == queued.attachments;
            if let Some(at) = taken.iter().position(is_this) {
                taken.remove(at);
                if let Err(error) = self.inner.store.queue_remove(&queued.queued_id).await {
                    tracing::warn!(%error, "a message that was taken over still waits");
                }
            }
        }
    }

    async fn next_in_queue(&self, session: &SessionId) {
        if self.inner.root.is_cancelled() || self.inner.running.in_session(session) {
            return;
        }
        let queued = match self.inner.store.queue_pop(session).await {
            Ok(Some(queued)) => queued,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "the waiting messages could not be read");
                return;
            }
        };
        if let Err(error) = self.start_queued(queued).await {
            tracing::warn!(%error, "a waiting message could not be sent and waits on");
        }
    }

    /// Makes a turn of a message that was taken out of the queue; on an error it waits again.
    async fn start_queued(&self, queued: QueuedTurn) -> Result<(), ApiError> {
        let queued_id = queued.queued_id;
        let message = Message {
            session_id: queued.session_id,
            text: queued.text,
            attachments: queued.attachments,
            mode: queued.mode,
            model: queued.model,
            think: queued.think,
            allow_spending: queued.allow_spending,
        };
        let started = self.start_turn(message).await;
        if started.is_err()
            && let Err(error) = self.inner.store.queue_return(&queued_id).await
        {
            tracing::error!(%error, "a waiting message could not be given back");
        }
        started.map(|_| ())
    }

    /// What the message asks for, else what its chat is set to.
    async fn chosen(&self, message: &Message) -> Result<Choice, ApiError> {
        let of_chat =
            self.inner.store.session_choice(&message.session_id).await.map_err(|error| error.to_api_error())?;
        Ok(Choice { model: message.model.clone().or(of_chat.model), think: message.think.or(of_chat.think) })
    }

    fn system_prompt(&self, config: &Config, mode: Mode) -> SystemPrompt {
        let parts = PromptParts {
            assistant_name: &config.assistant.name,
            user_name: config.assistant.user_name.as_deref(),
            persona: config.assistant.persona.as_deref().unwrap_or(PERSONA),
            place: &self.inner.place,
        };
        SystemPrompt::new(mode, &parts, self.inner.clock.as_ref())
    }
}

fn no_longer_waits() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "this message no longer waits").hint("It was sent or removed; look at the chat.")
}

fn limits_of(config: &Config) -> TurnLimits {
    TurnLimits {
        steps: config.conversation.tool_loop_limit(),
        retries: config.provider.max_retries,
        max_output_tokens: config.provider.max_tokens(),
        verify_changes: config.conversation.verify_after_writes,
        ..TurnLimits::default()
    }
}

#[cfg(test)]
mod tests;
