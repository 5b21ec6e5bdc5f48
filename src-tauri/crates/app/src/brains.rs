//! The models of the next turn: which connection answers first, and who takes over.

use crate::builder::App;
use crate::choice;
use crate::connections::{Connection, spoken_to};
use crate::health::Health;
use namma_config::{Config, resolve_key};
use namma_core::BoxFuture;
use namma_core::ports::{ModelInfo, ModelRequest, ModelStream, Provider, ProviderError};
use namma_core::turn::{Brain, Brains};
use namma_protocol::ApiError;
use namma_providers::{EndpointConfig, Timeouts, connect, parse_base_url, unplugged};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a turn says of its model when none is set up.
pub const NO_MODEL: &str = "No model: simple requests only";

/// The providers made so far, by connection, as long as the settings stay the same: a new client
/// per turn would throw away open connections, and a look into the vault takes a while.
#[derive(Default)]
pub(crate) struct ProviderCache(Mutex<HashMap<String, Made>>);

/// A provider, and the settings that it was made from.
struct Made {
    of: Connection,
    timeouts: Timeouts,
    provider: Arc<dyn Provider>,
}

impl ProviderCache {
    fn get(&self, connection: &Connection, timeouts: Timeouts) -> Option<Arc<dyn Provider>> {
        let cached = self.lock();
        let made = cached.get(&connection.name)?;
        (made.of == *connection && made.timeouts == timeouts).then(|| Arc::clone(&made.provider))
    }

    fn put(&self, made: Made) {
        self.lock().insert(made.of.name.clone(), made);
    }

    /// Its key may be another one now.
    pub(crate) fn drop_one(&self, connection: &str) {
        self.lock().remove(connection);
    }

    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Made>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers every request with the same refusal: the question is kept and the reason shown.
struct Unready {
    label: String,
    error: ProviderError,
}

impl Provider for Unready {
    fn label(&self) -> &str {
        &self.label
    }

    fn stream(&self, _: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(async { Err(self.error.clone()) })
    }
}

impl App {
    /// Who answers the next turn. What is not set up refuses when it is asked.
    ///
    /// `chosen` is as [`choice`] keeps it; then nobody takes over.
    ///
    /// # Errors
    /// When the connection that was chosen is gone.
    pub(crate) async fn brains(&self, config: &Config, chosen: Option<&str>) -> Result<Brains, ApiError> {
        let connections = Connection::all(config);
        let (first, model) = choice::meant(&connections, chosen)?;
        let mut line: VecDeque<Connection> = VecDeque::new();
        let mut rest = connections;
        if rest.get(first).is_some_and(Connection::is_set_up) {
            let mut connection = rest.remove(first);
            connection.model = model.or(connection.model);
            line.push_back(connection);
        }
        // Whoever names a model wants that one and nobody else.
        let is_named = chosen.is_some_and(|chosen| !chosen.trim().is_empty());
        if !is_named {
            line.extend(rest.into_iter().filter(|connection| connection.fallback && connection.is_set_up()));
        }
        let (line, detour) = self.without_resting(line);
        let mut brains = VecDeque::new();
        for connection in line {
            brains.push_back(self.brain(connection).await);
        }
        if brains.is_empty() || (config.provider.unplugged_fallback && !is_named) {
            brains.push_back(self.unplugged());
        }
        let first = brains.pop_front().unwrap_or_else(|| self.unplugged());
        Ok(Brains { first, rest: brains, detour })
    }

    /// Leaves those alone for now that keep failing, unless all do.
    fn without_resting(&self, line: VecDeque<Connection>) -> (VecDeque<Connection>, Option<Vec<String>>) {
        let now = self.inner.clock.now();
        let rests = |connection: &Connection| self.inner.health.rests(&connection.name, now);
        if line.iter().all(|connection| rests(connection).is_some()) {
            return (line, None);
        }
        let detour = line.front().and_then(|first| {
            let health = rests(first)?;
            Some(vec![left_alone(first, &health, now.0)])
        });
        (line.into_iter().filter(|connection| rests(connection).is_none()).collect(), detour)
    }

