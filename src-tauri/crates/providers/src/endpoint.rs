use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;
use url::{Host, Url};

/// Where a model is asked, and with which key.
#[derive(Clone)]
pub struct EndpointConfig {
    /// The vendor's name for people: "Ollama", "api.example.com".
    pub label: String,
    /// Made by [`parse_base_url`]; requests go below it.
    pub base_url: Url,
    pub dialect: Dialect,
    pub api_key: Option<SecretString>,
    pub timeouts: Timeouts,
    /// Sent with each request. The values are treated as secrets.
    pub extra_headers: Vec<(String, SecretString)>,
}

/// How a vendor is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `POST <base_url>/chat/completions`.
    ChatCompletions,
    /// `POST <base_url>/responses`.
    Responses,
    /// `POST <base_url>/messages`.
    Anthropic,
    /// `POST <base_url>/models/MODEL:streamGenerateContent`.
    Gemini,
}

impl Dialect {
    /// The one that the vendor at this address speaks.
    pub fn of(base_url: &Url) -> Self {
        match base_url.host_str() {
            Some("api.openai.com") => Self::Responses,
            Some("api.anthropic.com") => Self::Anthropic,
            // Below `openai` the vendor speaks chat completions.
            Some("generativelanguage.googleapis.com") if !base_url.path().ends_with("/openai") => Self::Gemini,
            _ => Self::ChatCompletions,
        }
    }
}

/// How long to wait before giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// From the request to the first byte of the answer: a local model may have to be loaded.
    pub first_byte: Duration,
    /// Between two pieces of the answer.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), first_byte: Duration::from_secs(300), idle: Duration::from_secs(120) }
    }
}

/// Why a text is no base URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    #[error("`{text}` is not a web address")]
    NotAnAddress { text: String },
    #[error("a base URL starts with http:// or https://, not {scheme}:")]
    NotHttp { scheme: String },
}

/// Reads a base URL as people type it.
///
/// Without a scheme it is http for this computer and https elsewhere; without a path it is `/v1`;
/// a pasted `…/chat/completions`, `…/responses` or `…/messages` loses its end; a query, a fragment and a password are dropped.
///
/// # Errors
/// When it is no http or https address.
pub fn parse_base_url(text: &str) -> Result<Url, BaseUrlError> {
    let text = text.trim();
    let unreadable = || BaseUrlError::NotAnAddress { text: text.chars().take(100).collect() };
    let mut url = if text.contains("://") {
        Url::parse(text).map_err(|_| unreadable())?
    } else {
        let guess = Url::parse(&format!("http://{text}")).map_err(|_| unreadable())?;
        if is_near(&guess) { guess } else { Url::parse(&format!("https://{text}")).map_err(|_| unreadable())? }
    };
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BaseUrlError::NotHttp { scheme: url.scheme().to_owned() });
    }
    if url.host_str().is_none_or(|host| host.chars().any(char::is_whitespace)) {
        return Err(unreadable());
    }
    url.set_query(None);
    url.set_fragment(None);
    // Both fail only for URLs without a host, which are refused above.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let path = url.path().trim_end_matches('/').to_owned();
    let path =
        ["/chat/completions", "/responses", "/messages"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(&path);
    let usual = if url.host_str() == Some("generativelanguage.googleapis.com") { "/v1beta" } else { "/v1" };
    let path = if path.is_empty() { usual } else { path }.to_owned();
    url.set_path(&path);
    Ok(url)
}

impl EndpointConfig {
    /// An endpoint without a key, with the usual limits.
    pub fn new(label: impl Into<String>, base_url: Url) -> Self {
        Self {
            label: label.into(),
            dialect: Dialect::of(&base_url),
            base_url,
            api_key: None,
            timeouts: Timeouts::default(),
            extra_headers: Vec::new(),
        }
    }

