//! What the places where models answer offer, and trying them.

use crate::builder::App;
use crate::choice::usual;
use crate::connections::Connection;
use namma_config::Secret;
use namma_core::ports::ProviderError;
use namma_protocol::{
    ApiError, ConnectionTest, ErrorCode, FoundKind, FoundProvider, LocalKeeper, ModelList, ProviderStatus, Vendor,
};
use namma_providers::{
    PRESETS, Preset, TestReport, discover_local, known_models, list_models, test_endpoint, test_model, verdict,
};

impl App {
    /// What the assistant would answer with. Asks nobody.
    pub async fn provider_status(&self) -> ProviderStatus {
        let connections = self.connections();
        self.status_of(&connections[usual(&connections)]).await
    }

    pub(crate) async fn status_of(&self, connection: &Connection) -> ProviderStatus {
        if connection.is_managed() {
            return self.local_status(connection);
        }
        let endpoint = self.endpoint(connection).await;
        let mut problem = endpoint.as_ref().err().map(|error| error.to_api_error(&connection.label()));
        if problem.is_none() && connection.model.is_none() {
            problem = Some(
                ApiError::new(ErrorCode::ModelNotFound, "no model is chosen yet")
                    .hint("Pick a model under Settings, Providers, or with `namma connection set`."),
            );
        }
        ProviderStatus {
            ready: problem.is_none(),
            label: connection.label(),
            model: connection.model.clone().unwrap_or_default(),
            base_url: connection.base_url.clone().unwrap_or_default(),
            local: connection.is_local(),
            problem,
        }
    }

    /// Model servers on this computer, and vendors whose key is in the environment.
    pub async fn provider_discover(&self) -> Vec<FoundProvider> {
        let mut found = discover_local(self.inner.local_ports).await;
        let environment = self.inner.config.environment();
        // Names only: the keys stay where they are.
        let holds_key = |variable| environment.key(variable).is_some_and(|text| Secret::from_pasted(&text).is_some());
        found.extend(PRESETS.iter().filter(|preset| holds_key(preset.key_env)).map(|preset| FoundProvider {
            kind: FoundKind::Environment,
            label: preset.label.into(),
            base_url: preset.base_url.into(),
            models: Vec::new(),
            key_env: Some(preset.key_env.into()),
        }));
        found
    }

    /// Asks the configured model for one word.
    pub async fn provider_test(&self) -> Result<ProviderStatus, ApiError> {
        let connections = self.connections();
        let usual = &connections[usual(&connections)];
        self.tested(usual).await.map_err(|error| error.to_api_error(&usual.label()))?;
        Ok(self.status_of(usual).await)
    }

    /// Asks a connection for one word, and says what exactly is the matter.
    pub async fn connection_test(&self, name: &str) -> Result<ConnectionTest, ApiError> {
        let connection = self.connection(name)?;
        Ok(verdict(&self.tested(&connection).await, &connection.label()))
    }

    /// A test that works ends the rest, and the next turn asks with what was tested.
    async fn tested(&self, connection: &Connection) -> Result<TestReport, ProviderError> {
        let tested = self.test(connection).await;
        if tested.is_ok() {
            self.inner.providers.drop_one(&connection.name);
            self.inner.engine.forget_learned();
            self.inner.health.forget(&connection.name).await;
        }
        tested
    }

    /// A server of our own may have to be started first, and takes as long as that takes.
    async fn test(&self, connection: &Connection) -> Result<TestReport, ProviderError> {
        let model = connection.model.as_deref().unwrap_or_default();
        if connection.is_managed() {
            let limit = self.inner.config.get().local_model.start_timeout();
            return test_model(self.local_provider(connection).as_ref(), model, limit).await;
        }
        test_endpoint(&self.endpoint(connection).await?, model).await
    }

    /// The models that a connection offers, or those that are known of its vendor.
    pub async fn connection_models(&self, name: &str) -> Result<ModelList, ApiError> {
        let connection = self.connection(name)?;
        if connection.is_managed() {
            let here = self.local_models().await?.installed.into_iter();
            let models = here.filter(|model| model.keeper == LocalKeeper::Managed).map(|model| model.name).collect();
            return Ok(ModelList { models, is_fallback: false });
        }
        let endpoint = self.endpoint(&connection).await.map_err(|error| error.to_api_error(&connection.label()))?;
        match list_models(&endpoint).await {
            Ok(models) => Ok(ModelList { models, is_fallback: false }),
            Err(error) => {
                let models: Vec<String> = known_models(&endpoint).iter().map(|model| (*model).to_owned()).collect();
                if models.is_empty() {
                    return Err(error.to_api_error(&connection.label()));
                }
                Ok(ModelList { models, is_fallback: true })
            }
        }
    }
}

/// An address as the settings keep it.
pub(crate) fn plain_address(base_url: &str) -> &str {
    base_url.trim_end_matches('/')
}

/// The services that can be set up by choosing them.
pub fn vendors() -> Vec<Vendor> {
    let vendor =
        |preset: &Preset| Vendor { label: preset.label, base_url: preset.base_url, key_prefix: preset.key_prefix };
    PRESETS.iter().map(vendor).collect()
}
