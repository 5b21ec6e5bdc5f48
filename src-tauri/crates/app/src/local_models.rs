//! Models on this computer: what is here, bringing one, removing one, and answering with one.

mod answering;

use crate::builder::App;
use crate::connections::{Connection, free_name};
use crate::providers::plain_address;
use namma_config::{Catalogue, ProviderKind, Saved, load_catalogue};
use namma_core::ports::ProviderError;
use namma_local::{Install, LocalError, ServerSettings, ShelvedModel, Source, find_server, kept_elsewhere};
use namma_protocol::{
    ApiError, CatalogueModel, ErrorCode, InstallLocalModel, InstallProgress, LocalKeeper, LocalModel, LocalModels,
    LocalWay, OfferedModel, RemovedLocalModel, Tag,
};
use namma_providers::{LmStudio, Ollama, ServedModel, parse_base_url};
use std::path::Path;
use url::Url;

/// An installation that runs while it is waited for; dropping it stops it.
pub struct LocalInstall {
    app: App,
    install: Install,
}

impl LocalInstall {
    /// Waits for the end. `tell` hears how far it is.
    ///
    /// # Errors
    /// Why the model could not be installed. What has arrived of a download is kept.
    pub async fn finish(self, tell: impl FnMut(InstallProgress)) -> Result<LocalModel, ApiError> {
        let installed = self.install.finish(tell).await?;
        self.app.inner.bus.data_changed([Tag::Provider]);
        Ok(self.app.marked(installed))
    }
}

/// What the servers of others on this computer have; `None` is one that does not run.
struct Elsewhere {
    ollama: Option<Vec<ServedModel>>,
    lm_studio: Option<Vec<ServedModel>>,
}

impl App {
    /// Everything about models on this computer. Asks the servers that run here.
    ///
    /// # Errors
    /// When our own list, or the person's part of the catalogue, cannot be read.
    pub async fn local_models(&self) -> Result<LocalModels, ApiError> {
        let catalogue = self.catalogue()?;
        let elsewhere = self.elsewhere().await;
        let ways = self.ways(&elsewhere);
        let mut installed: Vec<LocalModel> =
            self.inner.local.shelf().models()?.iter().map(|model| model.to_local_model()).collect();
        let served = [(LocalKeeper::Ollama, elsewhere.ollama), (LocalKeeper::LmStudio, elsewhere.lm_studio)];
        for (keeper, models) in served {
            installed.extend(models.into_iter().flatten().map(|model| kept_elsewhere(keeper, model)));
        }
        let installed: Vec<LocalModel> = installed.into_iter().map(|model| self.marked(model)).collect();
        let is_installed = |offered: &CatalogueModel| {
            installed.iter().any(|model| match model.keeper {
                LocalKeeper::Managed => model.name == offered.name,
                LocalKeeper::Ollama => offered.ollama.as_deref().map(Ollama::full_name).as_ref() == Some(&model.name),
                LocalKeeper::LmStudio => offered.lm_studio.as_ref() == Some(&model.name),
            })
        };
        let offered = |model: CatalogueModel| {
            let is_here = is_installed(&model);
            model.offered(is_here)
        };
        let offered: Vec<OfferedModel> = catalogue.models.into_iter().map(offered).collect();
        Ok(LocalModels { ways, installed, offered, catalogue_date: catalogue.date })
    }

    /// Begins to bring a model here; whoever wants the same at the same time joins.
    ///
    /// # Errors
    /// When nothing of that name can be had, or nothing here could run it.
    pub async fn local_install(&self, wish: InstallLocalModel) -> Result<LocalInstall, ApiError> {
        let catalogue = self.catalogue()?;
        let entry = catalogue.find(&wish.model).cloned();
        let settings = self.local_settings(&self.inner.config.get());
        let source = self.source_of(wish, entry.as_ref(), &settings).await?;
        let install = self.inner.installs.begin(source, entry, settings);
        Ok(LocalInstall { app: self.clone(), install })
    }

