//! Which model answers, and whether it can.

use crate::builder::App;
use namma_config::{Config, ProviderKind, Secret, environment_keys, resolve_key};
use namma_core::BoxFuture;
use namma_core::ports::{ModelRequest, ModelStream, Provider, ProviderError};
use namma_protocol::{ApiError, ConfigureProvider, ErrorCode, FoundKind, FoundProvider, ProviderStatus, Tag};
use namma_providers::{
    Dialect, EndpointConfig, Timeouts, connect, discover_local, list_models, parse_base_url, preset_for_env,
    test_endpoint,
};
use std::sync::{Arc, Mutex, PoisonError};

/// What a turn says of its model when none is set up.
pub const NO_MODEL: &str = "no model";

/// The entry of the vault that holds the pasted key.
const VAULT_ENTRY: &str = "provider";

/// The provider made last, as long as its settings stay the same: a new client per turn would
/// throw away open connections, and a look into the vault takes a while.
#[derive(Default)]
pub(crate) struct ProviderCache(Mutex<Option<(namma_config::Provider, Arc<dyn Provider>)>>);

impl ProviderCache {
    fn get(&self, settings: &namma_config::Provider) -> Option<Arc<dyn Provider>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().filter(|(of, _)| of == settings).map(|(_, provider)| Arc::clone(provider))
    }

    fn put(&self, settings: namma_config::Provider, provider: Arc<dyn Provider>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((settings, provider));
    }

    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Answers every request with the same refusal: the question is kept and the reason shown.
struct Unready(ProviderError);

impl Provider for Unready {
    fn label(&self) -> &str {
        "the model"
    }

    fn stream(&self, _: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(async { Err(self.0.clone()) })
    }
}

impl App {
    /// The provider of the next turn. Never fails: one that is not set up refuses when asked.
    pub(crate) async fn provider(&self, config: &Config) -> Arc<dyn Provider> {
        if config.provider.kind == ProviderKind::ManagedLocal {
            return self.local_provider(config);
        }
        if let Some(provider) = self.inner.providers.get(&config.provider) {
            return provider;
        }
        match self.endpoint(config).await {
            Ok(endpoint) => {
                let provider = connect(endpoint);
                self.inner.providers.put(config.provider.clone(), Arc::clone(&provider));
                provider
            }
            Err(error) => Arc::new(Unready(error)),
        }
    }

    async fn endpoint(&self, config: &Config) -> Result<EndpointConfig, ProviderError> {
        let settings = &config.provider;
        let base_url = settings.base_url.as_deref().ok_or(ProviderError::NotConfigured)?;
        let base_url = parse_base_url(base_url)
            .map_err(|error| ProviderError::BadRequest { status: 0, message: error.to_string() })?;
        let label = label_of(settings);
        let key = resolve_key(settings, self.inner.vault.as_ref(), self.inner.config.environment()).await.map_err(
            |error| {
                tracing::warn!(%error, "the key is not to be had");
                ProviderError::KeyMissing { label: label.clone() }
            },
        )?;
        let timeouts = Timeouts {
            connect: settings.connect_timeout(),
            first_byte: settings.first_token_timeout(),
            idle: settings.idle_timeout(),
        };
        let endpoint = EndpointConfig { timeouts, ..EndpointConfig::new(label, base_url) };
        let endpoint = spoken_to(endpoint, settings.kind);
        Ok(match key {
            Some(key) => {
                self.inner.redactor.add("API key", key.expose());
                endpoint.with_key(key.expose())
            }
            None => endpoint,
        })
    }

    /// What the assistant would answer with. Asks nobody.
    pub async fn provider_status(&self) -> ProviderStatus {
        let config = self.inner.config.get();
        let settings = &config.provider;
        if settings.kind == ProviderKind::ManagedLocal {
            return self.local_status(&config);
        }
        let endpoint = self.endpoint(&config).await;
        let mut problem = endpoint.as_ref().err().map(|error| error.to_api_error(&label_of(settings)));
        if problem.is_none() && settings.model.is_none() {
            problem = Some(
                ApiError::new(ErrorCode::ModelNotFound, "no model is chosen yet")
                    .hint("Pick a model under Settings, Providers."),
            );
        }
        let local = settings
            .base_url
            .as_deref()
            .and_then(|url| parse_base_url(url).ok())
            .is_some_and(|url| EndpointConfig::new("", url).is_local());
        ProviderStatus {
            ready: problem.is_none(),
            label: label_of(settings),
            model: settings.model.clone().unwrap_or_default(),
            base_url: settings.base_url.clone().unwrap_or_default(),
            local,
            problem,
        }
    }

    /// Model servers on this computer, and vendors whose key is in the environment.
    pub async fn provider_discover(&self) -> Vec<FoundProvider> {
        let mut found = discover_local(self.inner.local_ports).await;
        for known in environment_keys(self.inner.config.environment()) {
            // Only vendors whose dialect we speak.
            let Some(preset) = preset_for_env(known.variable) else { continue };
            found.push(FoundProvider {
                kind: FoundKind::Environment,
                label: preset.label.into(),
                base_url: preset.base_url.into(),
                models: Vec::new(),
                key_env: Some(known.variable.into()),
            });
        }
        found
    }

