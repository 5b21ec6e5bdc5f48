//! The catalogue of models that can be installed: ours, compiled in, and the person's additions.

use crate::layer::Layer;
use crate::{ConfigError, Paths, layer};
use namma_protocol::CatalogueModel;
use serde::Deserialize;

/// The form of an entry.
const HINT: &str = "An entry has name, title, url, bytes, context_tokens, licence, memory_bytes, calls_tools and, where \
known, sha256, ollama and lm_studio.";

const OURS: &str = include_str!("../../../../config/local-models.yaml");

/// Models with their addresses, the person's own first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The day it was made, as written.
    #[serde(default)]
    pub date: String,
    pub models: Vec<CatalogueModel>,
}

impl Catalogue {
    /// The entry of that name.
    pub fn find(&self, name: &str) -> Option<&CatalogueModel> {
        self.models.iter().find(|model| model.name == name)
    }
}

/// Reads the catalogue.
///
/// # Errors
/// When the person's file cannot be read or holds something else. Ours is then not used either:
/// an entry of theirs may be meant to replace one of ours.
pub fn load_catalogue(paths: &Paths) -> Result<Catalogue, ConfigError> {
    let ours = ours();
    let Some(layer) = Layer::read(&paths.local_models())? else { return Ok(ours) };
    let mut models = layer.models::<Catalogue>(HINT)?.map(|theirs| theirs.models).unwrap_or_default();
    for (index, model) in models.iter().enumerate() {
        if let Some(message) = fault_of(model) {
            return Err(layer.fault(&format!("models[{index}]"), format!("cannot be used: {message}"), HINT));
        }
    }
    let is_replaced = |name: &str| models.iter().any(|own| own.name == name);
    let others: Vec<CatalogueModel> = ours.models.into_iter().filter(|model| !is_replaced(&model.name)).collect();
    models.extend(others);
    Ok(Catalogue { date: ours.date, models })
}

fn ours() -> Catalogue {
    #[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
    let value = layer::parse(OURS).expect("BUG: config/local-models.yaml is not valid YAML");
    #[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
    Catalogue::deserialize(value).expect("BUG: config/local-models.yaml does not fit its type")
}

/// What is wrong with an entry, beyond its types.
fn fault_of(model: &CatalogueModel) -> Option<String> {
    let name = &model.name;
    if !is_name(name) {
        return Some(format!("`{name}` is no name for a model"));
    }
    if let Some(sum) = &model.sha256
        && (sum.len() != 64 || !sum.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        return Some(format!("the sha256 of `{name}` is not 64 hexadecimal digits"));
    }
    let is_address = url::Url::parse(&model.url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    (!is_address).then(|| format!("the url of `{name}` is no web address"))
}

/// Becomes the name of a file, so it holds nothing that a path would read differently.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !text.is_empty() && text.len() <= 100 && !text.starts_with('.') && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::{fault_of, ours};

    #[test]
    fn our_entries_are_sound_and_their_names_differ() {
        let catalogue = ours();
        let mut names: Vec<&str> = catalogue.models.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(catalogue.models.iter().filter_map(fault_of).collect::<Vec<_>>(), Vec::<String>::new());
        assert!(catalogue.date.len() == 10 && !names.is_empty());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), catalogue.models.len());
    }
}
