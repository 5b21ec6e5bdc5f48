//! Who may use the server: one model at a time, started by the first question, ended when nobody
//! asked for a while, and not started for ever when it fails.

use crate::download::blocking;
use crate::error::LocalError;
use crate::run::{Phase, Run};
use crate::server::ServerSettings;
use crate::shelf::{Shelf, ShelvedModel};
use namma_core::ports::{Clock, Provider, ProviderError};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// So many ends in so short a time, with no answer in between, mean that it will not work.
const MAX_CRASHES: usize = 3;
const CRASH_MEMORY: Duration = Duration::from_secs(300);
/// Between a lost connection and the news that the server ended.
const NEWS: Duration = Duration::from_secs(2);

/// The server of our own. Cheap to clone; nothing runs until somebody asks.
#[derive(Clone)]
pub struct LocalServers {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) launcher: PathBuf,
    pub(crate) shelf: Shelf,
    pub(crate) clock: Arc<dyn Clock>,
    state: Mutex<State>,
    tasks: TaskTracker,
    root: CancellationToken,
}

#[derive(Default)]
struct State {
    current: Option<Arc<Current>>,
    /// Ends by themselves since the last whole answer.
    crashes: Vec<Crash>,
}

/// A server that ended by itself.
struct Crash {
    /// In milliseconds.
    at: i64,
    model: ShelvedModel,
    settings: ServerSettings,
    log: String,
}

impl Crash {
    /// Whether it says anything of that model, run with these settings.
    fn is_of(&self, model: &ShelvedModel, settings: &ServerSettings) -> bool {
        self.model.is_served_like(model) && self.settings == *settings
    }
}

/// The server that runs, or ran last.
pub(crate) struct Current {
    pub(crate) model: ShelvedModel,
    pub(crate) settings: ServerSettings,
    phase: watch::Sender<Phase>,
    pub(crate) users: watch::Sender<usize>,
    pub(crate) stop: CancellationToken,
}

/// The right to ask the server. While it lives, the server is not ended.
pub(crate) struct Lease {
    servers: LocalServers,
    current: Arc<Current>,
}

impl LocalServers {
    /// `launcher` is a program of ours that calls `sandbox_exec_if_asked` first of all.
    pub fn new(launcher: PathBuf, shelf: Shelf, clock: Arc<dyn Clock>) -> Self {
        let (state, tasks, root) = (Mutex::default(), TaskTracker::new(), CancellationToken::new());
        Self { inner: Arc::new(Inner { launcher, shelf, clock, state, tasks, root }) }
    }

    /// The files that it serves.
    pub fn shelf(&self) -> &Shelf {
        &self.inner.shelf
    }

    /// Whether a server runs now, or is about to.
    pub fn is_running(&self) -> bool {
        let state = self.state();
        state.current.as_ref().is_some_and(|current| !current.has_ended())
    }

