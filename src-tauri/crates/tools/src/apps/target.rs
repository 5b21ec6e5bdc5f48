//! What a target is: an address, a path or the name of an application. What could be two things is
//! asked for more exactly.

use crate::words;
use namma_core::tool::{Place, ToolFailure};
use std::path::PathBuf;
use url::Url;

const MAX_CHARS: usize = 2000;
/// What a mail may bring along. Others attach files in some programs.
const OF_A_MAIL: [&str; 5] = ["subject", "body", "cc", "bcc", "in-reply-to"];
/// Ends of hosts that are taken for an address without `https://`; those of two letters are, too.
const ENDS_OF_HOSTS: &[&str] = &[
    "app", "biz", "blog", "cloud", "com", "dev", "edu", "gov", "info", "int", "live", "mil", "name", "net", "news",
    "online", "org", "page", "shop", "site", "tech", "wiki", "xyz",
];
/// Two letters that are the end of a kind of file, in some cases besides those of a country.
const ENDS_OF_FILES: &[&str] = &[
    "bz", "cc", "cs", "db", "el", "ex", "gz", "go", "hs", "jl", "js", "kt", "md", "mk", "ml", "mm", "nb", "pl", "pm",
    "po", "ps", "py", "rb", "rc", "rs", "sh", "so", "st", "sv", "tf", "ts", "ui", "vb", "xz",
];

/// Something that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Path(PathBuf),
    Address(Url),
    Application(String),
}

impl Target {
    /// What the text means here: what is written as an address, then what exists, then what looks
    /// like an address, then an application.
    pub(super) fn read(text: &str, place: &Place) -> Result<Self, ToolFailure> {
        let text = text.trim();
        if let Some(bad) = text.chars().find(|c| words::is_deceptive(*c) || c.is_control()) {
            return Err(ToolFailure::bad_input(format!(
                "the target contains the invisible character U+{:04X}, so that people would read another one",
                u32::from(bad)
            )));
        }
        if text.is_empty() || text.chars().count() > MAX_CHARS {
            return Err(ToolFailure::bad_input(format!("the target is empty or longer than {MAX_CHARS} characters")));
        }
        if has_scheme(text) && (text.contains("://") || !exists(text, place)) {
            return written_address(text).map(Self::Address);
        }
        if exists(text, place) {
            return Ok(Self::Path(place.path(text)?));
        }
        if let Some(url) = Self::address(text)? {
            return Ok(Self::Address(url));
        }
        if text.contains('/') || text.starts_with(['~', '.']) || looks_like_a_file(text) {
            return Err(ToolFailure::failed(format!("there is no file or folder `{text}`")).hint(
                "Check how it is written, or search for a part of its name. An address needs https:// in front.",
            ));
        }
        Ok(Self::Application(text.to_owned()))
    }

    /// The address, if the text is surely meant as one whatever files there are.
    pub(super) fn address(text: &str) -> Result<Option<Url>, ToolFailure> {
        let text = text.trim();
        if has_scheme(text) {
            return written_address(text).map(Some);
        }
        let Some(scheme) = scheme_of(text) else { return Ok(None) };
        written_address(&format!("{scheme}://{text}")).map(Some)
    }
}

/// Whose page it is, or whom the mail goes to.
pub(super) fn whose(url: &Url) -> String {
    if let Some(host) = url.host_str() {
        return host.to_owned();
    }
    let copies = url.query_pairs().filter(|(key, _)| matches!(&*key.to_lowercase(), "cc" | "bcc"));
    let all: Vec<String> = [url.path().to_owned()].into_iter().chain(copies.map(|(_, value)| value.into())).collect();
    all.join(", ")
}

fn exists(text: &str, place: &Place) -> bool {
    place.path(text).is_ok_and(|path| path.symlink_metadata().is_ok())
}

/// `https://…`, `mailto:…`, `javascript:…`; not `localhost:3000`.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_port =
        rest.split('/').next().is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme && !is_port
}

fn written_address(text: &str) -> Result<Url, ToolFailure> {
    let shown = words::excerpt(text, 200);
    let bad = |why: String| ToolFailure::bad_input(format!("could not open the address `{shown}`: {why}"));
    let url = Url::parse(text)
        .map_err(|error| bad(error.to_string()).hint("Give the whole address, with https:// in front."))?;
    match url.scheme() {
        "http" | "https" => {
            if !url.username().is_empty() || url.password().is_some() {
                return Err(bad("it carries a user name or password".into())
                    .hint("Give the address without them; the person can log in on the page."));
            }
            Ok(url)
        }
        "mailto" => mail(url).map_err(bad),
        "file" => Err(bad("a file is opened by its path".into()).hint("Give the path alone, without file://.")),
        other => Err(bad(format!("{other}: is none of http, https and mailto"))
            .hint("Only web pages and mails are opened; the person can open other addresses by hand.")),
    }
}

