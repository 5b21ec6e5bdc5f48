//! Setting up a place where models answer, and trying it.

use crate::builder::App;
use crate::connections::{Connection, label_for, refuse_twin, spoken_to};
use namma_config::{ProviderKind, Secret, environment_keys, resolve_key};
use namma_core::ports::ProviderError;
use namma_protocol::{
    ApiError, ConfigureProvider, ConnectionTest, ErrorCode, FoundKind, FoundProvider, LocalKeeper, ModelList,
    ProviderStatus,
};
use namma_providers::{
    EndpointConfig, TestReport, discover_local, known_models, list_models, parse_base_url, preset_for_env,
    test_endpoint, test_model, verdict,
};

/// The first entry of the vault that a pasted key goes to.
const VAULT_ENTRY: &str = "provider";

impl App {
    /// What the assistant would answer with. Asks nobody.
    pub async fn provider_status(&self) -> ProviderStatus {
        let connections = self.connections();
        self.status_of(connections.iter().find(|one| one.is_set_up()).unwrap_or(&connections[0])).await
    }

    async fn status_of(&self, connection: &Connection) -> ProviderStatus {
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

    /// Tries a choice of brain, and keeps it when it works; then tells of it. On an error nothing has
    /// changed.
    pub async fn provider_configure(&self, choice: ConfigureProvider) -> Result<ProviderStatus, ApiError> {
        if choice.base_url.trim().is_empty()
            && let Some(name) = &choice.connection
            && let Some(status) = self.other_local_model(name, choice.model.trim()).await?
        {
            return Ok(status);
        }
        let base_url = parse_base_url(&choice.base_url).map_err(|error| {
            ApiError::new(ErrorCode::InvalidInput, error.to_string())
                .hint("Give the address up to the version, for example http://127.0.0.1:11434/v1.")
        })?;
        let mut all = self.connections();
        let at = match &choice.connection {
            None => 0,
            Some(name) => match all.iter().position(|one| one.name == *name) {
                Some(at) => at,
                None => {
                    refuse_twin(&all, name)?;
                    all.push(Connection::named(name));
                    all.len() - 1
                }
            },
        };
        let is_new = !all[at].is_set_up();
        let kind = match choice.kind.as_deref() {
            // From now on an address is asked.
            None if all[at].is_managed() => ProviderKind::Auto,
            None => all[at].kind,
            Some(word) => ProviderKind::of(word).ok_or_else(|| {
                let known = ProviderKind::ALL.map(ProviderKind::as_str).join(", ");
                ApiError::new(ErrorCode::InvalidInput, format!("there is no provider type `{word}`"))
                    .hint(format!("There are {known}; `auto` fits nearly everything."))
            })?,
        };
        let label = label_for(base_url.as_str(), choice.key_env.as_deref());
        let chosen = self.chosen_key(&choice, &all[at], base_url.as_str()).await?;
        let mut endpoint = spoken_to(EndpointConfig::new(label.clone(), base_url.clone()), kind);
        if let Some(key) = &chosen.key {
            self.inner.redactor.add("API key", key.expose());
            endpoint = endpoint.with_key(key.expose());
        }
        let stays = all[at].base_url.as_deref().map(plain_address) == Some(plain_address(base_url.as_str()));
        let wanted = match choice.model.trim() {
            "" if stays => all[at].model.as_deref().unwrap_or_default(),
            wanted => wanted,
        };
        let model = self.working_model(&endpoint, wanted).await?;
        let mut entry = chosen.entry;
        if let Some(key) = chosen.key.filter(|_| chosen.to_vault) {
            let name = free_entry(&all, at);
            self.inner
                .vault
                .set(&name, key)
                .await
                .map_err(|error| ApiError::new(ErrorCode::VaultUnavailable, error.to_string()).hint(error.hint()))?;
            entry = Some(name);
        }
        let made = Connection {
            name: all[at].name.clone(),
            kind,
            // Told from the address, unless it was named by hand and is still there.
            label: all[at].label.clone().filter(|_| stays),
            base_url: Some(plain_address(base_url.as_str()).into()),
            model: Some(model),
            api_key_ref: entry,
            api_key_env: chosen.variable,
            fallback: choice.fallback || (at == 0 && is_new),
        };
        let name = made.name.clone();
        let is_first = choice.connection.is_none();
        self.change_connections(|all| {
            let at = if is_first { Some(0) } else { all.iter().position(|one| one.name == made.name) };
            match at {
                Some(at) => all[at] = made,
                None => all.push(made),
            }
            Ok(())
        })?;
        self.inner.health.forget(&name).await;
        Ok(self.status_of(&self.connection(Some(&name))?).await)
    }

    /// Another model for a connection whose server is ours; `None` when it is not.
    async fn other_local_model(&self, name: &str, model: &str) -> Result<Option<ProviderStatus>, ApiError> {
        if !self.connections().iter().any(|one| one.name == name && one.is_managed()) {
            return Ok(None);
        }
        self.inner.local.shelf().find(model)?;
        self.change_connections(|all| {
            for one in all.iter_mut().filter(|one| one.name == name && one.is_managed()) {
                one.model = Some(model.to_owned());
            }
            Ok(())
        })?;
        Ok(Some(self.provider_status().await))
    }

    /// The model of that name, or the first one offered, once it has answered.
    async fn working_model(&self, endpoint: &EndpointConfig, wanted: &str) -> Result<String, ApiError> {
        let said = |error: ProviderError| error.to_api_error(&endpoint.label);
        let model = match wanted {
            "" => list_models(endpoint).await.map_err(said)?.into_iter().next().ok_or_else(|| {
                ApiError::new(ErrorCode::ModelNotFound, format!("{} offers no model", endpoint.label))
                    .hint("Load or download a model there first.")
            })?,
            model => model.to_owned(),
        };
        if let Err(error) = test_endpoint(endpoint, &model).await {
            // A local model that is still being loaded answers late; it is there all the same.
            let slow_but_there = endpoint.is_local()
                && matches!(error, ProviderError::TimedOut { .. })
                && list_models(endpoint).await.is_ok_and(|models| models.contains(&model));
            if !slow_but_there {
                return Err(said(error));
            }
        }
        Ok(model)
    }

    /// The key of a choice: pasted, in the environment, or, for the same server, the one in use.
    async fn chosen_key(
        &self,
        choice: &ConfigureProvider,
        current: &Connection,
        base_url: &str,
    ) -> Result<ChosenKey, ApiError> {
        let environment = self.inner.config.environment();
        if let Some(pasted) = choice.api_key.as_deref().filter(|text| !text.trim().is_empty()) {
            let key = Secret::from_pasted(pasted).ok_or_else(|| {
                ApiError::new(ErrorCode::InvalidInput, "what was pasted cannot be a key")
                    .hint("Paste the key alone, without spaces or line breaks.")
            })?;
            return Ok(ChosenKey { key: Some(key), to_vault: true, ..ChosenKey::default() });
        }
        if let Some(variable) = &choice.key_env {
            let key = environment.key(variable).and_then(|text| Secret::from_pasted(&text));
            if key.is_none() || choice.keep_key {
                let missing = || {
                    ApiError::new(ErrorCode::KeyMissing, format!("there is no key in {variable}"))
                        .hint("Set the variable, or write it into `.env` in your configuration or home folder.")
                };
                return Ok(ChosenKey { key: Some(key.ok_or_else(missing)?), to_vault: true, ..ChosenKey::default() });
            }
            return Ok(ChosenKey { key, variable: Some(variable.clone()), ..ChosenKey::default() });
        }
        if current.base_url.as_deref().map(plain_address) != Some(plain_address(base_url)) {
            return Ok(ChosenKey::default());
        }
        let (entry, variable) = (current.api_key_ref.as_deref(), current.api_key_env.as_deref());
        let key = resolve_key(entry, variable, self.inner.vault.as_ref(), environment).await?;
        Ok(ChosenKey {
            key,
            to_vault: false,
            entry: current.api_key_ref.clone(),
            variable: current.api_key_env.clone(),
        })
    }

    /// Asks the configured model for one word.
    pub async fn provider_test(&self) -> Result<ProviderStatus, ApiError> {
        let connections = self.connections();
        let usual = connections.iter().find(|one| one.is_set_up()).unwrap_or(&connections[0]);
        self.test(usual).await.map_err(|error| error.to_api_error(&usual.label()))?;
        Ok(self.provider_status().await)
    }

    /// Asks a connection for one word, and says what exactly is the matter.
    pub async fn connection_test(&self, name: &str) -> Result<ConnectionTest, ApiError> {
        let connection = self.connection(Some(name))?;
        let tested = self.test(&connection).await;
        if tested.is_ok() {
            self.inner.health.forget(name).await;
        }
        Ok(verdict(&tested, &connection.label()))
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
        let connection = self.connection(Some(name))?;
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

/// A key and where it will be found from now on.
#[derive(Default)]
struct ChosenKey {
    key: Option<Secret>,
    to_vault: bool,
    entry: Option<String>,
    variable: Option<String>,
}

/// The entry of the vault for a new key: the connection's own, or the first that no other one uses.
fn free_entry(all: &[Connection], at: usize) -> String {
    let others: Vec<&str> = all
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != at)
        .filter_map(|(_, one)| one.api_key_ref.as_deref())
        .collect();
    if let Some(own) = all[at].api_key_ref.as_deref().filter(|own| !others.contains(own)) {
        return own.to_owned();
    }
    let names = std::iter::once(VAULT_ENTRY.to_owned()).chain((2..).map(|number| format!("{VAULT_ENTRY}-{number}")));
    names.into_iter().find(|name| !others.contains(&name.as_str())).unwrap_or_default()
}

/// An address as the settings keep it.
pub(crate) fn plain_address(base_url: &str) -> &str {
    base_url.trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::free_entry;
    use crate::connections::Connection;

    #[test]
    fn a_key_never_takes_the_place_of_another_connections_key() {
        let with = |entry: Option<&str>| Connection { api_key_ref: entry.map(str::to_owned), ..Connection::named("x") };
        assert_eq!(free_entry(&[with(None)], 0), "provider");
        assert_eq!(free_entry(&[with(None), with(Some("provider"))], 0), "provider-2");
        assert_eq!(free_entry(&[with(Some("provider")), with(Some("provider-2")), with(None)], 2), "provider-3");
        assert_eq!(free_entry(&[with(Some("mine")), with(Some("provider"))], 0), "mine", "its own is replaced");
        assert_eq!(free_entry(&[with(Some("shared")), with(Some("shared"))], 0), "provider");
    }
}
