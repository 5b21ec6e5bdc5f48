//! What is known of models: `config/models.yaml`, compiled in, after the person's own file.

use crate::handle::{Stamp, stamp};
use crate::layer::{Layer, parse};
use crate::{ConfigError, Paths};
use namma_core::ports::{ModelInfo, Price, ThinkingControl};
use serde::Deserialize;
use std::sync::{Arc, Mutex, PoisonError};

const HINT: &str = "An entry has name, context, output, tools, images, thinking, off, least and price (input, cached, \
write, output).";

const BUILT_IN: &str = include_str!("../../../../config/models.yaml");

/// The table of models.
#[derive(Clone, Debug)]
pub struct Models {
    entries: Vec<Entry>,
    /// So many at the beginning are the person's.
    own: usize,
    /// When the built-in part was true: "2025-12-01".
    pub dated: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Only the built-in file has to say it.
    #[serde(default)]
    dated: String,
    #[serde(default)]
    models: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    context: Option<u32>,
    output: Option<u32>,
    #[serde(default = "yes")]
    tools: bool,
    #[serde(default)]
    images: bool,
    #[serde(default)]
    thinking: Thinking,
    off: Option<String>,
    #[serde(default)]
    least: u32,
    price: Option<Dollars>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Thinking {
    #[default]
    Prompt,
    Fixed,
    Effort,
    Budget,
    Switch,
}

/// For a million tokens.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dollars {
    input: f64,
    cached: Option<f64>,
    write: Option<f64>,
    output: f64,
}

fn yes() -> bool {
    true
}

impl Models {
    /// The table, with the person's own entries before the built-in ones.
    ///
    /// # Errors
    /// When their file cannot be read, or is no table of models.
    pub fn load(paths: &Paths) -> Result<Self, ConfigError> {
        let mut models = Self::built_in();
        if let Some(layer) = Layer::read(&paths.models())? {
            let own = layer.models::<File>(HINT)?.map(|file| file.models).unwrap_or_default();
            if let Some((key, message)) = own.iter().enumerate().find_map(|(index, entry)| entry.fault(index)) {
                return Err(layer.fault(&key, message, HINT));
            }
            models.own = own.len();
            models.entries.splice(0..0, own);
        }
        Ok(models)
    }

    /// The built-in table alone.
    pub fn built_in() -> Self {
        #[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
        let file: File =
            parse(BUILT_IN).ok().and_then(|value| File::deserialize(value).ok()).expect("BUG: config/models.yaml");
        Self { entries: file.models, own: 0, dated: file.dated }
    }

    /// What is known of a model, under the name its server gives it; `None` when nothing is. On this
    /// computer the vendors' prices do not count, only those that the person wrote down.
    pub fn find(&self, model: &str, is_local: bool) -> Option<ModelInfo> {
        let name = plain_name(model);
        let (at, entry) = self.entries.iter().enumerate().find(|(_, entry)| entry.fits(&name))?;
        let mut info = entry.info();
        if is_local && at >= self.own {
            info.price = None;
        }
        Some(info)
    }
}

/// The table as it is now: a changed file counts from the next look on.
#[derive(Debug)]
pub struct ModelsHandle {
    paths: Paths,
    state: Mutex<(Option<Stamp>, Arc<Models>)>,
}

impl ModelsHandle {
    /// Loads the table; when the person's file is broken, the built-in one alone with the error to be
    /// shown.
    pub fn open(paths: Paths) -> (Self, Option<ConfigError>) {
        let seen = stamp(paths.models());
        let (models, error) = match Models::load(&paths) {
            Ok(models) => (models, None),
            Err(error) => (Models::built_in(), Some(error)),
        };
        (Self { paths, state: Mutex::new((seen, Arc::new(models))) }, error)
    }

    /// Costs one look at the folder when nothing has changed. A file that is broken now leaves the
    /// last good table.
    pub fn get(&self) -> Arc<Models> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(self.paths.models());
        if state.0 != now {
            state.0 = now;
            match Models::load(&self.paths) {
                Ok(models) => state.1 = Arc::new(models),
                Err(error) => tracing::warn!(%error, "the table of models could not be read again"),
            }
        }
        Arc::clone(&state.1)
    }
}

