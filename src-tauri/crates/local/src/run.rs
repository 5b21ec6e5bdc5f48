//! The life of one server, from the first wish for it to its end.

use crate::error::LocalError;
use crate::server::Server;
use crate::servers::{Current, LocalServers};
use crate::threads;
use namma_core::ports::{Provider, ProviderError};
use std::sync::Arc;

/// How far a server is.
#[derive(Clone)]
pub(crate) enum Phase {
    Starting,
    /// So many threads are tried.
    Measuring(u32),
    Ready(Arc<dyn Provider>),
    /// Nobody may begin to ask it.
    Ending,
    /// What to tell whoever waits.
    Ended(ProviderError),
}

impl Phase {
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self, Self::Ended(_))
    }
}

/// A server and all that is done with it.
pub(crate) struct Run {
    pub(crate) servers: LocalServers,
    pub(crate) current: Arc<Current>,
}

impl Run {
    /// Starts the server, keeps it while it is used, and ends it.
    pub(crate) async fn live(self) {
        let started = self.current.stop.run_until_cancelled(self.start()).await;
        let end = match started {
            None => stopped(),
            Some(Err(error)) => {
                let error = error.to_provider_error();
                self.note(&error);
                error
            }
            Some(Ok(server)) => self.keep(server).await,
        };
        self.current.advance(Phase::Ended(end));
    }

    async fn start(&self) -> Result<Server, LocalError> {
        let (inner, current) = (self.servers.inner(), &self.current);
        let (model, settings, clock) = (&current.model, &current.settings, inner.clock.as_ref());
        let threads = match settings.threads.or_else(|| threads::remembered(model)) {
            Some(threads) => threads,
            None => {
                let tell = |threads| current.advance(Phase::Measuring(threads));
                threads::measure(&inner.shelf, &inner.launcher, model, settings, clock, &tell).await?
            }
        };
        Server::start(&inner.launcher, model, settings, threads, clock).await
    }

    async fn keep(&self, server: Server) -> ProviderError {
        self.current.advance(Phase::Ready(namma_providers::connect(server.endpoint.clone())));
        tracing::info!("a model server runs");
        tokio::select! {
            biased;
            error = server.ended() => {
                tracing::warn!("the model server ended by itself");
                self.note(&error);
                return error;
            }
            () = self.current.stop.cancelled() => {}
            () = self.idle() => {}
        }
        // It may have ended in the same moment.
        if !server.has_ended() {
            server.stop(self.servers.inner().clock.as_ref()).await;
        }
        tracing::info!("the model server was ended");
        stopped()
    }

    /// Ends when nobody asked for as long as the settings allow. While somebody asks no time runs.
    async fn idle(&self) {
        let mut users = self.current.users.subscribe();
        loop {
            // The sender lives as long as `self`.
            let _free = users.wait_for(|users| *users == 0).await.is_ok();
            let waited = tokio::select! {
                () = self.servers.inner().clock.sleep(self.current.settings.idle) => true,
                _used = users.wait_for(|users| *users > 0) => false,
            };
            if waited && self.servers.may_end(&self.current) {
                return;
            }
        }
    }

    /// Ends that another attempt may mend are counted, so that attempts have an end.
    fn note(&self, error: &ProviderError) {
        if error.is_transient() {
            let log = match error {
                ProviderError::LocalServer { log, .. } => log.as_str(),
                _ => "",
            };
            self.servers.note_crash(&self.current, log);
        }
    }
}

/// What somebody hears who waited for a server that was ended on purpose.
pub(crate) fn stopped() -> ProviderError {
    ProviderError::LocalServer {
        what: "was stopped".into(),
        log: String::new(),
        may_start_again: true,
        hint: "It is started anew with the next question.".into(),
    }
}
