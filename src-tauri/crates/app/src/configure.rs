//! Setting up a place where models answer: tried first, kept when it works.

use crate::builder::App;
use crate::connections::{Connection, label_for, refuse_twin, spoken_to};
use crate::providers::plain_address;
use namma_config::{ProviderKind, Secret, resolve_key};
use namma_core::ports::ProviderError;
use namma_protocol::{ApiError, ConfigureProvider, ErrorCode, ProviderStatus};
use namma_providers::{EndpointConfig, list_models, parse_base_url, test_endpoint};
use url::Url;

/// The first entry of the vault that a pasted key goes to.
const VAULT_ENTRY: &str = "provider";

impl App {
    /// Tries a choice of brain, and keeps it when it works; then tells of it. On an error nothing has
    /// changed.
    pub async fn provider_configure(&self, choice: ConfigureProvider) -> Result<ProviderStatus, ApiError> {
        if choice.base_url.trim().is_empty()
            && let Some(name) = &choice.connection
            && let Some(status) = self.other_local_model(name, choice.model.trim()).await?
        {
            return Ok(status);
        }
        refuse_more_than_an_address(&choice.base_url)?;
        let base_url = parse_base_url(&choice.base_url).map_err(|error| {
            ApiError::new(ErrorCode::InvalidInput, error.to_string())
                .hint("Give the address up to the version, for example http://127.0.0.1:11434/v1.")
        })?;
        let all = self.connections();
        let before = meant(&all, choice.connection.as_deref())?;
        let kind = kind_of(&choice, &before)?;
        let label = label_for(base_url.as_str(), choice.key_env.as_deref());
        let chosen = self.chosen_key(&choice, &before, base_url.as_str()).await?;
        let mut endpoint = spoken_to(EndpointConfig::new(label, base_url.clone()), kind);
        if let Some(key) = &chosen.key {
            self.inner.redactor.add("API key", key.expose());
            endpoint = endpoint.with_key(key.expose());
        }
        let stays = is_at(&before, base_url.as_str());
        let wanted = match choice.model.trim() {
            "" if stays => before.model.as_deref().unwrap_or_default(),
            wanted => wanted,
        };
        let model = self.working_model(&endpoint, wanted).await?;
        let made = Connection {
            name: before.name.clone(),
            kind,
            // Told from the address, unless it was named by hand and is still there.
            label: before.label.clone().filter(|_| stays),
            base_url: Some(plain_address(base_url.as_str()).into()),
            model: Some(model),
            api_key_ref: chosen.entry,
            api_key_env: chosen.variable,
            fallback: choice.fallback,
        };
        let made = self.keep(made, chosen.key.filter(|_| chosen.to_vault)).await?;
        self.inner.health.forget(&made.name).await;
        if let Err(error) = self.forget_key(before.api_key_ref).await {
            tracing::warn!(%error, "a key that no connection needs any more stays in the vault");
        }
        Ok(self.status_of(&made).await)
    }

    /// Keeps a connection, and its key if that is to go to the vault: both or neither.
    async fn keep(&self, mut made: Connection, key: Option<Secret>) -> Result<Connection, ApiError> {
        let fresh = key.is_some().then(|| free_entry(&self.connections()));
        if let (Some(entry), Some(key)) = (&fresh, key) {
            let unkept = |error: namma_config::VaultError| {
                ApiError::new(ErrorCode::VaultUnavailable, error.to_string()).hint(error.hint())
            };
            self.inner.vault.set(entry, key).await.map_err(unkept)?;
            made.api_key_ref = Some(entry.clone());
        }
        let saved = self.change_connections(|all| {
            let is_new = |one: &Connection| !one.is_set_up();
            match all.iter().position(|one| one.name == made.name) {
                Some(0) if is_new(&all[0]) => made.fallback = true,
                Some(_) => {}
                // Nothing is set up: whatever comes first answers first, by whatever name.
                None if all.iter().all(is_new) => {
                    made.fallback = true;
                    all.truncate(1);
                    all[0].name.clone_from(&made.name);
                }
                None => all.push(Connection::named(&made.name)),
            }
            for one in all.iter_mut().filter(|one| one.name == made.name) {
                one.clone_from(&made);
            }
            Ok(())
        });
        if let Err(error) = saved {
            if let Err(error) = self.forget_key(fresh).await {
                tracing::warn!(%error, "the key of a connection that was not kept stays in the vault");
            }
            return Err(error);
        }
        Ok(made)
    }