    /// Removes a model: a file that we downloaded is deleted, one that the person brought stays.
    ///
    /// # Errors
    /// When there is no such model, or its keeper cannot remove it.
    pub async fn local_remove(&self, name: &str, keeper: Option<LocalKeeper>) -> Result<RemovedLocalModel, ApiError> {
        let keeper = match keeper {
            Some(keeper) => keeper,
            None => self.keeper_of(name).await?,
        };
        let name = &name_at(keeper, name);
        let was_in_use = self.answers(keeper, name);
        let removed = match keeper {
            LocalKeeper::Managed => {
                let model = self.inner.local.remove(name).await?;
                let kept_file = (!model.is_ours).then(|| model.path.display().to_string());
                let freed_bytes = if model.is_ours { model.bytes } else { 0 };
                RemovedLocalModel { name: name.into(), keeper, freed_bytes, kept_file, was_in_use }
            }
            LocalKeeper::Ollama => {
                let ollama = Ollama::at(self.address_of(keeper)?);
                let said = |error: ProviderError| error.to_api_error("Ollama");
                let bytes = ollama.models().await.map_err(said)?.into_iter().find(|model| model.name == *name);
                ollama.delete(name).await.map_err(said)?;
                let freed_bytes = bytes.and_then(|model| model.bytes).unwrap_or(0);
                RemovedLocalModel { name: name.into(), keeper, freed_bytes, kept_file: None, was_in_use }
            }
            LocalKeeper::LmStudio => {
                return Err(ApiError::new(ErrorCode::InvalidInput, "LM Studio lets nobody else delete its models")
                    .hint("Open LM Studio, choose My Models, and delete it there."));
            }
        };
        self.inner.bus.data_changed([Tag::Provider]);
        Ok(removed)
    }

    /// Makes that model the one that answers. What answered before stays, behind it.
    ///
    /// # Errors
    /// When the settings cannot be changed.
    pub async fn local_use(&self, model: &LocalModel) -> Result<Saved, ApiError> {
        let (kind, base_url, name) = match model.keeper {
            LocalKeeper::Managed => (ProviderKind::ManagedLocal, None, "local"),
            LocalKeeper::Ollama => (ProviderKind::Auto, Some(self.address_of(model.keeper)?), "ollama"),
            LocalKeeper::LmStudio => (ProviderKind::Auto, Some(self.address_of(model.keeper)?), "lm-studio"),
        };
        let base_url = base_url.map(|url| format!("{url}v1"));
        let mut used = String::new();
        let saved = self.change_connections(|all| {
            all.retain(Connection::is_set_up);
            let is_it = |one: &Connection| one.kind == kind && one.base_url == base_url;
            let known = all.iter().position(is_it).map(|at| all.remove(at));
            let fresh = || Connection {
                kind,
                base_url: base_url.clone(),
                fallback: true,
                ..Connection::named(&free_name(all, name))
            };
            let mut chosen = known.unwrap_or_else(fresh);
            chosen.model = Some(model.name.clone());
            used.clone_from(&chosen.name);
            all.insert(0, chosen);
            Ok(())
        })?;
        self.inner.health.forget(&used).await;
        Ok(saved)
    }

    /// Where a wish leads: a file, our own catalogue, or a server that is there already.
    async fn source_of(
        &self,
        wish: InstallLocalModel,
        entry: Option<&CatalogueModel>,
        settings: &ServerSettings,
    ) -> Result<Source, ApiError> {
        let chat_template = wish.chat_template.map(Into::into);
        let is_for_us = wish.keeper.is_none_or(|keeper| keeper == LocalKeeper::Managed);
        if is_for_us && is_file(&wish.model) {
            return Ok(Source::File { path: wish.model.into(), name: wish.name, chat_template });
        }
        let shelved = if is_for_us { self.shelved(&wish.model)? } else { None };
        // What the person brought, or the catalogue does not have, can only be tried again.
        if shelved.as_ref().is_some_and(|model| entry.is_none() || !model.is_ours) {
            return Ok(Source::Shelved { name: wish.model, chat_template });
        }
        let keeper = match wish.keeper {
            Some(keeper) => keeper,
            // What is on our shelf stays there, and a template is for a server of our own.
            None if shelved.is_some() || chat_template.is_some() => LocalKeeper::Managed,
            None => self.keeper_for(entry).await,
        };
        match keeper {
            LocalKeeper::Managed => {
                let entry = entry.ok_or(LocalError::NotFound { name: wish.model })?;
                // Nobody should wait for gigabytes that nothing here can run.
                if shelved.is_none_or(|model| !model.path.is_file()) {
                    find_server(settings)?;
                }
                Ok(Source::Catalogue { name: entry.name.clone(), chat_template })
            }
            LocalKeeper::Ollama => {
                let name = entry.and_then(|entry| entry.ollama.clone()).unwrap_or(wish.model);
                Ok(Source::Ollama { address: self.address_of(keeper)?, name })
            }
            LocalKeeper::LmStudio => {
                let name = entry.and_then(|entry| entry.lm_studio.clone()).unwrap_or(wish.model);
                Ok(Source::LmStudio { address: self.address_of(keeper)?, name })
            }
        }
    }

    /// Who can bring a model: a server that is there and knows it, before one of our own.
    async fn keeper_for(&self, entry: Option<&CatalogueModel>) -> LocalKeeper {
        let elsewhere = self.elsewhere().await;
        let is_known = |name: fn(&CatalogueModel) -> bool| entry.is_none_or(name);
        if elsewhere.ollama.is_some() && is_known(|entry| entry.ollama.is_some()) {
            LocalKeeper::Ollama
        } else if elsewhere.lm_studio.is_some() && entry.is_some_and(|entry| entry.lm_studio.is_some()) {
            LocalKeeper::LmStudio
        } else {
            LocalKeeper::Managed
        }
    }

