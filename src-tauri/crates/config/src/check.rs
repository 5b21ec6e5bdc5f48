//! Is what the layers say a configuration? Finds every fault it can, with its place, and says what
//! was expected against what was found. Values are quoted only when they cannot be a key.

use crate::error::SECRET_HINT;
use crate::layer::Layer;
use crate::secret::looks_like_secret;
use crate::{Config, Problem, limits, tree};
use serde_json::Value;

/// Faults of one layer that show against the shape of the defaults: unknown keys, wrong kinds,
/// and keys of vendors.
pub(crate) fn shape(layer: &Layer, defaults: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    walk(
        &layer.value,
        Some(defaults),
        "",
        &mut |key, message, hint| {
            found.push(Problem { place: Some(layer.place_of(key)), key: key.to_owned(), message, hint });
        },
        defaults,
    );
    found
}

/// Believes a merged tree, or says where it cannot.
pub(crate) fn believe(merged: &Value, layers: &[Layer]) -> Result<Config, Vec<Problem>> {
    let place_of = |key: &str| {
        let written = |layer: &&Layer| tree::get(&layer.value, key.split('[').next().unwrap_or(key)).is_some();
        layers.iter().rev().find(written).map(|layer| layer.place_of(key))
    };
    let config: Config = serde_path_to_error::deserialize(merged).map_err(|error| {
        let key = error.path().to_string();
        let (message, hint) = explain(&key, &error.inner().to_string());
        vec![Problem { place: place_of(&key), key, message, hint }]
    })?;
    let problems: Vec<Problem> = limits::broken(&config)
        .into_iter()
        .map(|fault| {
            let message = format!("`{}` {}", fault.key, fault.message);
            Problem { place: place_of(&fault.key), key: fault.key, message, hint: fault.hint }
        })
        .collect();
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

fn walk(value: &Value, known: Option<&Value>, key: &str, tell: &mut dyn FnMut(&str, String, String), defaults: &Value) {
    let Some(known) = known else {
        let (message, hint) = unknown(key, value, defaults);
        return tell(key, message, hint);
    };
    match (value, known) {
        (Value::Null, _) => {}
        (Value::Object(fields), Value::Object(known)) => {
            for (name, child) in fields {
                walk(child, known.get(name), &tree::join(key, name), tell, defaults);
            }
        }
        // Where a fraction may stand a whole number may.
        (Value::Number(_), Value::Number(known)) if known.is_f64() => {}
        (found, known) if kind(found) != kind(known) => {
            let name = if key.is_empty() { "the file".to_owned() } else { format!("`{key}`") };
            let message = format!("{name} should be {}, but is {}", kind(known), kind(found));
            tell(key, message, how_to_write(known));
        }
        (found, _) if holds_secret(found) => {
            tell(key, format!("`{key}` holds what looks like a key"), SECRET_HINT.into());
        }
        _ => {}
    }
}

fn unknown(key: &str, value: &Value, defaults: &Value) -> (String, String) {
    let last = key.rsplit('.').next().unwrap_or(key);
    let is_key = ["api_key", "apikey", "key", "token", "secret", "password"].contains(&last);
    let message = format!("there is no setting `{key}`");
    if is_key || holds_secret(value) {
        return (message, SECRET_HINT.into());
    }
    let hint = match tree::suggest(key, defaults) {
        Some(known) => format!("Use `{known}` instead, or remove the line."),
        None => "Remove the line; `namma config get` shows all settings.".into(),
    };
    (message, hint)
}

/// Whether a key of a vendor stands anywhere in the value.
pub(crate) fn holds_secret(value: &Value) -> bool {
    match value {
        Value::String(text) => looks_like_secret(text),
        Value::Array(items) => items.iter().any(holds_secret),
        Value::Object(fields) => fields.values().any(holds_secret),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a number with a fraction",
        Value::Number(_) => "a whole number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a section",
    }
}

fn how_to_write(known: &Value) -> String {
    match known {
        Value::String(_) => "Put the value into quotes.",
        Value::Bool(_) => "Write true or false, without quotes.",
        Value::Number(number) if number.is_f64() => "Write a number with a point, like 0.5, without quotes.",
        Value::Number(_) => "Write a whole number, without quotes.",
        Value::Array(_) => "Write a list: [first, second].",
        Value::Object(_) | Value::Null => "Write its settings below it, each on a line that starts with spaces.",
    }
    .into()
}

/// Turns the words of serde into ours.
fn explain(key: &str, message: &str) -> (String, String) {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let (given, known) = names.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
    let choices = known.join(", ");
    if message.starts_with("unknown variant") {
        let shown = if looks_like_secret(given) { "***" } else { given };
        return (format!("`{key}` cannot be `{shown}`"), format!("Use one of: {choices}."));
    }
    if message.starts_with("unknown field") {
        return (format!("there is no setting `{key}`"), format!("Use one of: {choices}."));
    }
    if message.starts_with("missing field") {
        return (format!("`{key}` lacks `{given}`"), format!("Add `{given}`."));
    }
    let expected = message.rsplit_once(", expected ").map_or(message, |(_, expected)| expected);
    let expected = match expected {
        "u32" | "usize" => "a whole number that is not negative",
        "i64" => "a whole number",
        "a string" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        other if other.starts_with("struct") || other == "a map" => "a section",
        other => other,
    };
    (format!("`{key}` should be {expected}"), "Correct the value, or remove it to use the default.".into())
}
