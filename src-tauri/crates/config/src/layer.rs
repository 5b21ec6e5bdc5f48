//! One layer of the configuration: a file or a variable, read and parsed but not yet believed.

use crate::{ConfigError, Environment, Place, Problem, tree};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_saphyr::options::DuplicateKeyPolicy;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Nobody writes 256 kB of settings by hand.
const LIMIT_BYTES: u64 = 256 * 1024;

/// What one source says.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    source: Source,
    pub(crate) value: Value,
}

#[derive(Clone, Debug)]
enum Source {
    File { path: PathBuf, text: String },
    Variable { name: String },
}

impl Layer {
    /// Reads a file. A missing one is `None`.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, ConfigError> {
        let failed = |source| ConfigError::Read { path: path.to_owned(), source };
        // Looked at first: opening a pipe can wait for ever.
        match std::fs::metadata(path) {
            Ok(facts) if facts.is_file() => {}
            Ok(_) => return Err(failed(std::io::Error::other("it is not an ordinary file"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        let mut file = std::fs::File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.by_ref().take(LIMIT_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LIMIT_BYTES {
            let message = "the file is larger than 256 kB, which settings never are";
            return Err(broken(path, None, message, "Move it away and write your settings anew."));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
            broken(path, Some(line as u64 + 1), "the file is not UTF-8 text", "Save it as UTF-8.")
        })?;
        let value = parse(&text).map_err(|error| {
            let error = error.without_snippet();
            let line = error.location().map(|location| location.line());
            let message = format!("the file is not valid YAML: {}", plain(error));
            broken(path, line, &message, "Correct that line, or move the file away to start from the defaults.")
        })?;
        Ok(Some(Self { source: Source::File { path: path.to_owned(), text }, value }))
    }

    /// The settings of the environment, one layer each.
    pub(crate) fn from_environment(environment: &Environment, defaults: &Value) -> Result<Vec<Self>, ConfigError> {
        let mut layers = Vec::new();
        if let Some(name) = environment.get("ASSISTANT_NAME") {
            layers.push(Self::variable("ASSISTANT_NAME", "assistant.name", Value::String(name)));
        }
        let mut problems = Vec::new();
        for name in environment.setting_names() {
            let Some(text) = environment.get(&name) else { continue };
            let key = setting_of(&name);
            let value = match tree::get(defaults, &key) {
                Some(Value::String(_)) => Value::String(text),
                _ => match parse(&text) {
                    Ok(value) => value,
                    Err(error) => {
                        problems.push(Problem {
                            place: Some(Place::Variable { name }),
                            key,
                            message: format!("the value is not valid YAML: {}", plain(error.without_snippet())),
                            hint: "Write lists as [a, b], and put text with special signs into quotes.".into(),
                        });
                        continue;
                    }
                },
            };
            layers.push(Self::variable(&name, &key, value));
        }
        if problems.is_empty() { Ok(layers) } else { Err(ConfigError::Invalid { problems }) }
    }

    /// An overlay that is about to be written.
    pub(crate) fn unwritten(path: &Path, value: Value) -> Self {
        Self { source: Source::File { path: path.to_owned(), text: String::new() }, value }
    }

    fn variable(name: &str, key: &str, value: Value) -> Self {
        let mut tree = Value::Null;
        tree::set(&mut tree, key, value);
        Self { source: Source::Variable { name: name.to_owned() }, value: tree }
    }

    /// The variable this layer comes from, if it is one.
    pub(crate) fn variable_name(&self) -> Option<&str> {
        match &self.source {
            Source::Variable { name } => Some(name),
            Source::File { .. } => None,
        }
    }

    /// What a file of its own says under `models`; `None` when it says nothing. `hint` is the form of
    /// an entry.
    pub(crate) fn models<T: DeserializeOwned>(&self, hint: &str) -> Result<Option<T>, ConfigError> {
        let says_nothing = match &self.value {
            Value::Object(file) => file.iter().all(|(key, value)| key == "models" && value.is_null()),
            other => other.is_null(),
        };
        if says_nothing {
            return Ok(None);
        }
        serde_path_to_error::deserialize(&self.value).map(Some).map_err(|error| {
            let path = error.path().to_string();
            // A dot is the whole file.
            let key = if path == "." { "" } else { &path };
            self.fault(key, error.inner().to_string(), hint)
        })
    }

    /// What is wrong at a key.
    pub(crate) fn fault(&self, key: &str, message: String, hint: &str) -> ConfigError {
        let message = if key.is_empty() { message } else { format!("`{key}` {message}") };
        let place = Some(self.place_of(key));
        ConfigError::Invalid { problems: vec![Problem { place, key: key.to_owned(), message, hint: hint.to_owned() }] }
    }

    /// Where a key is written. Parses the file once more, so only for errors.
    pub(crate) fn place_of(&self, key: &str) -> Place {
        match &self.source {
            Source::Variable { name } => Place::Variable { name: name.clone() },
            Source::File { path, text } => Place::File { path: path.clone(), line: line_of(text, key) },
        }
    }
}

/// `NAMMA_PROVIDER__BASE_URL` is `provider.base_url`.
fn setting_of(variable: &str) -> String {
    variable.trim_start_matches("NAMMA_").replace("__", ".").to_ascii_lowercase()
}

/// The value that a text means, written as in the settings file; `None` when it means none.
pub fn read_value(text: &str) -> Option<Value> {
    parse(text).ok()
}

/// Parses YAML with narrow limits: this is a settings file, not a data format. An empty text is
/// an empty set of settings.
pub(crate) fn parse(text: &str) -> Result<Value, serde_saphyr::Error> {
    let text = text.trim_start_matches('\u{feff}');
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Value::Null);
    }
    serde_saphyr::from_str_with_options(text, options())
}

fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: 16, max_nodes: 20_000, max_documents: 1 },
        duplicate_keys: DuplicateKeyPolicy::Error,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 10_000 },
        strict_booleans: true,
        emit_comments: false,
        with_snippet: false,
    }
}

