//! The places where models answer, as the settings have them: the one under `provider` first, then
//! those under `connections`.

use crate::builder::App;
use namma_config::{Config, ProviderKind, Saved, VaultError};
use namma_core::ports::Price;
use namma_protocol::{ApiError, ConnectionView, ErrorCode, KeySource, ModelFacts, ModelPrice, Tag};
use namma_providers::{Dialect, EndpointConfig, PRESETS, parse_base_url, preset_for_env};
use serde_json::{Value, json};

/// A place where models answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) name: String,
    pub(crate) kind: ProviderKind,
    pub(crate) label: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) api_key_ref: Option<String>,
    pub(crate) api_key_env: Option<String>,
    pub(crate) fallback: bool,
}

impl Connection {
    /// One that is not set up.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: ProviderKind::Auto,
            label: None,
            base_url: None,
            model: None,
            api_key_ref: None,
            api_key_env: None,
            fallback: false,
        }
    }

    /// In the order of the settings; never empty.
    pub(crate) fn all(config: &Config) -> Vec<Self> {
        let first = &config.provider;
        let first = Self {
            name: first.name.clone(),
            kind: first.kind,
            label: first.label.clone(),
            base_url: first.base_url.clone(),
            model: first.model.clone(),
            api_key_ref: first.api_key_ref.clone(),
            api_key_env: first.api_key_env.clone(),
            fallback: first.fallback,
        };
        let further = config.provider.connections.iter().map(|one| Self {
            name: one.name.clone(),
            kind: one.kind,
            label: one.label.clone(),
            base_url: one.base_url.clone(),
            model: Some(one.model.clone()),
            api_key_ref: one.api_key_ref.clone(),
            api_key_env: one.api_key_env.clone(),
            fallback: one.fallback,
        });
        std::iter::once(first).chain(further).collect()
    }

    pub(crate) fn is_set_up(&self) -> bool {
        self.base_url.is_some() || (self.is_managed() && self.model.is_some())
    }

    /// Its server is one of our own.
    pub(crate) fn is_managed(&self) -> bool {
        self.kind == ProviderKind::ManagedLocal
    }

    /// Requests stay on this computer.
    pub(crate) fn is_local(&self) -> bool {
        let url = self.base_url.as_deref().and_then(|url| parse_base_url(url).ok());
        self.is_managed() || url.is_some_and(|url| EndpointConfig::new("", url).is_local())
    }

    /// The vendor's name for people.
    pub(crate) fn label(&self) -> String {
        match (&self.label, &self.base_url) {
            (Some(label), _) => label.clone(),
            (None, _) if self.is_managed() => "the model on this computer".into(),
            (None, Some(url)) => label_for(url, self.api_key_env.as_deref()),
            (None, None) => "no provider".into(),
        }
    }

    fn as_setting(&self) -> Value {
        json!({
            "name": self.name,
            "type": self.kind.as_str(),
            "label": self.label.as_deref().unwrap_or_default(),
            "base_url": self.base_url.as_deref().unwrap_or_default(),
            "model": self.model.as_deref().unwrap_or_default(),
            "api_key_ref": self.api_key_ref.as_deref().unwrap_or_default(),
            "api_key_env": self.api_key_env.as_deref().unwrap_or_default(),
            "fallback": self.fallback,
        })
    }
}

/// The settings that say this.
fn settings(connections: &[Connection]) -> Vec<(&'static str, Value)> {
    let Some((first, further)) = connections.split_first() else { return Vec::new() };
    let text = |value: &Option<String>| Value::from(value.as_deref().unwrap_or_default());
    vec![
        ("provider.name", first.name.as_str().into()),
        ("provider.type", first.kind.as_str().into()),
        ("provider.label", text(&first.label)),
        ("provider.base_url", text(&first.base_url)),
        ("provider.model", text(&first.model)),
        ("provider.api_key_ref", text(&first.api_key_ref)),
        ("provider.api_key_env", text(&first.api_key_env)),
        ("provider.fallback", first.fallback.into()),
        ("provider.connections", further.iter().map(Connection::as_setting).collect()),
    ]
}