/// Without the maker in front and the variant behind, in small letters, with `-` for `.`.
fn plain_name(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.strip_suffix(":free").unwrap_or(name);
    name.to_lowercase().replace(['.', ':'], "-")
}

impl Entry {
    /// What is wrong with it beyond its types, and at which key.
    fn fault(&self, index: usize) -> Option<(String, String)> {
        if self.name.trim().is_empty() {
            return Some((format!("models[{index}].name"), "names no model".into()));
        }
        let price = self.price.map(|price| [Some(price.input), price.cached, price.write, Some(price.output)]);
        let is_price = |dollars: f64| (0.0..=1e6).contains(&dollars);
        let all = price.into_iter().flatten().flatten().all(is_price);
        (!all).then(|| (format!("models[{index}].price"), "is not a price in US dollars".into()))
    }

    fn fits(&self, name: &str) -> bool {
        let pattern = plain_name(&self.name);
        match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        }
    }

    fn info(&self) -> ModelInfo {
        ModelInfo {
            context_tokens: self.context,
            output_tokens: self.output,
            tools: self.tools,
            images: self.images,
            thinking: match self.thinking {
                Thinking::Prompt => ThinkingControl::Prompt,
                Thinking::Fixed => ThinkingControl::Fixed,
                Thinking::Effort => ThinkingControl::Effort { off: self.off.clone() },
                Thinking::Budget => ThinkingControl::Budget { least: self.least },
                Thinking::Switch => ThinkingControl::Switch,
            },
            price: self.price.map(|price| Price {
                input: nanos(price.input),
                cached: nanos(price.cached.unwrap_or(price.input)),
                cache_write: nanos(price.write.unwrap_or(price.input)),
                output: nanos(price.output),
            }),
        }
    }
}

/// Dollars for a million tokens as billionths of a dollar for one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a million, see read")]
fn nanos(dollars: f64) -> u64 {
    (dollars * 1000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::Models;
    use namma_core::ports::{Price, ThinkingControl};

    #[test]
    fn a_model_is_found_by_the_names_that_vendors_and_gateways_give_it() {
        let models = Models::built_in();
        let window = |name: &str| models.find(name, false).and_then(|info| info.context_tokens);
        assert_eq!(window("claude-sonnet-4-5-20250929"), Some(200_000));
        assert_eq!(window("anthropic/claude-sonnet-4.5"), Some(200_000));
        assert_eq!(window("deepseek/deepseek-r1:free"), Some(128_000));
        assert_eq!(window("gpt-4.1-mini"), Some(1_047_576));
        assert_eq!(window("models/gemini-2.5-flash"), Some(1_048_576));
        assert_eq!(window("qwen2.5-coder:1.5b"), None);
        assert_eq!(window(""), None);
    }

    #[test]
    fn the_first_entry_that_fits_counts() {
        let models = Models::built_in();
        let price = |name: &str| models.find(name, false).and_then(|info| info.price);
        assert_eq!(price("gpt-5-mini").map(|price| price.output), Some(2000));
        assert_eq!(price("gpt-5").map(|price| price.output), Some(10_000));
        let opus = Price { input: 5000, cached: 500, cache_write: 6250, output: 25_000 };
        assert_eq!(price("claude-opus-4-5"), Some(opus));
        // Without a price of its own for them, tokens of the cache cost as others do.
        assert_eq!(price("mistral-medium-latest").map(|price| (price.cached, price.cache_write)), Some((400, 400)));
    }

    #[test]
    fn thinking_is_controlled_in_the_models_own_way() {
        let models = Models::built_in();
        let thinking = |name: &str| models.find(name, false).map(|info| info.thinking);
        assert_eq!(thinking("gemini-2.5-pro"), Some(ThinkingControl::Budget { least: 128 }));
        assert_eq!(thinking("gpt-5.1"), Some(ThinkingControl::Effort { off: Some("none".into()) }));
        assert_eq!(thinking("gpt-4o"), Some(ThinkingControl::Prompt));
    }

    #[test]
    fn the_table_says_of_when_it_is() {
        let dated = Models::built_in().dated;
        assert!(dated.len() == 10 && dated.starts_with("20"), "{dated}");
    }
}
