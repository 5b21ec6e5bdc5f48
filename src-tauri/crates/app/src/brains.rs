//! The models of the next turn: which connection answers first, and who takes over.

use crate::builder::App;
use crate::connections::{Connection, spoken_to};
use crate::health::Health;
use namma_config::{Config, resolve_key};
use namma_core::BoxFuture;
use namma_core::ports::{ModelInfo, ModelRequest, ModelStream, Provider, ProviderError};
use namma_core::turn::{Brain, Brains};
use namma_providers::{EndpointConfig, Timeouts, connect, parse_base_url, unplugged};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// What a turn says of its model when none is set up.
pub const NO_MODEL: &str = "No model: simple requests only";

/// The providers made so far, by connection, as long as its settings stay the same: a new client
/// per turn would throw away open connections, and a look into the vault takes a while.
#[derive(Default)]
pub(crate) struct ProviderCache(Mutex<HashMap<String, Made>>);

/// A provider, and the settings that it was made from.
struct Made {
    of: Connection,
    provider: Arc<dyn Provider>,
}

impl ProviderCache {
    fn get(&self, connection: &Connection) -> Option<Arc<dyn Provider>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.get(&connection.name).filter(|made| made.of == *connection).map(|made| Arc::clone(&made.provider))
    }

    fn put(&self, connection: Connection, provider: Arc<dyn Provider>) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.insert(connection.name.clone(), Made { of: connection, provider });
    }

    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
    /// Who answers the next turn. Never fails: what is not set up refuses when it is asked.
    ///
    /// `chosen` is a model of the first connection, the name of a connection, or both as
    /// `connection/model`; then nobody takes over.
    pub(crate) async fn brains(&self, config: &Config, chosen: Option<&str>) -> Brains {
        let connections = Connection::all(config);
        let (first, model) = choice(&connections, chosen);
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
        Brains { first, rest: brains, detour }
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
        if let Some(provider) = self.inner.providers.get(&connection) {
            return provider;
        }
        match self.endpoint(&connection).await {
            Ok(endpoint) => {
                let provider = connect(endpoint);
                self.inner.providers.put(connection, Arc::clone(&provider));
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
        let settings = &self.inner.config.get().provider;
        let timeouts = Timeouts {
            connect: settings.connect_timeout(),
            first_byte: settings.first_token_timeout(),
            idle: settings.idle_timeout(),
        };
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

/// Which connection, and which model there if not its own.
fn choice(connections: &[Connection], chosen: Option<&str>) -> (usize, Option<String>) {
    let usual = connections.iter().position(Connection::is_set_up).unwrap_or(0);
    let Some(chosen) = chosen.map(str::trim).filter(|chosen| !chosen.is_empty()) else { return (usual, None) };
    if let Some(at) = connections.iter().position(|connection| connection.name == chosen) {
        return (at, None);
    }
    // A model's own name may hold a `/` too, so only a name that is there counts.
    let named = chosen.split_once('/').and_then(|(name, model)| {
        let at = connections.iter().position(|connection| connection.name == name)?;
        let model = model.trim();
        Some((at, (!model.is_empty()).then(|| model.to_owned())))
    });
    named.unwrap_or((usual, Some(chosen.to_owned())))
}

fn left_alone(connection: &Connection, health: &Health, now_ms: i64) -> String {
    let minutes = (health.rests_until.0 - now_ms).max(0).div_euclid(60_000) + 1;
    let plural = if minutes == 1 { "minute" } else { "minutes" };
    format!(
        "{} failed {} times in a row ({}) and is left alone for {minutes} {plural}.",
        connection.label(),
        health.failures,
        health.error.message
    )
}

#[cfg(test)]
mod tests {
    use super::choice;
    use crate::connections::Connection;

    fn connections() -> Vec<Connection> {
        let connection =
            |name: &str| Connection { base_url: Some("http://127.0.0.1:1/v1".into()), ..Connection::named(name) };
        vec![connection("main"), connection("work")]
    }

    #[test]
    fn a_connection_a_model_or_both_can_be_chosen() {
        let table = [
            (None, (0, None)),
            (Some(" "), (0, None)),
            (Some("work"), (1, None)),
            (Some("work/"), (1, None)),
            (Some("work/gpt-5"), (1, Some("gpt-5"))),
            (Some("work/openai/gpt-5"), (1, Some("openai/gpt-5"))),
            (Some("gpt-5"), (0, Some("gpt-5"))),
            (Some("openai/gpt-5"), (0, Some("openai/gpt-5"))),
        ];
        for (chosen, (at, model)) in table {
            assert_eq!(choice(&connections(), chosen), (at, model.map(str::to_owned)), "{chosen:?}");
        }
    }

    #[test]
    fn without_an_address_the_next_one_that_has_one_is_usual() {
        let mut connections = connections();
        connections[0].base_url = None;
        assert_eq!(choice(&connections, None), (1, None));
        assert_eq!(choice(&[Connection::named("main")], None), (0, None));
    }
}