    /// Ends the server, and waits for its end. Nothing starts afterwards.
    pub async fn close(&self) {
        {
            let state = self.state();
            if let Some(current) = &state.current {
                current.advance(Phase::Ending);
            }
            self.inner.root.cancel();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Ends the server if it serves that model, also in the middle of an answer.
    pub async fn let_go_of(&self, name: &str) {
        let current = {
            let state = self.state();
            let current = state.current.clone().filter(|current| current.model.name == name);
            // Below the lock, so that nobody begins to ask it any more.
            if let Some(current) = &current {
                current.advance(Phase::Ending);
                current.stop.cancel();
            }
            current
        };
        if let Some(current) = current {
            current.until(Phase::has_ended).await;
        }
    }

    /// Takes a model off the shelf, its server ended before, and deletes its file when we downloaded
    /// it. Answers what it was.
    ///
    /// # Errors
    /// As [`Shelf::remove`].
    pub async fn remove(&self, name: &str) -> Result<ShelvedModel, LocalError> {
        self.shelf().find(name)?;
        self.let_go_of(name).await;
        let (shelf, name) = (self.shelf().clone(), name.to_owned());
        blocking(move || shelf.remove(&name)).await
    }

    /// The right to ask that model. Its server starts by itself if it has to; dropping the future
    /// only stops the waiting.
    pub(crate) async fn lease(&self, name: &str, settings: &ServerSettings) -> Result<Lease, LocalError> {
        let model = self.inner.shelf.find(name)?;
        loop {
            let next = self.step(&model, settings)?;
            match next {
                Next::Mine(lease) => return Ok(lease),
                Next::WaitFor(other) => other.until(Phase::has_ended).await,
                Next::Replace(other) => {
                    // Memory is for one model at a time: whoever asks the other one comes first.
                    let mut users = other.users.subscribe();
                    let free = async { users.wait_for(|users| *users == 0).await.is_ok() };
                    let is_free = tokio::select! {
                        free = free => free,
                        () = other.until(Phase::has_ended) => false,
                    };
                    // Unless somebody was faster, who comes first then.
                    if is_free && self.may_end(&other) {
                        other.stop.cancel();
                    }
                }
            }
        }
    }

    /// What the one who asks has to do next. Decided below the lock, so that no two servers start.
    fn step(&self, model: &ShelvedModel, settings: &ServerSettings) -> Result<Next, LocalError> {
        let mut state = self.state();
        if let Some(current) = &state.current {
            let is_mine = current.model.is_served_like(model) && current.settings == *settings;
            match (current.phase_now(), is_mine) {
                (Phase::Ended(_), _) => {}
                (Phase::Ending, _) => return Ok(Next::WaitFor(Arc::clone(current))),
                (Phase::Starting | Phase::Measuring(_) | Phase::Ready(_), true) => {
                    return Ok(Next::Mine(self.lease_of(current)));
                }
                (Phase::Starting | Phase::Measuring(_) | Phase::Ready(_), false) => {
                    return Ok(Next::Replace(Arc::clone(current)));
                }
            }
        }
        self.check_crashes(&mut state, model, settings)?;
        let current = Arc::new(Current {
            model: model.clone(),
            settings: settings.clone(),
            phase: watch::Sender::new(Phase::Starting),
            users: watch::Sender::new(0),
            stop: self.inner.root.child_token(),
        });
        let lease = self.lease_of(&current);
        state.current = Some(Arc::clone(&current));
        self.inner.tasks.spawn(Run { servers: self.clone(), current }.live());
        Ok(Next::Mine(lease))
    }

    fn lease_of(&self, current: &Arc<Current>) -> Lease {
        current.users.send_modify(|users| *users += 1);
        Lease { servers: self.clone(), current: Arc::clone(current) }
    }

    fn check_crashes(
        &self,
        state: &mut State,
        model: &ShelvedModel,
        settings: &ServerSettings,
    ) -> Result<(), ProviderError> {
        let since = self.inner.clock.now().0 - i64::try_from(CRASH_MEMORY.as_millis()).unwrap_or(i64::MAX);
        state.crashes.retain(|crash| crash.at > since);
        let of_this: Vec<&Crash> = state.crashes.iter().filter(|crash| crash.is_of(model, settings)).collect();
        let Some(last) = of_this.last().filter(|_| of_this.len() >= MAX_CRASHES) else { return Ok(()) };
        Err(ProviderError::LocalServer {
            what: format!("ended {MAX_CRASHES} times in a row and is not started for now"),
            log: last.log.clone(),
            may_start_again: false,
            hint: "Choose a smaller model or fewer `local_model.context_tokens`; in five minutes it is tried again."
                .into(),
        })
    }

    /// Ends an idle server unless somebody was faster.
    pub(crate) fn may_end(&self, current: &Current) -> bool {
        let _state = self.state();
        let is_idle = *current.users.borrow() == 0;
        if is_idle {
            current.advance(Phase::Ending);
        }
        is_idle
    }

    pub(crate) fn note_crash(&self, current: &Current, log: &str) {
        let (model, settings) = (current.model.clone(), current.settings.clone());
        let crash = Crash { at: self.inner.clock.now().0, model, settings, log: log.to_owned() };
        self.state().crashes.push(crash);
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Next {
    Mine(Lease),
    /// It is about to end.
    WaitFor(Arc<Current>),
    /// It serves something else.
    Replace(Arc<Current>),
}

impl Current {
    /// Goes on to that phase; what is about to end does not begin again.
    pub(crate) fn advance(&self, next: Phase) {
        self.phase.send_if_modified(|now| {
            let may = match now {
                Phase::Starting | Phase::Measuring(_) | Phase::Ready(_) => true,
                Phase::Ending => next.has_ended(),
                Phase::Ended(_) => false,
            };
            if may {
                *now = next;
            }
            may
        });
    }

    fn phase_now(&self) -> Phase {
        self.phase.borrow().clone()
    }

    fn has_ended(&self) -> bool {
        self.phase.borrow().has_ended()
    }

    async fn until(&self, reached: impl FnMut(&Phase) -> bool) {
        // The sender lives as long as `self`.
        let mut phases = self.phase.subscribe();
        let _reached = phases.wait_for(reached).await.is_ok();
    }
}

impl Lease {
    /// Waits until the server answers. `tell` hears how far it is.
    pub(crate) async fn ready(&self, mut tell: impl FnMut(&Phase)) -> Result<Arc<dyn Provider>, ProviderError> {
        let mut phases = self.current.phase.subscribe();
        loop {
            let phase = phases.borrow_and_update().clone();
            match phase {
                Phase::Ready(provider) => return Ok(provider),
                Phase::Ended(error) => return Err(error),
                Phase::Starting | Phase::Measuring(_) | Phase::Ending => tell(&phase),
            }
            if phases.changed().await.is_err() {
                return Err(crate::run::stopped());
            }
        }
    }

    /// What went wrong, when it was the end of the server that did it.
    pub(crate) async fn explain(&self, error: ProviderError) -> ProviderError {
        let is_about_connection = matches!(
            error,
            ProviderError::Unreachable { .. } | ProviderError::StreamCut { .. } | ProviderError::Malformed { .. }
        );
        if !is_about_connection {
            return error;
        }
        tokio::select! {
            () = self.current.until(Phase::has_ended) => {}
            () = self.servers.inner.clock.sleep(NEWS) => {}
        }
        match self.current.phase_now() {
            Phase::Ended(ended) => ended,
            _ => error,
        }
    }

    /// The server has proved that it works.
    pub(crate) fn answered(&self) {
        let Current { model, settings, .. } = self.current.as_ref();
        self.servers.state().crashes.retain(|crash| !crash.is_of(model, settings));
    }

    /// The name that the server gives its model.
    pub(crate) fn model(&self) -> &str {
        &self.current.model.name
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.current.users.send_modify(|users| *users = users.saturating_sub(1));
    }
}
