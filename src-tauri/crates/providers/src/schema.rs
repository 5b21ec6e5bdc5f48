use serde_json::Value;
use std::borrow::Cow;

/// A schema without `$schema`, which several vendors refuse.
pub(crate) fn without_dialect(schema: &Value) -> Cow<'_, Value> {
    if schema.get("$schema").is_none() {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("$schema");
    }
    Cow::Owned(schema)
}

#[cfg(test)]
mod tests {
    use super::without_dialect;
    use serde_json::json;
    use std::borrow::Cow;

    #[test]
    fn only_a_schema_that_names_its_dialect_is_copied() {
        let plain = json!({ "type": "object" });
        assert!(matches!(without_dialect(&plain), Cow::Borrowed(schema) if *schema == plain));
        assert_eq!(*without_dialect(&json!({ "$schema": "x", "type": "object" })), plain);
    }
}
