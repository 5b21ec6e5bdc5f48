//! Stage 1, first half: the model's raw arguments become one JSON object, or a letter back.
//!
//! Nothing is guessed. The one repair is lossless: raw line breaks and tabs inside a string, which
//! JSON wants escaped. Arguments that were cut off are never completed.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

const MAX_BYTES: usize = 256 * 1024;
const MAX_DEPTH: usize = 12;

/// Parses the raw text of a call's arguments.
///
/// # Errors
/// What is wrong and where, for the model to correct.
pub(crate) fn parse(raw: &str) -> Result<Value, String> {
    if raw.len() > MAX_BYTES {
        return Err(format!("the arguments are {} bytes long; at most {MAX_BYTES} are read", raw.len()));
    }
    let trimmed = raw.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return Ok(Value::Object(Map::new()));
    }
    let value = match strict(trimmed) {
        Ok(value) => value,
        Err(error) => strict(&escape_controls_in_strings(trimmed)).map_err(|_| describe(trimmed, &error))?,
    };
    match value {
        Value::Object(_) => Ok(value),
        // Some models encode the object twice; unwrapping it loses nothing.
        Value::String(inner) => match strict(&inner) {
            Ok(object @ Value::Object(_)) => Ok(object),
            _ => Err("the arguments are a string; they must be one JSON object".into()),
        },
        _ => Err("the arguments must be one JSON object".into()),
    }
}

fn strict(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let Strict(value) = Strict::deserialize(&mut deserializer)?;
    deserializer.end()?;
    if depth(&value) > MAX_DEPTH {
        return Err(serde_json::Error::custom(format_args!("nested deeper than {MAX_DEPTH} levels")));
    }
    Ok(value)
}

fn describe(text: &str, error: &serde_json::Error) -> String {
    let start = error.column().saturating_sub(20);
    let near: String =
        text.lines().nth(error.line().saturating_sub(1)).unwrap_or("").chars().skip(start).take(40).collect();
    format!("the arguments are not valid JSON: {error}, near `{near}`")
}

/// Escapes raw control characters inside strings; everything else stays byte for byte.
fn escape_controls_in_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                '\n' => {
                    out.push_str("\\n");
                    continue;
                }
                '\r' => {
                    out.push_str("\\r");
                    continue;
                }
                '\t' => {
                    out.push_str("\\t");
                    continue;
                }
                _ => {}
            }
        } else if c == '"' {
            in_string = true;
        }
        out.push(c);
    }
    out
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// JSON in which the same key twice is an error: which of the two was meant cannot be known.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<Value, E> {
        serde_json::Number::from_f64(v).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }
    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Strict(value))) = access.next_entry::<String, Strict>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` occurs twice")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_raw_line_break_inside_a_string_is_repaired() {
        let raw = "{\"path\":\"a.txt\",\"content\":\"line1\nline2\"}";
        assert_eq!(parse(raw).unwrap(), json!({"path": "a.txt", "content": "line1\nline2"}));
    }

    #[test]
    fn arguments_that_were_cut_off_are_never_completed() {
        for raw in [r#"{"path":"a.txt","cont"#, r#"{"path":"a.t"#, r#"{"path":"a.txt""#, r#"{"a": tru"#] {
            let error = parse(raw).unwrap_err();
            assert!(error.contains("not valid JSON"), "{raw}: {error}");
            assert!(error.contains("column"), "says where: {error}");
        }
    }

    #[test]
    fn a_bare_word_is_answered_with_its_position() {
        let error = parse(r#"{"names": cronjob_manage}"#).unwrap_err();
        assert!(error.contains("line 1 column 11"), "{error}");
        assert!(error.contains("cronjob_manage"), "{error}");
    }

    #[test]
    fn no_arguments_are_an_empty_object_and_nothing_else_is_invented() {
        for raw in ["", "  ", "null", "{}"] {
            assert_eq!(parse(raw).unwrap(), json!({}), "{raw:?}");
        }
        for raw in ["[]", "5", "\"text\"", "true"] {
            assert!(parse(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn an_object_encoded_twice_is_unwrapped() {
        assert_eq!(parse(r#""{\"path\":\"a\"}""#).unwrap(), json!({"path": "a"}));
    }

    #[test]
    fn doubled_keys_deep_nesting_huge_numbers_and_huge_texts_are_refused() {
        assert!(parse(r#"{"a":1,"a":2}"#).unwrap_err().contains("occurs twice"));
        let deep = format!("{}1{}", "{\"a\":".repeat(13), "}".repeat(13));
        assert!(parse(&deep).is_err());
        assert!(parse(r#"{"a":1e999}"#).is_err());
        assert!(parse(r#"{"a":NaN}"#).is_err());
        assert!(parse(&format!("{{\"a\":\"{}\"}}", "x".repeat(300_000))).is_err());
        assert!(parse(r#"{"a":1} {"b":2}"#).is_err(), "two objects");
    }
}