impl App {
    /// Every place where models answer, in order.
    pub fn connections_list(&self) -> Vec<ConnectionView> {
        let config = self.inner.config.get();
        Connection::all(&config).iter().filter(|one| one.is_set_up()).map(|one| self.view(one)).collect()
    }

    fn view(&self, connection: &Connection) -> ConnectionView {
        let health = self.inner.health.of(&connection.name);
        let now = self.inner.clock.now();
        ConnectionView {
            name: connection.name.clone(),
            label: connection.label(),
            kind: connection.kind.as_str().into(),
            base_url: connection.base_url.clone().unwrap_or_default(),
            model: connection.model.clone().unwrap_or_default(),
            local: connection.is_local(),
            key: match (&connection.api_key_ref, &connection.api_key_env) {
                (Some(_), _) => KeySource::Vault,
                (None, Some(_)) => KeySource::Environment,
                (None, None) => KeySource::None,
            },
            fallback: connection.fallback,
            problem: health.as_ref().map(|health| health.error.clone()),
            rests_until: health.map(|health| health.rests_until).filter(|until| until.0 > now.0),
            facts: self.facts(connection),
        }
    }

    /// What is known of its model.
    fn facts(&self, connection: &Connection) -> ModelFacts {
        let model = connection.model.as_deref().unwrap_or_default();
        let is_known = self.inner.models.get().find(model, connection.is_local()).is_some();
        let info = self.info(connection, model);
        let price =
            |price: Price| ModelPrice { input_micros: a_million(price.input), output_micros: a_million(price.output) };
        ModelFacts {
            context_tokens: info.context_tokens,
            images: is_known.then_some(info.images),
            tools: is_known.then_some(info.tools),
            price: info.price.map(price),
        }
    }

    /// Puts the connections into this order; the first one answers. Every name has to be there.
    pub fn connections_order(&self, names: &[String]) -> Result<(), ApiError> {
        let order = |all: &mut Vec<Connection>| {
            let mut ordered = Vec::with_capacity(all.len());
            for name in names {
                let at = all.iter().position(|one| one.name == *name).ok_or_else(|| no_connection(name))?;
                ordered.push(all.remove(at));
            }
            if let Some(left) = all.iter().find(|one| one.is_set_up()) {
                return Err(ApiError::new(ErrorCode::InvalidInput, format!("the order leaves out `{}`", left.name))
                    .hint("Name every connection."));
            }
            *all = ordered;
            Ok(())
        };
        self.change_connections(order).map(|_| ())
    }

    /// Whether a connection takes over when those before it do not answer.
    pub fn connection_fallback(&self, name: &str, fallback: bool) -> Result<(), ApiError> {
        let change = |all: &mut Vec<Connection>| {
            let one = all.iter_mut().find(|one| one.name == name).ok_or_else(|| no_connection(name))?;
            one.fallback = fallback;
            Ok(())
        };
        self.change_connections(change).map(|_| ())
    }

    /// Takes a connection out, and its key out of the vault. The next one becomes the first, and
    /// chats that were set to it answer as the settings say.
    pub async fn connection_remove(&self, name: &str) -> Result<(), ApiError> {
        let mut entry = None;
        self.change_connections(|all| {
            let at = all.iter().position(|one| one.name == name).ok_or_else(|| no_connection(name))?;
            entry = all.remove(at).api_key_ref;
            if all.is_empty() {
                all.push(Connection::named("main"));
            }
            Ok(())
        })?;
        self.inner.health.forget(name).await;
        let chats = self.inner.store.forget_choices_of(name).await.map_err(|error| error.to_api_error())?;
        if chats > 0 {
            self.inner.bus.data_changed([Tag::Sessions]);
        }
        self.forget_key(entry).await.map_err(|error| {
            ApiError::new(ErrorCode::VaultUnavailable, format!("the connection is gone, but not its key: {error}"))
                .hint(error.hint())
        })
    }

