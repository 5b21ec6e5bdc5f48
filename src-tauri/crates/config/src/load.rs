//! The layers, laid over each other.

use crate::error::Place;
use crate::layer::{Layer, parse};
use crate::schema::{Approvals, Rule};
use crate::{Config, ConfigError, Environment, Paths, Problem, check, tree};
use serde_json::Value;
use std::path::PathBuf;

/// The reference: every setting with its default.
const DEFAULTS: &str = include_str!("../../../../config/default.yaml");

/// Reads the configuration: defaults ← `NAMMA_CONFIG` ← `config.local.yaml` ← environment.
///
/// # Errors
/// [`ConfigError::Read`] when a file cannot be read, [`ConfigError::Invalid`] with every problem
/// when the settings are wrong. Nothing is written, and no file is moved or changed.
pub fn load(paths: &Paths, environment: &Environment) -> Result<Config, ConfigError> {
    Ok(Layers::read(paths, environment)?.believe()?.config)
}

/// Everything that was said, in order of weight.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    defaults: Value,
    base: Option<Layer>,
    pub(crate) overlay: Option<Layer>,
    variables: Vec<Layer>,
}

/// A configuration that was checked, with the tree it was made from.
#[derive(Clone, Debug)]
pub(crate) struct Believed {
    pub(crate) config: Config,
    pub(crate) merged: Value,
}

impl Layers {
    pub(crate) fn read(paths: &Paths, environment: &Environment) -> Result<Self, ConfigError> {
        let defaults = defaults();
        let base = base_file(paths, environment).map(|path| read_named(&path)).transpose()?;
        let overlay = Layer::read(&paths.overlay())?;
        let variables = Layer::from_environment(environment, &defaults)?;
        Ok(Self { defaults, base, overlay, variables })
    }

    /// What holds when there is no overlay and no variable.
    pub(crate) fn base_tree(&self) -> Value {
        let mut tree = self.defaults.clone();
        if let Some(base) = &self.base {
            tree::merge(&mut tree, &base.value);
        }
        tree
    }

    pub(crate) fn believe(&self) -> Result<Believed, ConfigError> {
        let layers: Vec<Layer> = self.base.iter().chain(&self.overlay).chain(&self.variables).cloned().collect();
        let problems: Vec<Problem> = layers.iter().flat_map(|layer| check::shape(layer, &self.defaults)).collect();
        if !problems.is_empty() {
            return Err(ConfigError::Invalid { problems });
        }
        let mut merged = self.defaults.clone();
        for layer in &layers {
            tree::merge(&mut merged, &layer.value);
        }
        let config = check::believe(&merged, &layers).map_err(|problems| ConfigError::Invalid { problems })?;
        Ok(Believed { config, merged })
    }

    /// Which of these keys a variable decides, whatever the files say.
    pub(crate) fn overriding<'a>(&self, keys: impl Iterator<Item = &'a str>) -> Vec<String> {
        keys.filter_map(|key| {
            let layer = self.variables.iter().rev().find(|layer| tree::get(&layer.value, key).is_some())?;
            layer.variable_name().map(str::to_owned)
        })
        .collect()
    }

    /// The same layers without the environment: what the files alone say must hold too.
    pub(crate) fn without_variables(&self) -> Self {
        Self { variables: Vec::new(), ..self.clone() }
    }
}

/// The file that `NAMMA_CONFIG` names.
pub(crate) fn base_file(paths: &Paths, environment: &Environment) -> Option<PathBuf> {
    environment.get("NAMMA_CONFIG").map(|name| PathBuf::from(paths.expand_home(&name)))
}

/// The configuration to go on with when the real one cannot be read: the defaults, and because
/// the person's own rules are not known, no tool may run.
pub(crate) fn cautious() -> Believed {
    let defaults = defaults();
    #[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
    let mut config = check::believe(&defaults, &[]).expect("BUG: config/default.yaml does not fit the schema");
    config.security.approvals = Approvals::AskAll;
    config.security.rules = vec![Rule::deny_everything()];
    Believed { config, merged: defaults }
}

pub(crate) fn defaults() -> Value {
    #[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
    parse(DEFAULTS).expect("BUG: config/default.yaml is not valid YAML")
}

fn read_named(path: &std::path::Path) -> Result<Layer, ConfigError> {
    Layer::read(path)?.ok_or_else(|| {
        let problem = Problem {
            place: Some(Place::Variable { name: "NAMMA_CONFIG".into() }),
            key: String::new(),
            message: format!("there is no file {}", path.display()),
            hint: "Correct the path, or unset NAMMA_CONFIG.".into(),
        };
        ConfigError::Invalid { problems: vec![problem] }
    })
}
