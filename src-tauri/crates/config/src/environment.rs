#![allow(clippy::disallowed_methods, reason = "the one place that reads our settings from the environment")]

use std::collections::BTreeMap;

/// The environment variables, as everything in this crate sees them. Tests pass their own.
///
/// An empty variable counts as not set. Values are read when asked for and never copied whole:
/// some of them are keys.
#[derive(Clone, Debug)]
pub struct Environment(Source);

#[derive(Clone, Debug)]
enum Source {
    Process,
    Given(BTreeMap<String, String>),
}

impl Environment {
    /// The variables of this process.
    pub fn process() -> Self {
        Self(Source::Process)
    }

    /// Exactly these variables.
    pub fn given<K: Into<String>, V: Into<String>>(variables: impl IntoIterator<Item = (K, V)>) -> Self {
        Self(Source::Given(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect()))
    }

    /// The value of a variable; `None` when it is not set, empty, or not Unicode.
    pub fn get(&self, name: &str) -> Option<String> {
        let value = match &self.0 {
            Source::Process => std::env::var(name).ok(),
            Source::Given(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// The names that look like a setting: `NAMMA_<SECTION>__<KEY>`, sorted.
    pub(crate) fn setting_names(&self) -> Vec<String> {
        let is_setting = |name: &String| name.starts_with("NAMMA_") && name.contains("__");
        let mut names: Vec<String> = match &self.0 {
            Source::Process => {
                std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(is_setting).collect()
            }
            Source::Given(variables) => variables.keys().filter(|name| is_setting(name)).cloned().collect(),
        };
        names.sort();
        names
    }
}
