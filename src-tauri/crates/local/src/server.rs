//! One llama-server: how it is found, started and asked whether it is ready.

use crate::disk;
use crate::error::LocalError;
use crate::shelf::ShelvedModel;
use futures_util::FutureExt;
use namma_core::kept::{Kept, KeptEnding, KeptProgram};
use namma_core::ports::{Clock, ProviderError};
use namma_providers::{EndpointConfig, LlamaServer, ServerState, Timeouts};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a server that starts is asked, at first and later. It has no other way to tell.
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LATER_LOOKS: Duration = Duration::from_millis(500);

/// How long the trial of a number of threads may take.
const TRIAL_LIMIT: Duration = Duration::from_secs(100);

/// How servers are run, from the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// The program, when one is named.
    pub program: Option<PathBuf>,
    /// Where it is looked for otherwise, as in the variable `PATH`.
    pub search_path: String,
    /// `None`: the most that the model takes.
    pub context_tokens: Option<u32>,
    /// `None`: as measured.
    pub threads: Option<u32>,
    pub idle: Duration,
    pub start_limit: Duration,
    /// For models that have none of their own choice.
    pub chat_template: Option<PathBuf>,
    pub timeouts: Timeouts,
}

/// The program that runs models.
///
/// # Errors
/// When the one that is named, or any at all, cannot be found.
pub fn find_server(settings: &ServerSettings) -> Result<PathBuf, LocalError> {
    if let Some(named) = &settings.program {
        return if named.is_file() { Ok(named.clone()) } else { Err(LocalError::BadServer { path: named.clone() }) };
    }
    let name = format!("llama-server{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::split_paths(&settings.search_path);
    let found =
        folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name)).find(|path| path.is_file());
    found.ok_or(LocalError::NoServer)
}

/// A server that answers. Dropping it ends it.
pub(crate) struct Server {
    kept: Kept,
    client: LlamaServer,
    pub(crate) endpoint: EndpointConfig,
}

impl Server {
    /// Starts a server and waits until it can be asked.
    pub(crate) async fn start(
        launcher: &Path,
        model: &ShelvedModel,
        settings: &ServerSettings,
        threads: u32,
        clock: &dyn Clock,
    ) -> Result<Self, LocalError> {
        let program = find_server(settings)?;
        let port = free_port()?;
        // Others on this computer see the port; without the key they cannot use the model.
        let key = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let kept = KeptProgram {
            launcher: launcher.to_owned(),
            program,
            arguments: arguments(model, settings, threads, port)?,
            variables: vec![("LLAMA_API_KEY".into(), key.clone())],
        };
        let kept = kept.start().await.map_err(|error| LocalError::CannotStart { cause: error.to_string() })?;
        let client = LlamaServer::at(port, &key)?;
        let endpoint = LlamaServer::chat(port, &key, settings.timeouts)?;
        let server = Self { kept, client, endpoint };
        let limit = settings.start_limit;
        tokio::select! {
            biased;
            ending = server.kept.ended() => Err(server.fault(&ending).into()),
            ready = server.until_ready(clock) => ready.map(|()| server).map_err(LocalError::from),
            () = clock.sleep(limit) => {
                let what = format!("was not ready within {} s", limit.as_secs());
                Err(fault(what, server.kept.log()).into())
            }
        }
    }

    async fn until_ready(&self, clock: &dyn Clock) -> Result<(), ProviderError> {
        let mut pause = FIRST_LOOK;
        while self.client.state().await? != ServerState::Ready {
            clock.sleep(pause).await;
            pause = (pause * 2).min(LATER_LOOKS);
        }
        Ok(())
    }

    /// How long a short answer takes; `None` when that is longer than anybody would wait.
    pub(crate) async fn trial(&self, clock: &dyn Clock) -> Result<Option<Duration>, ProviderError> {
        tokio::select! {
            biased;
            ending = self.kept.ended() => Err(self.fault(&ending)),
            took = self.client.trial() => match took {
                Err(ProviderError::TimedOut { .. }) => Ok(None),
                other => other.map(Some),
            },
            () = clock.sleep(TRIAL_LIMIT) => Ok(None),
        }
    }

    /// Waits until it ends by itself, and says how.
    pub(crate) async fn ended(&self) -> ProviderError {
        let ending = self.kept.ended().await;
        self.fault(&ending)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.kept.ended().now_or_never().is_some()
    }

    pub(crate) async fn stop(self, clock: &dyn Clock) {
        self.kept.stop(clock).await;
    }

    fn fault(&self, ending: &KeptEnding) -> ProviderError {
        fault(ending.to_string(), self.kept.log())
    }
}

fn fault(what: String, log: String) -> ProviderError {
    let hint = "It is started anew with the next question.".to_owned();
    ProviderError::LocalServer { what, log, may_start_again: true, hint }
}

/// The line that starts a server. Threads wait for work without polling, because a machine that is
/// used for something else as well would otherwise become many times slower.
fn arguments(
    model: &ShelvedModel,
    settings: &ServerSettings,
    threads: u32,
    port: u16,
) -> Result<Vec<String>, LocalError> {
    if disk::size(&model.path).is_none() {
        return Err(LocalError::NoFile { path: model.path.clone() });
    }
    let context = match (settings.context_tokens, model.context_tokens) {
        (Some(wanted), Some(most)) => wanted.min(most),
        (Some(wanted), None) => wanted,
        // Its own.
        (None, _) => 0,
    };
    let path = utf8(&model.path)?;
    let pairs = [
        ("--model", path.to_owned()),
        ("--alias", model.name.clone()),
        ("--host", Ipv4Addr::LOCALHOST.to_string()),
        ("--port", port.to_string()),
        ("--ctx-size", context.to_string()),
        ("--parallel", "1".to_owned()),
        ("--threads", threads.to_string()),
        ("--poll", "0".to_owned()),
        ("--poll-batch", "0".to_owned()),
    ];
    let mut arguments: Vec<String> = pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect();
    arguments.push("--jinja".to_owned());
    if let Some(template) = model.chat_template.as_ref().or(settings.chat_template.as_ref()) {
        if disk::size(template).is_none() {
            return Err(LocalError::NoTemplate { path: template.clone() });
        }
        arguments.extend(["--chat-template-file".to_owned(), utf8(template)?.to_owned()]);
    }
    Ok(arguments)
}

fn utf8(path: &Path) -> Result<&str, LocalError> {
    let why = "its path holds signs that cannot be written".to_owned();
    path.to_str().ok_or_else(|| LocalError::NotAModel { path: path.to_owned(), why })
}

/// A port that nobody uses. Should somebody take it before the server does, the server ends and
/// says so.
fn free_port() -> Result<u16, LocalError> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    free.map(|address| address.port()).map_err(|error| LocalError::NoPort { cause: error.to_string() })
}