/// The parser's own words without its position, which the place already tells.
fn plain(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let text = text.lines().next().unwrap_or_default();
    match text.strip_prefix("error: line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, message)) => message.to_owned(),
        None => text.to_owned(),
    }
}

fn broken(path: &Path, line: Option<u64>, message: &str, hint: &str) -> ConfigError {
    let place = Some(Place::File { path: path.to_owned(), line });
    let problem = Problem { place, key: String::new(), message: message.to_owned(), hint: hint.to_owned() };
    ConfigError::Invalid { problems: vec![problem] }
}

/// The line of a key, or of the nearest parent that is written.
fn line_of(text: &str, key: &str) -> Option<u64> {
    let text = text.trim_start_matches('\u{feff}');
    // The file was parsed before; should it fail here, the place is told without a line.
    let mut node: Lines = serde_saphyr::from_str_with_options(text, options()).ok()?;
    let mut line = None;
    for part in key.split(['.', '[']).map(|part| part.trim_end_matches(']')) {
        let Some(index) = node.0.iter().position(|(name, ..)| name == part) else { break };
        let (_, at, child) = node.0.swap_remove(index);
        line = Some(at);
        node = child;
    }
    line
}

/// The keys of a file with their lines; list entries are named by their number.
struct Lines(Vec<(String, u64, Lines)>);

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LinesVisitor)
    }
}

struct LinesVisitor;

impl<'de> Visitor<'de> for LinesVisitor {
    type Value = Lines;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lines, A::Error> {
        let mut found = Vec::new();
        while let Some((key, child)) = map.next_entry::<serde_saphyr::Spanned<String>, Lines>()? {
            found.push((key.value, key.referenced.line(), child));
        }
        Ok(Lines(found))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Lines, A::Error> {
        let mut found = Vec::new();
        while let Some(entry) = list.next_element::<serde_saphyr::Spanned<Lines>>()? {
            found.push((found.len().to_string(), entry.referenced.line(), entry.value));
        }
        Ok(Lines(found))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }

    fn visit_unit<E>(self) -> Result<Lines, E> {
        Ok(Lines(Vec::new()))
    }
}
