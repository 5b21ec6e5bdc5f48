use crate::check::holds_secret;
use crate::load::{Believed, Layers, base_file, cautious};
use crate::overlay::{self, OverlayLock};
use crate::{Config, ConfigError, Environment, Paths, Problem, layer::Layer, tree};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use tokio::sync::watch;

/// The configuration as it is now. Cheap to clone; all clones see a change at once.
///
/// Ask [`ConfigHandle::get`] each time and keep no copies. Writing waits for the disk for a few
/// milliseconds, so call it from a place that may block.
#[derive(Clone, Debug)]
pub struct ConfigHandle(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    paths: Paths,
    environment: Environment,
    current: watch::Sender<Arc<Config>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    merged: Value,
    /// `None` until the files were read without a fault: every reload tries again.
    seen: Option<Stamps>,
}

/// How the files looked when they were last read.
type Stamps = [Option<Stamp>; 2];
pub(crate) type Stamp = (Option<SystemTime>, u64, u64);

/// What became of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Environment variables that decide a changed setting, so that the change does not show.
    pub overridden_by: Vec<String>,
}

impl ConfigHandle {
    /// Loads the configuration.
    ///
    /// # Errors
    /// As [`crate::load`].
    pub fn open(paths: Paths, environment: Environment) -> Result<Self, ConfigError> {
        let seen = stamps(&paths, &environment);
        let believed = Layers::read(&paths, &environment)?.believe()?;
        Ok(Self::with(paths, environment, believed, Some(seen)))
    }

    /// Loads the configuration; when that fails, goes on with cautious defaults (every tool is
    /// refused, because the person's own rules are not known) and returns the error to be shown.
    /// The broken file is left alone, and [`ConfigHandle::reload`] picks it up once corrected.
    pub fn open_or_cautious(paths: Paths, environment: Environment) -> (Self, Option<ConfigError>) {
        let seen = stamps(&paths, &environment);
        match Layers::read(&paths, &environment).and_then(|layers| layers.believe()) {
            Ok(believed) => (Self::with(paths, environment, believed, Some(seen)), None),
            Err(error) => (Self::with(paths, environment, cautious(), None), Some(error)),
        }
    }

    fn with(paths: Paths, environment: Environment, believed: Believed, seen: Option<Stamps>) -> Self {
        let (current, _) = watch::channel(Arc::new(believed.config));
        let state = Mutex::new(State { merged: believed.merged, seen });
        Self(Arc::new(Shared { paths, environment, current, state }))
    }

    /// The settings now.
    pub fn get(&self) -> Arc<Config> {
        self.0.current.borrow().clone()
    }

