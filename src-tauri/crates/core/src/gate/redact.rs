//! Keeps known secrets, and what looks like one, out of results, logs and the audit.

mod shapes;

use shapes::mask_shapes;
use std::sync::{Arc, PoisonError, RwLock};

/// Masks secrets. Cheap to clone; all clones share the known values.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Arc<RwLock<Vec<(String, String)>>>,
}

impl Redactor {
    /// Adds a value that must never be seen, with the name shown in its place.
    pub fn add(&self, name: &str, value: &str) {
        if value.len() < 8 {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let reversed: String = value.chars().rev().collect();
        for form in [value.to_owned(), percent_encoded(value), base64(value), hex::encode(value), reversed] {
            if !known.iter().any(|(_, v)| *v == form) {
                known.push((name.to_owned(), form));
            }
        }
    }

    /// The text with secrets masked, and how many there were.
    pub fn mask(&self, text: &str) -> (String, usize) {
        let mut masked = text.to_owned();
        let mut count = 0;
        for (name, value) in self.known.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let found = masked.matches(value.as_str()).count();
            if found > 0 {
                count += found;
                masked = masked.replace(value.as_str(), &format!("***{name}***"));
            }
        }
        let (masked, shaped) = mask_shapes(&masked);
        (masked, count + shaped)
    }
}

fn percent_encoded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

fn base64(value: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in value.as_bytes().chunks(3) {
        let bytes = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
        for at in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    // Without padding and without the last character, which depends on what follows.
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_secret_is_masked_in_every_common_form() {
        let redactor = Redactor::default();
        redactor.add("OPENAI_API_KEY", "tulsi+secret/42==");
        for form in [
            "tulsi+secret/42==".to_owned(),
            "tulsi%2Bsecret%2F42%3D%3D".to_owned(),
            "dHVsc2krc2VjcmV0LzQyPT0=".to_owned(),
            hex::encode("tulsi+secret/42=="),
            "==24/terces+islut".to_owned(),
        ] {
            let (masked, count) = redactor.mask(&format!("key is {form} here"));
            assert_eq!(count, 1, "{form}: {masked}");
            assert!(masked.contains("***OPENAI_API_KEY***"), "{masked}");
        }
    }
}