    /// Tries a choice of brain, and keeps it when it works. On an error nothing has changed.
    pub async fn provider_configure(&self, choice: ConfigureProvider) -> Result<ProviderStatus, ApiError> {
        let base_url = parse_base_url(&choice.base_url).map_err(|error| {
            ApiError::new(ErrorCode::InvalidInput, error.to_string())
                .hint("Give the address up to the version, for example http://127.0.0.1:11434/v1.")
        })?;
        let label = label_for(base_url.as_str(), choice.key_env.as_deref());
        let chosen = self.chosen_key(&choice, base_url.as_str()).await?;
        let kind = self.inner.config.get().provider.kind;
        let is_managed = kind == ProviderKind::ManagedLocal;
        let mut endpoint = spoken_to(EndpointConfig::new(label.clone(), base_url.clone()), kind);
        if let Some(key) = &chosen.key {
            self.inner.redactor.add("API key", key.expose());
            endpoint = endpoint.with_key(key.expose());
        }
        let said = |error: ProviderError| error.to_api_error(&label);
        let model = match choice.model.trim() {
            "" => list_models(&endpoint).await.map_err(said)?.into_iter().next().ok_or_else(|| {
                ApiError::new(ErrorCode::ModelNotFound, format!("{label} offers no model"))
                    .hint("Load or download a model there first.")
            })?,
            model => model.to_owned(),
        };
        if let Err(error) = test_endpoint(&endpoint, &model).await {
            // A local model that is still being loaded answers late; it is there all the same.
            let slow_but_there = endpoint.is_local()
                && matches!(error, ProviderError::TimedOut { .. })
                && list_models(&endpoint).await.is_ok_and(|models| models.contains(&model));
            if !slow_but_there {
                return Err(said(error));
            }
        }
        if let Some(key) = chosen.key.filter(|_| chosen.to_vault) {
            self.inner
                .vault
                .set(VAULT_ENTRY, key)
                .await
                .map_err(|error| ApiError::new(ErrorCode::VaultUnavailable, error.to_string()).hint(error.hint()))?;
        }
        let changes = [
            ("provider.base_url", plain_address(base_url.as_str()).into()),
            ("provider.label", label.into()),
            ("provider.model", model.into()),
            ("provider.api_key_ref", chosen.entry.into()),
            ("provider.api_key_env", chosen.variable.into()),
        ];
        // From now on an address is asked.
        let no_longer_ours = is_managed.then(|| ("provider.type", "auto".into()));
        self.inner.config.set_all(changes.into_iter().chain(no_longer_ours)).map_err(ApiError::from)?;
        self.inner.providers.forget();
        self.inner.bus.data_changed([Tag::Provider, Tag::Settings]);
        Ok(self.provider_status().await)
    }

    /// The key of a choice: pasted, in the environment, or, for the same server, the one in use.
    async fn chosen_key(&self, choice: &ConfigureProvider, base_url: &str) -> Result<ChosenKey, ApiError> {
        if let Some(pasted) = choice.api_key.as_deref().filter(|text| !text.trim().is_empty()) {
            let key = Secret::from_pasted(pasted).ok_or_else(|| {
                ApiError::new(ErrorCode::InvalidInput, "what was pasted cannot be a key")
                    .hint("Paste the key alone, without spaces or line breaks.")
            })?;
            return Ok(ChosenKey {
                key: Some(key),
                to_vault: true,
                entry: VAULT_ENTRY.into(),
                variable: String::new(),
            });
        }
        if let Some(variable) = &choice.key_env {
            let text = self.inner.config.environment().get(variable);
            let key = text.and_then(|text| Secret::from_pasted(&text));
            return Ok(ChosenKey { key, to_vault: false, entry: String::new(), variable: variable.clone() });
        }
        let config = self.inner.config.get();
        let settings = &config.provider;
        if settings.base_url.as_deref().map(plain_address) != Some(plain_address(base_url)) {
            return Ok(ChosenKey::default());
        }
        let key = resolve_key(settings, self.inner.vault.as_ref(), self.inner.config.environment()).await?;
        Ok(ChosenKey {
            key,
            to_vault: false,
            entry: settings.api_key_ref.clone().unwrap_or_default(),
            variable: settings.api_key_env.clone().unwrap_or_default(),
        })
    }

    /// Asks the configured model for one word.
    pub async fn provider_test(&self) -> Result<ProviderStatus, ApiError> {
        let config = self.inner.config.get();
        let label = label_of(&config.provider);
        if config.provider.kind == ProviderKind::ManagedLocal {
            self.local_test(&config).await.map_err(|error| error.to_api_error(&label))?;
            return Ok(self.provider_status().await);
        }
        let endpoint = self.endpoint(&config).await.map_err(|error| error.to_api_error(&label))?;
        let model = config.provider.model.clone().unwrap_or_default();
        test_endpoint(&endpoint, &model).await.map_err(|error| error.to_api_error(&label))?;
        Ok(self.provider_status().await)
    }
}

/// A key and where it will be found from now on.
#[derive(Default)]
struct ChosenKey {
    key: Option<Secret>,
    to_vault: bool,
    entry: String,
    variable: String,
}

/// The endpoint, spoken to as the settings say.
fn spoken_to(endpoint: EndpointConfig, kind: ProviderKind) -> EndpointConfig {
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

/// An address as the settings keep it.
pub(crate) fn plain_address(base_url: &str) -> &str {
    base_url.trim_end_matches('/')
}

fn label_of(settings: &namma_config::Provider) -> String {
    match (&settings.label, &settings.base_url) {
        (Some(label), _) => label.clone(),
        (None, Some(url)) => label_for(url, settings.api_key_env.as_deref()),
        (None, None) => "no provider".into(),
    }
}

/// The vendor's name for people, from its address.
fn label_for(base_url: &str, key_env: Option<&str>) -> String {
    if let Some(preset) = key_env.and_then(preset_for_env).filter(|preset| base_url.starts_with(preset.base_url)) {
        return preset.label.into();
    }
    if let Some(preset) = namma_providers::PRESETS.iter().find(|preset| base_url.starts_with(preset.base_url)) {
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