/// A mail to somebody, with nothing that a mail program would do by itself.
fn mail(url: Url) -> Result<Url, String> {
    if !url.path().contains('@') {
        return Err("it has no recipient".into());
    }
    let is_broken = |text: &str| text.contains("%0a") || text.contains("%0d");
    if is_broken(&url.path().to_lowercase()) {
        return Err("its recipient has a line break".into());
    }
    for (key, value) in url.query_pairs() {
        let key = key.to_lowercase();
        if !OF_A_MAIL.contains(&key.as_str()) {
            return Err(format!("`{}` is not let into a mail", words::one_line(&words::excerpt(&key, 40))));
        }
        if key != "body" && value.contains(['\n', '\r']) {
            return Err(format!("its {key} has a line break"));
        }
    }
    Ok(url)
}

/// The scheme of what is surely an address although none is written: `example.org/a`, `localhost:3000`.
fn scheme_of(text: &str) -> Option<&'static str> {
    let authority = text.split(['/', '?', '#']).next().unwrap_or(text);
    let host = authority.split(':').next().unwrap_or(authority).to_lowercase();
    if host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok() {
        return Some("http");
    }
    let is_label = |label: &str| {
        !label.is_empty() && !label.starts_with('-') && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let (before, last) = host.rsplit_once('.')?;
    let is_country = last.len() == 2 && last.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_known = ENDS_OF_HOSTS.contains(&last)
        || is_country && (!ENDS_OF_FILES.contains(&last) || before.starts_with("www."))
        || last.starts_with("xn--");
    (before.split('.').all(is_label) && is_known).then_some("https")
}

/// One word with the end of a file.
fn looks_like_a_file(text: &str) -> bool {
    let end = text.rsplit_once('.').map(|(_, end)| end);
    !text.contains(' ')
        && text.matches('.').count() == 1
        && end.is_some_and(|end| (1..=5).contains(&end.len()) && end.chars().all(char::is_alphanumeric))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Target, ToolFailure> {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        for name in ["notes.txt", "example.org", "-rf", "a:b", "two words"] {
            std::fs::write(home.join(name), "").unwrap();
        }
        let target = Target::read(text, &Place { cwd: home.clone(), home: home.clone() });
        target.map(|target| match target {
            Target::Path(path) => Target::Path(path.strip_prefix(&home).unwrap().to_owned()),
            other => other,
        })
    }

    #[test]
    fn paths_addresses_and_names_are_told_apart() {
        for path in ["notes.txt", " notes.txt ", "~/notes.txt", "example.org", "-rf", "a:b", "two words", "./notes.txt"]
        {
            let name = path.trim().trim_start_matches("~/").trim_start_matches("./");
            assert_eq!(read(path), Ok(Target::Path(name.into())), "{path}");
        }
        for (text, url) in [
            ("https://example.org", "https://example.org/"),
            ("example.com", "https://example.com/"),
            ("www.example.org/a?b=c&d#e", "https://www.example.org/a?b=c&d#e"),
            ("news.example.co.in", "https://news.example.co.in/"),
            ("localhost:3000/x", "http://localhost:3000/x"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("https://bücher.example/'\"$(x)", "https://xn--bcher-kva.example/'%22$(x)"),
            ("mailto:meena@example.org?subject=Hi&body=a%0Ab", "mailto:meena@example.org?subject=Hi&body=a%0Ab"),
        ] {
            assert_eq!(read(text), Ok(Target::Address(Url::parse(url).unwrap())), "{text}");
            assert_eq!(Target::address(text).unwrap().unwrap().as_str(), url);
        }
        for name in ["firefox", "Visual Studio Code", "org.gnome.Nautilus", "-x", "LibreOffice Writer 7.4"] {
            assert_eq!(read(name), Ok(Target::Application(name.into())));
        }
    }

    #[test]
    fn what_must_not_be_opened_is_refused_with_what_to_do() {
        for bad in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "vbscript:x",
            "ftp://example.org/x",
            "smb://host/share",
            "ms-settings:x",
            "https://user:secret@example.org/",
            "https://user@example.org/",
            "https://",
            "mailto:",
            "mailto:a@b.org?attach=/etc/passwd",
            "mailto:a@b.org?subject=x%0d%0aBcc:%20c@d.org",
            "mailto:a@b.org%0abcc:c@d.org",
            "gone.txt",
            "README.md",
            "main.rs",
            "no/such/file",
            "~/gone",
            "..gone",
            "",
            "   ",
            "fire\nfox",
            "https://example.org/\u{202e}x",
            "a\0",
        ] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
        assert!(read(&"x".repeat(3000)).is_err());
    }

    #[test]
    fn a_mail_names_all_who_get_it() {
        let url = Url::parse("mailto:a@b.org?cc=c@d.org&subject=x&BCC=e@f.org").unwrap();
        assert_eq!(whose(&url), "a@b.org, c@d.org, e@f.org");
        assert_eq!(whose(&Url::parse("https://example.org:81/x").unwrap()), "example.org");
    }
}
