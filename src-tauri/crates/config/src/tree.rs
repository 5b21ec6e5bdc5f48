//! Settings as a tree of JSON values: dotted keys, merge and difference.

use serde_json::{Map, Value};

/// Lays `patch` over `base` as RFC 7396 does, but for one thing: in a file a setting without a
/// value is one that somebody cleared, so `null` leaves what is there.
pub(crate) fn merge(base: &mut Value, patch: &Value) {
    match (base, patch) {
        (_, Value::Null) => {}
        (Value::Object(base), Value::Object(patch)) => {
            for (key, value) in patch {
                merge(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, patch) => *base = patch.clone(),
    }
}

/// Sets a value in an overlay; `null` removes it.
pub(crate) fn set(overlay: &mut Value, key: &str, value: Value) {
    if !overlay.is_object() {
        *overlay = Value::Object(Map::new());
    }
    let Value::Object(fields) = overlay else { return };
    match key.split_once('.') {
        Some((section, rest)) => set(fields.entry(section).or_insert(Value::Null), rest, value),
        None if value.is_null() => {
            fields.shift_remove(key);
        }
        None => merge(fields.entry(key).or_insert(Value::Null), &value),
    }
}

/// Keeps of `overlay` only what differs from `base`.
pub(crate) fn difference(overlay: &Value, base: &Value) -> Option<Value> {
    match (overlay, base) {
        (Value::Null, _) => None,
        (Value::Object(overlay), Value::Object(base)) => {
            let kept: Map<String, Value> = overlay
                .iter()
                .filter_map(|(key, value)| {
                    let value = difference(value, base.get(key).unwrap_or(&Value::Null))?;
                    Some((key.clone(), value))
                })
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        (overlay, base) => (overlay != base).then(|| overlay.clone()),
    }
}

/// The value at a dotted key.
pub(crate) fn get<'a>(tree: &'a Value, key: &str) -> Option<&'a Value> {
    if key.is_empty() {
        return Some(tree);
    }
    key.split('.').try_fold(tree, |node, part| node.get(part))
}

/// The dotted keys of all settings, sections left out.
pub(crate) fn keys(tree: &Value) -> Vec<String> {
    fn walk(node: &Value, path: &str, found: &mut Vec<String>) {
        match node {
            Value::Object(fields) => {
                for (key, value) in fields {
                    walk(value, &join(path, key), found);
                }
            }
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = Vec::new();
    walk(tree, "", &mut found);
    found
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The known setting that was probably meant: the same last word elsewhere, or nearly the same.
pub(crate) fn suggest(unknown: &str, tree: &Value) -> Option<String> {
    let known = keys(tree);
    let last = unknown.rsplit('.').next().unwrap_or(unknown);
    let nearest = |candidates: Vec<String>, word: &str, by: fn(&str) -> &str| {
        candidates
            .into_iter()
            .map(|key| (strsim::jaro_winkler(by(&key), word), key))
            .filter(|(score, _)| *score >= 0.85)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, key)| key)
    };
    let sections = tree.as_object().map(|sections| sections.keys().cloned().collect()).unwrap_or_default();
    let is_top = !unknown.contains('.');
    let name = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    let section = unknown.strip_suffix(last).unwrap_or_default();
    let is_longer_or_shorter =
        |key: &&String| key.starts_with(section) && (name(key).contains(last) || last.contains(&name(key)));
    known
        .iter()
        .find(|key| name(key) == last)
        .or_else(|| known.iter().find(is_longer_or_shorter).filter(|_| !is_top))
        .cloned()
        .or_else(|| if is_top { nearest(sections, last, |key| key) } else { None })
        .or_else(|| nearest(known.clone(), unknown, |key| key))
        .or_else(|| nearest(known, last, |key| key.rsplit('.').next().unwrap_or(key)))
}