    /// The one that is no model: simple requests only.
    fn unplugged(&self) -> Brain {
        let provider = unplugged(Arc::clone(&self.inner.clock));
        Brain { connection: String::new(), provider, model: NO_MODEL.into(), info: ModelInfo::default() }
    }

    /// Is a model set up? Without one, simple requests are answered all the same.
    pub fn has_model(&self) -> bool {
        self.connections().iter().any(Connection::is_set_up)
    }

    async fn brain(&self, connection: Connection) -> Brain {
        let model = connection.model.clone().unwrap_or_default();
        let info = self.info(&connection, &model);
        let name = connection.name.clone();
        let provider = self.provider(connection).await;
        Brain { connection: name, provider, model, info }
    }

    /// What is known of a model there.
    pub(crate) fn info(&self, connection: &Connection, model: &str) -> ModelInfo {
        let mut info = self.inner.models.get().find(model, connection.is_local()).unwrap_or_default();
        if connection.is_managed() {
            let served = self.inner.config.get().local_model.context_tokens();
            info.context_tokens = [info.context_tokens, served].into_iter().flatten().min();
        }
        info
    }

    async fn provider(&self, connection: Connection) -> Arc<dyn Provider> {
        if connection.is_managed() {
            return self.local_provider(&connection);
        }
        if let Some(provider) = self.inner.providers.get(&connection, timeouts(&self.inner.config.get())) {
            return provider;
        }
        match self.endpoint(&connection).await {
            Ok(endpoint) => {
                let timeouts = endpoint.timeouts;
                let provider = connect(endpoint);
                self.inner.providers.put(Made { of: connection, timeouts, provider: Arc::clone(&provider) });
                provider
            }
            Err(error) => Arc::new(Unready { label: connection.label(), error }),
        }
    }

    /// Where that is and with which key.
    pub(crate) async fn endpoint(&self, connection: &Connection) -> Result<EndpointConfig, ProviderError> {
        let base_url = connection.base_url.as_deref().ok_or(ProviderError::NotConfigured)?;
        let base_url = parse_base_url(base_url)
            .map_err(|error| ProviderError::BadRequest { status: 0, message: error.to_string() })?;
        let label = connection.label();
        let (entry, variable) = (connection.api_key_ref.as_deref(), connection.api_key_env.as_deref());
        let environment = self.inner.config.environment();
        let key = resolve_key(entry, variable, self.inner.vault.as_ref(), environment).await.map_err(|error| {
            tracing::warn!(%error, "the key is not to be had");
            ProviderError::KeyMissing { label: label.clone() }
        })?;
        let timeouts = timeouts(&self.inner.config.get());
        let endpoint = EndpointConfig { timeouts, ..EndpointConfig::new(label, base_url) };
        let endpoint = spoken_to(endpoint, connection.kind);
        Ok(match key {
            Some(key) => {
                self.inner.redactor.add("API key", key.expose());
                endpoint.with_key(key.expose())
            }
            None => endpoint,
        })
    }
}

/// How long a server may keep silent.
pub(crate) fn timeouts(config: &Config) -> Timeouts {
    let settings = &config.provider;
    Timeouts {
        connect: settings.connect_timeout(),
        first_byte: settings.first_token_timeout(),
        idle: settings.idle_timeout(),
    }
}

fn left_alone(connection: &Connection, health: &Health, now_ms: i64) -> String {
    let minutes = (health.rests_until.0 - now_ms).max(0).div_euclid(60_000) + 1;
    let plural = if minutes == 1 { "minute" } else { "minutes" };
    let failed = match health.failures {
        1 => "failed once".to_owned(),
        times => format!("failed {times} times in a row"),
    };
    let (label, why) = (connection.label(), &health.error.message);
    format!("{label} {failed} ({why}) and is left alone for {minutes} {plural}.")
}
