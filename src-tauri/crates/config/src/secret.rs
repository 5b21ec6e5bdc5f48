use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// A key or password. Shown as `***`, never serialised, wiped from memory when dropped.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(SecretString::from(text.into()))
    }

    /// A key as people paste it: space around it is dropped. `None` when nothing is left, or when
    /// it holds what cannot stand in a header and so cannot be a key.
    pub fn from_pasted(text: &str) -> Option<Self> {
        let key = text.trim();
        let fits = !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic());
        fits.then(|| Self::new(key))
    }

    /// The value itself. Hand it to what needs it and keep no copy.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Whether a text looks like a key of a vendor we know. Used to keep keys out of files: a miss is
/// possible, a false alarm is a text of 20 signs and more that starts like a key.
pub(crate) fn looks_like_secret(text: &str) -> bool {
    const PREFIXES: [&str; 20] = [
        "sk-",
        "sk_",
        "gsk_",
        "xai-",
        "AIza",
        "ghp_",
        "gho_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "hf_",
        "AKIA",
        "pplx-",
        "nvapi-",
        "csk-",
        "fw_",
        "r8_",
        "tgp_",
    ];
    let text = text.trim();
    if text.starts_with("-----BEGIN ") {
        return true;
    }
    let text = text.strip_prefix("Bearer ").unwrap_or(text).trim();
    let is_token = text.len() >= 20 && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~+/=".contains(c));
    let is_jwt = text.starts_with("eyJ") && text.matches('.').count() == 2;
    is_token && (is_jwt || PREFIXES.iter().any(|prefix| text.starts_with(prefix)))
}