    /// The same endpoint with a key. Space around the key is dropped; an empty key is none.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        let key = key.trim();
        self.api_key = (!key.is_empty()).then(|| SecretString::from(key.to_owned()));
        self
    }

    /// The requests stay on this computer.
    pub fn is_local(&self) -> bool {
        match self.base_url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// The address of `path` below the base; what follows a `?` is its query.
    pub(crate) fn url(&self, path: &str) -> Url {
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        let mut url = self.base_url.clone();
        url.set_path(&format!("{}/{path}", self.base_url.path().trim_end_matches('/')));
        url.set_query(query);
        url
    }

    /// `host:port`, as shown to people.
    pub(crate) fn address(&self) -> String {
        let host = self.base_url.host_str().unwrap_or_default();
        match self.base_url.port_or_known_default() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The text without the key, which some vendors repeat in their errors.
    pub(crate) fn redact(&self, text: &str) -> String {
        let secrets = self.api_key.iter().chain(self.extra_headers.iter().map(|(_, value)| value));
        let mut clean = text.to_owned();
        for secret in secrets.map(ExposeSecret::expose_secret).filter(|secret| secret.len() >= 4) {
            clean = clean.replace(secret, "[key]");
        }
        clean
    }

    pub(crate) fn quirks(&self) -> Quirks {
        match self.base_url.host_str() {
            Some("api.openai.com") => Quirks { max_completion_tokens: true, ..Quirks::default() },
            Some("api.mistral.ai") => Quirks { short_call_ids: true, ..Quirks::default() },
            Some("openrouter.ai") => Quirks { reasoning_object: true, ..Quirks::default() },
            Some("api.deepseek.com" | "api.moonshot.ai" | "api.z.ai") => {
                Quirks { thinking_type: true, ..Quirks::default() }
            }
            _ => Quirks::default(),
        }
    }
}

impl fmt::Debug for EndpointConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.extra_headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("EndpointConfig")
            .field("label", &self.label)
            .field("base_url", &self.base_url.as_str())
            .field("dialect", &self.dialect)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("timeouts", &self.timeouts)
            .field("extra_headers", &headers)
            .finish()
    }
}

/// Where a vendor departs from the common dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quirks {
    /// The newer name of `max_tokens`, which newer models insist on.
    pub(crate) max_completion_tokens: bool,
    /// Call ids of exactly nine letters and digits.
    pub(crate) short_call_ids: bool,
    /// The effort stands in an object `reasoning`.
    pub(crate) reasoning_object: bool,
    /// Thinking is switched by `thinking.type`, not by the chat template.
    pub(crate) thinking_type: bool,
}

/// This computer or a private address: never through a proxy.
pub(crate) fn is_near(url: &Url) -> bool {
    let private = |address: IpAddr| match address {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    };
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => private(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => private(IpAddr::V6(address)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseUrlError, EndpointConfig, parse_base_url};

    #[test]
    fn a_base_url_is_read_as_people_type_it() {
        let table = [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
            ("localhost:11434", "http://localhost:11434/v1"),
            ("http://192.168.1.5:1234/v1/", "http://192.168.1.5:1234/v1"),
            ("192.168.1.5:1234", "http://192.168.1.5:1234/v1"),
            ("api.example.com", "https://api.example.com/v1"),
            (" https://openrouter.ai/api/v1/chat/completions ", "https://openrouter.ai/api/v1"),
            ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1"),
            ("generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta"),
            ("https://me:secret@host.example/v1?key=1#top", "https://host.example/v1"),
        ];
        for (typed, read) in table {
            assert_eq!(parse_base_url(typed).map(String::from).as_deref(), Ok(read), "{typed}");
        }
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        let scheme = "ftp".to_owned();
        assert_eq!(parse_base_url("ftp://host/v1"), Err(BaseUrlError::NotHttp { scheme }));
        assert!(parse_base_url("").is_err());
        assert!(parse_base_url("not a url").is_err());
        assert!(parse_base_url("http://").is_err());
    }

    #[test]
    fn the_key_is_not_in_the_debug_text() {
        let url = parse_base_url("localhost:1").expect("an address");
        let endpoint = EndpointConfig::new("local", url).with_key(" sk-secret-1 \n");
        assert!(!format!("{endpoint:?}").contains("secret"));
        assert_eq!(endpoint.redact("Incorrect key: sk-secret-1."), "Incorrect key: [key].");
    }
}
