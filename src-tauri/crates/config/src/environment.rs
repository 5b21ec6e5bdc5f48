#![allow(clippy::disallowed_methods, reason = "the one place that reads our settings from the environment")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The environment variables, as everything in this crate sees them. Tests pass their own.
///
/// An empty variable counts as not set. Values are read when asked for and never copied whole:
/// some of them are keys.
#[derive(Clone, Debug)]
pub struct Environment {
    source: Source,
    /// Asked after the variables themselves; see [`Environment::with_key_files`].
    key_files: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
enum Source {
    Process,
    Given(BTreeMap<String, String>),
}

impl Environment {
    /// The variables of this process.
    pub fn process() -> Self {
        Self { source: Source::Process, key_files: Vec::new() }
    }

    /// Exactly these variables.
    pub fn given<K: Into<String>, V: Into<String>>(variables: impl IntoIterator<Item = (K, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { source: Source::Given(variables), key_files: Vec::new() }
    }

    /// The value of a variable; `None` when it is not set, empty, or not Unicode.
    pub fn get(&self, name: &str) -> Option<String> {
        let value = match &self.source {
            Source::Process => std::env::var(name).ok(),
            Source::Given(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// The same, with `.env` files in which keys of vendors are looked for when no variable has them.
    /// Only the person's own files: the folder that is worked in may be anybody's, and its key would
    /// send the person's words to somebody else's account.
    #[must_use]
    pub fn with_key_files(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.key_files = files.into_iter().collect();
        self
    }

    /// The key in a variable or in one of the `.env` files.
    pub fn key(&self, name: &str) -> Option<String> {
        self.get(name).or_else(|| self.key_files.iter().find_map(|file| in_file(file, name)))
    }

    /// The names that look like a setting: `NAMMA_<SECTION>__<KEY>`, sorted.
    pub(crate) fn setting_names(&self) -> Vec<String> {
        let is_setting = |name: &String| name.starts_with("NAMMA_") && name.contains("__");
        let mut names: Vec<String> = match &self.source {
            Source::Process => {
                std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(is_setting).collect()
            }
            Source::Given(variables) => variables.keys().filter(|name| is_setting(name)).cloned().collect(),
        };
        names.sort();
        names
    }
}

/// The value of a name in a `.env` file; a file that is not there or cannot be read has none.
fn in_file(file: &Path, name: &str) -> Option<String> {
    // A pipe would be waited for, and a large file is no file of keys.
    let facts = std::fs::metadata(file).ok()?;
    if !facts.is_file() || facts.len() > 64 * 1024 {
        return None;
    }
    let lines = dotenvy::from_path_iter(file).ok()?;
    // A broken line does not hide the others.
    let values = lines.filter_map(Result::ok).filter(|(known, _)| known == name).map(|(_, value)| value);
    values.last().filter(|value| !value.is_empty())
}
