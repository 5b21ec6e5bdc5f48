//! What looks like a secret, whoever it belongs to: keys of vendors, private keys, passwords in addresses.

/// Signs that a key may consist of.
#[derive(Clone, Copy)]
enum Body {
    /// Letters and digits. Names joined with `_` or `-` end soon, so that a short mark is enough.
    Plain,
    /// With `-`, `_` and `.` as well.
    Joined,
}

/// How the keys of vendors begin, what follows, and how much of it at least.
const SHAPES: [(&str, Body, usize); 23] = [
    ("sk-", Body::Joined, 24),
    ("sk_live_", Body::Joined, 16),
    ("ghp_", Body::Joined, 30),
    ("gho_", Body::Joined, 30),
    ("ghs_", Body::Joined, 30),
    ("github_pat_", Body::Joined, 30),
    ("glpat-", Body::Joined, 20),
    ("gsk_", Body::Joined, 30),
    ("xoxb-", Body::Joined, 20),
    ("xoxp-", Body::Joined, 20),
    ("AKIA", Body::Joined, 16),
    ("AIza", Body::Joined, 30),
    ("eyJhbGciOi", Body::Joined, 30),
    ("nvapi-", Body::Joined, 24),
    ("tgp_v1_", Body::Joined, 24),
    ("hf_", Body::Plain, 24),
    ("xai-", Body::Plain, 24),
    ("pplx-", Body::Plain, 24),
    ("csk-", Body::Plain, 24),
    ("fw_", Body::Plain, 20),
    ("npm_", Body::Plain, 30),
    ("r8_", Body::Plain, 30),
    ("rk_live_", Body::Joined, 16),
];