    /// Another model for a connection whose server is ours; `None` when it is not.
    async fn other_local_model(&self, name: &str, model: &str) -> Result<Option<ProviderStatus>, ApiError> {
        let Some(before) = self.connections().into_iter().find(|one| one.name == name && one.is_managed()) else {
            return Ok(None);
        };
        self.inner.local.shelf().find(model)?;
        self.change_connections(|all| {
            for one in all.iter_mut().filter(|one| one.name == name && one.is_managed()) {
                one.model = Some(model.to_owned());
            }
            Ok(())
        })?;
        self.inner.health.forget(name).await;
        Ok(Some(self.status_of(&Connection { model: Some(model.to_owned()), ..before }).await))
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
        if !is_at(current, base_url) {
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
}

/// A key and where it will be found from now on.
#[derive(Default)]
struct ChosenKey {
    key: Option<Secret>,
    to_vault: bool,
    entry: Option<String>,
    variable: Option<String>,
}

/// A password or a query may hold a key, which would stand in the settings or be lost without a word.
/// The address is not shown again.
fn refuse_more_than_an_address(text: &str) -> Result<(), ApiError> {
    let text = text.trim();
    let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("https://{text}")) };
    let is_more = |url: &Url| !url.username().is_empty() || url.password().is_some() || url.query().is_some();
    // What cannot be read at all is refused with what is wrong with it.
    if !url.as_ref().is_ok_and(is_more) {
        return Ok(());
    }
    let message = "the address holds a user name, a password or a query (what stands behind `?`)";
    Err(ApiError::new(ErrorCode::InvalidInput, message)
        .hint("Give the address alone, and the key by itself: in Settings, or with `--key` or `--key-env VARIABLE`."))
}

/// The connection that is to be set up as it is now: the first when none is named.
fn meant(all: &[Connection], name: Option<&str>) -> Result<Connection, ApiError> {
    let Some(name) = name else { return Ok(all[0].clone()) };
    if let Some(one) = all.iter().find(|one| one.name == name) {
        return Ok(one.clone());
    }
    refuse_twin(all, name)?;
    Ok(Connection::named(name))
}

fn kind_of(choice: &ConfigureProvider, before: &Connection) -> Result<ProviderKind, ApiError> {
    let Some(word) = choice.kind.as_deref() else {
        // From now on an address is asked.
        return Ok(if before.is_managed() { ProviderKind::Auto } else { before.kind });
    };
    ProviderKind::of(word).ok_or_else(|| {
        let known = ProviderKind::ALL.map(ProviderKind::as_str).join(", ");
        ApiError::new(ErrorCode::InvalidInput, format!("there is no provider type `{word}`"))
            .hint(format!("There are {known}; `auto` fits nearly everything."))
    })
}

fn is_at(connection: &Connection, base_url: &str) -> bool {
    connection.base_url.as_deref().map(plain_address) == Some(plain_address(base_url))
}

/// An entry of the vault that no connection uses. The key before, if any, stays in its own until
/// the new one is named in the settings.
fn free_entry(all: &[Connection]) -> String {
    let is_free = |name: &String| all.iter().all(|one| one.api_key_ref.as_ref() != Some(name));
    let names = std::iter::once(VAULT_ENTRY.to_owned()).chain((2..).map(|number| format!("{VAULT_ENTRY}-{number}")));
    names.into_iter().find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::free_entry;
    use crate::connections::Connection;

    #[test]
    fn a_key_never_takes_the_place_of_another_one() {
        let with = |entry: Option<&str>| Connection { api_key_ref: entry.map(str::to_owned), ..Connection::named("x") };
        assert_eq!(free_entry(&[with(None)]), "provider");
        assert_eq!(free_entry(&[with(None), with(Some("provider"))]), "provider-2");
        assert_eq!(free_entry(&[with(Some("provider")), with(Some("provider-2")), with(None)]), "provider-3");
        assert_eq!(free_entry(&[with(Some("mine")), with(Some("provider-2"))]), "provider");
    }
}
