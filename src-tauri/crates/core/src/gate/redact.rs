//! Keeps known secrets, and what looks like one, out of results, logs and the audit.

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

const SHAPES: [(&str, usize); 9] = [
    ("sk-", 24),
    ("sk_live_", 16),
    ("ghp_", 30),
    ("github_pat_", 30),
    ("gsk_", 30),
    ("xoxb-", 20),
    ("AKIA", 16),
    ("AIza", 30),
    ("eyJhbGciOi", 30),
];

/// What follows a private key: the rest of the line that ends it, or, when only its beginning is
/// there, the first line that cannot belong to it.
fn after_private_key(body: &str) -> &str {
    if let Some(end) = body.find("-----END ") {
        let after = &body[end..];
        return &after[after.find('\n').unwrap_or(after.len())..];
    }
    let mut at = body.find('\n').unwrap_or(body.len());
    for line in body[at..].split_inclusive('\n') {
        // A line number of ours may stand before it.
        let text = line.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '|');
        let is_header = text.contains(": ") && text.len() < 80;
        if text.contains(' ') && !is_header {
            break;
        }
        at += line.len();
    }
    &body[body[..at].strip_suffix('\n').map_or(at, str::len)..]
}

/// Masks what has the shape of a key, and private keys in PEM.
fn mask_shapes(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut count = 0;
    let mut rest = text;
    'text: while !rest.is_empty() {
        if let Some(body) = rest.strip_prefix("-----BEGIN ")
            && body.lines().next().is_some_and(|first| first.contains("PRIVATE KEY"))
        {
            out.push_str("***private key***");
            count += 1;
            rest = after_private_key(body);
            continue;
        }
        if !out.ends_with(|c: char| c.is_alphanumeric()) {
            for (prefix, least) in SHAPES {
                if let Some(body) = rest.strip_prefix(prefix) {
                    let length = body
                        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))
                        .unwrap_or(body.len());
                    if length >= least {
                        out.push_str("***key***");
                        count += 1;
                        rest = &body[length..];
                        continue 'text;
                    }
                }
            }
        }
        let mut chars = rest.chars();
        if let Some(c) = chars.next() {
            out.push(c);
        }
        rest = chars.as_str();
    }
    (out, count)
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

    #[test]
    fn what_has_the_shape_of_a_key_is_masked_and_ordinary_words_are_not() {
        let redactor = Redactor::default();
        let (masked, count) =
            redactor.mask("a=sk-proj-abcdefghijklmnopqrstuvwxyz0123 b=ghp_abcdefghijklmnopqrstuvwxyz0123456789");
        assert_eq!((masked.as_str(), count), ("a=***key*** b=***key***", 2));
        for text in
            ["task-based-scheduling-of-many-things-at-once", "sk-short", "AKIA", "desk-abcdefghijklmnopqrstuvwxyz"]
        {
            assert_eq!(redactor.mask(text), (text.to_owned(), 0));
        }
    }

    #[test]
    fn a_private_key_is_masked_whole() {
        let text = "x\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----\ny";
        assert_eq!(Redactor::default().mask(text), ("x\n***private key***\ny".to_owned(), 1));
    }

    #[test]
    fn the_beginning_of_a_private_key_is_masked_and_the_text_after_it_is_not() {
        let text = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n3\tMIIEow+/=\n4\tabc\n[4 of 27 lines]\n";
        assert_eq!(Redactor::default().mask(text).0, "***private key***\n[4 of 27 lines]\n");
        let mention = "it begins with -----BEGIN PRIVATE KEY----- and so on\nThe next line stays as it is.";
        let masked = Redactor::default().mask(mention).0;
        assert!(masked.ends_with("\nThe next line stays as it is."), "{masked}");
    }
}