    /// Takes a key out of the vault that no connection needs any more.
    pub(crate) async fn forget_key(&self, entry: Option<String>) -> Result<(), VaultError> {
        let is_needed = |entry: &String| self.connections().iter().any(|one| one.api_key_ref.as_ref() == Some(entry));
        match entry.filter(|entry| !is_needed(entry)) {
            Some(entry) => self.inner.vault.delete(&entry).await,
            None => Ok(()),
        }
    }

    pub(crate) fn connections(&self) -> Vec<Connection> {
        Connection::all(&self.inner.config.get())
    }

    pub(crate) fn connection(&self, name: &str) -> Result<Connection, ApiError> {
        self.connections().into_iter().find(|one| one.name == name).ok_or_else(|| no_connection(name))
    }

    /// Changes the connections as they are at this moment: another program may change them, too.
    pub(crate) fn change_connections(
        &self,
        change: impl FnOnce(&mut Vec<Connection>) -> Result<(), ApiError>,
    ) -> Result<Saved, ApiError> {
        let saved = self.inner.config.set_from(|config| {
            let mut all = Connection::all(config);
            change(&mut all)?;
            Ok::<_, ApiError>(settings(&all))
        })?;
        self.inner.providers.forget();
        self.inner.engine.forget_learned();
        self.inner.bus.data_changed([Tag::Provider, Tag::Settings]);
        Ok(saved)
    }
}

/// That name, or with a number the first that is free.
pub(crate) fn free_name(all: &[Connection], name: &str) -> String {
    let is_free = |name: &String| all.iter().all(|one| one.name != *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// A new name that people would take for one that is there.
pub(crate) fn refuse_twin(all: &[Connection], name: &str) -> Result<(), ApiError> {
    let is_twin = |one: &&Connection| one.is_set_up() && one.name.to_lowercase() == name.to_lowercase();
    let Some(twin) = all.iter().find(is_twin) else { return Ok(()) };
    let message = format!("`{name}` looks like the connection `{}`", twin.name);
    Err(ApiError::new(ErrorCode::InvalidInput, message).hint("Write it the same, or take another name."))
}

fn no_connection(name: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("there is no connection `{name}`"))
        .hint("`namma connection list` lists those that there are.")
}

/// Billionths of a dollar for one token as millionths for a million of them.
fn a_million(nanos: u64) -> u32 {
    u32::try_from(nanos.saturating_mul(1000)).unwrap_or(u32::MAX)
}

/// The endpoint, spoken to as the settings say.
pub(crate) fn spoken_to(endpoint: EndpointConfig, kind: ProviderKind) -> EndpointConfig {
    let dialect = match kind {
        // A server of our own is not asked through an address.
        ProviderKind::Auto | ProviderKind::ManagedLocal => return endpoint,
        ProviderKind::OpenaiCompatible => Dialect::ChatCompletions,
        ProviderKind::OpenaiResponses => Dialect::Responses,
        ProviderKind::Anthropic => Dialect::Anthropic,
        ProviderKind::Gemini => Dialect::Gemini,
    };
    EndpointConfig { dialect, ..endpoint }
}

/// The vendor's name for people, from its address.
pub(crate) fn label_for(base_url: &str, key_env: Option<&str>) -> String {
    if let Some(preset) = key_env.and_then(preset_for_env).filter(|preset| base_url.starts_with(preset.base_url)) {
        return preset.label.into();
    }
    if let Some(preset) = PRESETS.iter().find(|preset| base_url.starts_with(preset.base_url)) {
        return preset.label.into();
    }
    let Ok(url) = parse_base_url(base_url) else { return "the server".into() };
    let host = url.host_str().unwrap_or("the server").to_owned();
    match (EndpointConfig::new("", url.clone()).is_local(), url.port_or_known_default()) {
        (true, Some(11434)) => "Ollama".into(),
        (true, Some(1234)) => "LM Studio".into(),
        (true, Some(8080)) => "llama-server".into(),
        (true, Some(port)) => format!("{host}:{port}"),
        _ => host,
    }
}