    async fn keeper_of(&self, name: &str) -> Result<LocalKeeper, ApiError> {
        if self.shelved(name)?.is_some() {
            return Ok(LocalKeeper::Managed);
        }
        let elsewhere = self.elsewhere().await;
        let has = |models: &Option<Vec<ServedModel>>, keeper| {
            let name = name_at(keeper, name);
            models.iter().flatten().any(|model| model.name == name)
        };
        if has(&elsewhere.ollama, LocalKeeper::Ollama) {
            Ok(LocalKeeper::Ollama)
        } else if has(&elsewhere.lm_studio, LocalKeeper::LmStudio) {
            Ok(LocalKeeper::LmStudio)
        } else {
            Err(LocalError::NotFound { name: name.into() }.into())
        }
    }

    /// The model of that name on our own shelf.
    fn shelved(&self, name: &str) -> Result<Option<ShelvedModel>, ApiError> {
        match self.inner.local.shelf().find(name) {
            Ok(model) => Ok(Some(model)),
            Err(LocalError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn elsewhere(&self) -> Elsewhere {
        let ollama = async {
            let address = self.address_of(LocalKeeper::Ollama).ok()?;
            Ollama::at(address).models().await.ok()
        };
        let lm_studio = async {
            let address = self.address_of(LocalKeeper::LmStudio).ok()?;
            LmStudio::at(address).models().await.ok()
        };
        let (ollama, lm_studio) = futures_util::join!(ollama, lm_studio);
        Elsewhere { ollama, lm_studio }
    }

    fn ways(&self, elsewhere: &Elsewhere) -> Vec<LocalWay> {
        let served = |keeper, is_there: bool, name: &str| {
            let address = self.address_of(keeper).map(|url| plain_address(url.as_str()).to_owned()).unwrap_or_default();
            let note = if is_there { format!("at {address}") } else { format!("{name} does not run at {address}") };
            LocalWay { keeper, is_there, note }
        };
        let own = match find_server(&self.local_settings(&self.inner.config.get())) {
            Ok(program) => {
                LocalWay { keeper: LocalKeeper::Managed, is_there: true, note: program.display().to_string() }
            }
            Err(error) => LocalWay { keeper: LocalKeeper::Managed, is_there: false, note: error.hint() },
        };
        vec![
            served(LocalKeeper::Ollama, elsewhere.ollama.is_some(), "Ollama"),
            served(LocalKeeper::LmStudio, elsewhere.lm_studio.is_some(), "LM Studio"),
            own,
        ]
    }

    fn address_of(&self, keeper: LocalKeeper) -> Result<Url, ApiError> {
        let port = match keeper {
            LocalKeeper::Ollama => self.inner.local_ports.ollama,
            LocalKeeper::LmStudio => self.inner.local_ports.lm_studio,
            LocalKeeper::Managed => self.inner.local_ports.llama_server,
        };
        let address = format!("http://127.0.0.1:{port}/");
        Url::parse(&address).map_err(|error| ApiError::new(ErrorCode::Internal, format!("{address}: {error}")))
    }

    fn catalogue(&self) -> Result<Catalogue, ApiError> {
        load_catalogue(self.inner.config.paths()).map_err(ApiError::from)
    }

    /// The model, with whether it is the one that answers.
    fn marked(&self, model: LocalModel) -> LocalModel {
        LocalModel { is_in_use: self.answers(model.keeper, &model.name), ..model }
    }

    /// Whether that model is the one that answers.
    fn answers(&self, keeper: LocalKeeper, name: &str) -> bool {
        let settings = &self.inner.config.get().provider;
        let is_managed = settings.kind == ProviderKind::ManagedLocal;
        let chosen = settings.model.as_deref().map(|model| name_at(keeper, model));
        if chosen.as_deref() != Some(name) || is_managed != (keeper == LocalKeeper::Managed) {
            return false;
        }
        let port = self.address_of(keeper).ok().and_then(|url| url.port());
        let base_url = settings.base_url.as_deref().and_then(|url| parse_base_url(url).ok());
        let is_there = |url: Url| url.port() == port && matches!(url.host_str(), Some("127.0.0.1" | "localhost"));
        is_managed || base_url.is_some_and(is_there)
    }
}

/// Whether what was asked for is a file rather than a name.
fn is_file(text: &str) -> bool {
    text.to_lowercase().ends_with(".gguf") || Path::new(text).is_file()
}

/// The name under which its keeper lists a model.
fn name_at(keeper: LocalKeeper, name: &str) -> String {
    match keeper {
        LocalKeeper::Ollama => Ollama::full_name(name),
        LocalKeeper::Managed | LocalKeeper::LmStudio => name.to_owned(),
    }
}