    /// Wakes at every change.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Config>> {
        self.0.current.subscribe()
    }

    pub fn paths(&self) -> &Paths {
        &self.0.paths
    }

    pub fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// The value of a setting, or all of a section. The empty key is everything.
    ///
    /// # Errors
    /// [`ConfigError::UnknownKey`].
    pub fn get_value(&self, key: &str) -> Result<Value, ConfigError> {
        let state = self.state();
        tree::get(&state.merged, key).cloned().ok_or_else(|| unknown(key, &state.merged))
    }

    /// Changes one setting; `null` brings back its default.
    ///
    /// # Errors
    /// As [`ConfigHandle::set_all`].
    pub fn set(&self, key: &str, value: Value) -> Result<Saved, ConfigError> {
        self.set_all([(key, value)])
    }

    /// Changes several settings at once, or none of them.
    ///
    /// # Errors
    /// [`ConfigError::UnknownKey`], [`ConfigError::SecretRefused`], [`ConfigError::Invalid`] when
    /// the whole would not be valid or the overlay on the disk is broken, [`ConfigError::Write`].
    /// On an error nothing has changed.
    pub fn set_all<'a>(&self, changes: impl IntoIterator<Item = (&'a str, Value)>) -> Result<Saved, ConfigError> {
        let changes: Vec<(&str, Value)> = changes.into_iter().collect();
        self.set_from(|_| Ok(changes))
    }

    /// Changes settings by what they are at this moment: nobody else changes them in between.
    ///
    /// # Errors
    /// Those of `change`, and as [`ConfigHandle::set_all`].
    pub fn set_from<'a, E: From<ConfigError>>(
        &self,
        change: impl FnOnce(&Config) -> Result<Vec<(&'a str, Value)>, E>,
    ) -> Result<Saved, E> {
        let mut state = self.state();
        let path = self.0.paths.overlay();
        let _lock = OverlayLock::take(&path)?;
        let mut layers = Layers::read(&self.0.paths, &self.0.environment)?;
        // A file that is broken now is mended by a change; until then the last good settings hold.
        let current = layers.believe().map_or_else(|_| self.get(), |believed| Arc::new(believed.config));
        let changes = change(&current)?;
        for (key, value) in &changes {
            let is_known = !key.is_empty() && tree::get(&state.merged, key).is_some();
            if holds_secret(value) {
                return Err(ConfigError::SecretRefused { key: (*key).to_owned() }.into());
            }
            if !is_known {
                return Err(unknown(key, &state.merged).into());
            }
        }
        let mut changed = layers.overlay.take().map_or(Value::Null, |layer| layer.value);
        for (key, value) in &changes {
            tree::set(&mut changed, key, value.clone());
        }
        let kept = tree::difference(&changed, &layers.base_tree());
        layers.overlay = kept.clone().map(|value| Layer::unwritten(&path, value));
        layers.without_variables().believe()?;
        let believed = layers.believe()?;
        overlay::write(&path, kept.as_ref())?;
        state.seen = Some(stamps(&self.0.paths, &self.0.environment));
        self.publish(&mut state, believed);
        Ok(Saved { overridden_by: layers.overriding(changes.iter().map(|(key, _)| *key)) })
    }

    /// Reads the files again when one has changed since. True when the settings are others now.
    ///
    /// Costs two looks at the folder when nothing has changed: call it when a turn starts.
    ///
    /// # Errors
    /// As [`crate::load`]; the settings stay as they were.
    pub fn reload(&self) -> Result<bool, ConfigError> {
        let mut state = self.state();
        let now = stamps(&self.0.paths, &self.0.environment);
        if state.seen == Some(now) {
            return Ok(false);
        }
        let believed = Layers::read(&self.0.paths, &self.0.environment)?.believe()?;
        state.seen = Some(now);
        Ok(self.publish(&mut state, believed))
    }

    /// Everything that is wrong with the files and variables as they are now.
    pub fn problems(&self) -> Vec<Problem> {
        match Layers::read(&self.0.paths, &self.0.environment).and_then(|layers| layers.believe()) {
            Ok(_) => {
                let models = crate::Models::load(&self.0.paths).err();
                let catalogue = crate::load_catalogue(&self.0.paths).err();
                models.into_iter().chain(catalogue).flat_map(|error| error.problems()).collect()
            }
            Err(error) => error.problems(),
        }
    }

    fn publish(&self, state: &mut State, believed: Believed) -> bool {
        state.merged = believed.merged;
        self.0.current.send_if_modified(|current| {
            let is_new = **current != believed.config;
            *current = Arc::new(believed.config);
            is_new
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is replaced whole, so a panic elsewhere cannot have left half of it.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown(key: &str, tree: &Value) -> ConfigError {
    ConfigError::UnknownKey { key: key.to_owned(), suggestion: tree::suggest(key, tree) }
}

fn stamps(paths: &Paths, environment: &Environment) -> Stamps {
    [Some(paths.overlay()), base_file(paths, environment)].map(|path| path.and_then(stamp))
}

pub(crate) fn stamp(path: PathBuf) -> Option<Stamp> {
    // A file that cannot be looked at counts as missing; reading it then tells why.
    let facts = std::fs::metadata(path).ok()?;
    Some((facts.modified().ok(), facts.len(), file_number(&facts)))
}

#[cfg(unix)]
fn file_number(facts: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(facts)
}

#[cfg(not(unix))]
fn file_number(_: &std::fs::Metadata) -> u64 {
    0
}