/// The text with what has the shape of a secret masked, and how many there were.
pub(super) fn mask_shapes(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut count = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((mask, length)) = shape_at(rest, &out) {
            out.push_str(mask);
            count += 1;
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    (out, count)
}

/// What is shown in place of the secret that `rest` begins with, and the length of that secret.
fn shape_at(rest: &str, before: &str) -> Option<(&'static str, usize)> {
    if let Some(body) = rest.strip_prefix("-----BEGIN ")
        && body.lines().next().is_some_and(|first| first.contains("PRIVATE KEY"))
    {
        return Some(("***private key***", rest.len() - after_private_key(body).len()));
    }
    if before.ends_with(':')
        && let Some(length) = password_in_address(rest, before)
    {
        return Some(("***password***", length));
    }
    if before.ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let key = SHAPES.iter().find_map(|(prefix, body, least)| {
        let length = length_of(rest.strip_prefix(prefix)?, *body);
        (length >= *least).then_some(prefix.len() + length)
    });
    key.or_else(|| token_after_bearer(rest, before)).map(|length| ("***key***", length))
}

fn length_of(text: &str, body: Body) -> usize {
    let is_joint = |c: char| matches!(body, Body::Joined) && matches!(c, '-' | '_' | '.');
    text.find(|c: char| !(c.is_ascii_alphanumeric() || is_joint(c))).unwrap_or(text.len())
}

/// The token of `Authorization: Bearer …`. It has a digit, which a word behind "bearer" has not.
fn token_after_bearer(rest: &str, before: &str) -> Option<usize> {
    const LEAST: usize = 16;
    let word = before.strip_suffix(' ')?.as_bytes();
    let start = word.len().checked_sub("bearer".len())?;
    if !word[start..].eq_ignore_ascii_case(b"bearer") {
        return None;
    }
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    let token = &rest[..rest.find(|c: char| !is_sign(c)).unwrap_or(rest.len())];
    (token.len() >= LEAST && token.contains(|c: char| c.is_ascii_digit())).then_some(token.len())
}

/// The password of `https://user:password@host`, when `before` ends with `//user:`.
fn password_in_address(rest: &str, before: &str) -> Option<usize> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>' | '`' | '\\');
    let authority = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let length = authority.rfind('@').filter(|length| *length > 0)?;
    let user = before.strip_suffix(':')?;
    let user = &user[user.rfind(ends).map_or(0, |at| at + 1)..];
    let scheme = before.strip_suffix(':')?.strip_suffix(user)?.strip_suffix("://")?;
    (!user.contains([':', '@']) && scheme.ends_with(|c: char| c.is_ascii_alphanumeric())).then_some(length)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_the_shape_of_a_key_is_masked_and_ordinary_words_are_not() {
        let (masked, count) =
            mask_shapes("a=sk-proj-abcdefghijklmnopqrstuvwxyz0123 b=ghp_abcdefghijklmnopqrstuvwxyz0123456789");
        assert_eq!((masked.as_str(), count), ("a=***key*** b=***key***", 2));
        for text in
            ["task-based-scheduling-of-many-things-at-once", "sk-short", "AKIA", "desk-abcdefghijklmnopqrstuvwxyz"]
        {
            assert_eq!(mask_shapes(text), (text.to_owned(), 0));
        }
    }

    #[test]
    fn a_private_key_is_masked_whole() {
        let text = "x\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----\ny";
        assert_eq!(mask_shapes(text), ("x\n***private key***\ny".to_owned(), 1));
    }

    #[test]
    fn the_beginning_of_a_private_key_is_masked_and_the_text_after_it_is_not() {
        let text = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n3\tMIIEow+/=\n4\tabc\n[4 of 27 lines]\n";
        assert_eq!(mask_shapes(text).0, "***private key***\n[4 of 27 lines]\n");
        let mention = "it begins with -----BEGIN PRIVATE KEY----- and so on\nThe next line stays as it is.";
        let masked = mask_shapes(mention).0;
        assert!(masked.ends_with("\nThe next line stays as it is."), "{masked}");
    }

    #[test]
    fn the_keys_of_vendors_are_masked() {
        const BODY: &str = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j";
        let marks =
            ["hf_", "xai-", "nvapi-", "pplx-", "csk-", "fw_", "tgp_v1_", "npm_", "glpat-", "github_pat_", "gho_"];
        for mark in marks {
            assert_eq!(
                mask_shapes(&format!("it is {mark}{BODY}, keep it")),
                ("it is ***key***, keep it".into(), 1),
                "{mark}"
            );
        }
        assert_eq!(mask_shapes(&format!("authorization: bearer {BODY}==")).0, "authorization: bearer ***key***");
        assert_eq!(mask_shapes(&format!("curl -H 'Bearer {BODY}'")).0, "curl -H 'Bearer ***key***'");
    }

    #[test]
    fn the_password_in_an_address_is_masked() {
        for (text, masked) in [
            (
                "git clone https://ravi:mari@gold@host.example/x.git",
                "git clone https://ravi:***password***@host.example/x.git",
            ),
            ("postgres://app:hunter2@127.0.0.1:5432/db", "postgres://app:***password***@127.0.0.1:5432/db"),
            ("redis://:hunter2@cache", "redis://:***password***@cache"),
        ] {
            assert_eq!(mask_shapes(text), (masked.to_owned(), 1), "{text}");
        }
    }

    #[test]
    fn ordinary_words_hashes_and_addresses_stay() {
        for text in [
            "7d360f5c1aef5464f4f634e7f2030044fc570a1b",
            "550e8400-e29b-41d4-a716-446655440000",
            "hf_transformers_model_name_of_2024_release",
            "fw_update_2024_release_candidate_for_the_router",
            "npm_config_user_agent_and_other_variables_2",
            "the bearer of good news, bearer authentication-of-clients",
            "Bearer 550e8400",
            "https://example.org:8080/a@b and http://[::1]:80/x@y",
            "https://ravi@host.example/x, mailto:ravi@host.example",
            "https://example.org/?to=a:b@c",
            "half_a_long_word_abcdefghijklmnopqrstuvwxyz",
        ] {
            assert_eq!(mask_shapes(text), (text.to_owned(), 0));
        }
    }
}
