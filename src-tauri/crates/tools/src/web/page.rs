//! From what a server sent to text for the model.

use crate::files::{Decoded, decode};
use dom_smoothie::Readability;
use encoding_rs::Encoding;
use url::Url;

/// What a body turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Page {
    Text {
        title: Option<String>,
        text: String,
    },
    /// Not something to read: its type.
    Other {
        kind: String,
    },
}

impl Page {
    pub(super) fn read(content_type: Option<&str>, body: &[u8], truncated: bool, address: &Url) -> Self {
        let declared = content_type.unwrap_or_default();
        let kind = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !is_text(&kind) {
            return Self::Other { kind };
        }
        let text = match charset(declared) {
            Some(encoding) => encoding.decode(body).0.into_owned(),
            None => match decode(body, truncated) {
                Decoded::Text { text, .. } => text,
                Decoded::Binary { kind } => return Self::Other { kind: kind.into() },
            },
        };
        let is_html =
            kind.ends_with("html") || kind.ends_with("html+xml") || (kind.is_empty() && looks_like_html(&text));
        if is_html {
            return article(&text, address);
        }
        let is_json = kind.ends_with("json");
        Self::Text { title: None, text: if is_json { pretty(text) } else { text } }
    }
}

/// Empty means that the server did not say; the bytes tell then.
fn is_text(kind: &str) -> bool {
    kind.is_empty()
        || kind.starts_with("text/")
        || ["json", "xml", "javascript", "yaml", "x-ndjson", "toml", "x-sh"].iter().any(|end| kind.ends_with(end))
}

fn charset(content_type: &str) -> Option<&'static Encoding> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, label) = parameters.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Encoding::for_label(label.trim().trim_matches('"').as_bytes())
}

fn looks_like_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(200).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html")
        || start.starts_with("<html")
        || start.contains("<head")
        || start.contains("<body")
}

/// The main article as Markdown; the whole page where there is none.
fn article(html: &str, address: &Url) -> Page {
    let parsed = Readability::new(html, Some(address.as_str()), None).and_then(|mut page| page.parse());
    let (title, content) = match parsed {
        Ok(article) => (article.title.to_string(), article.content.to_string()),
        Err(_) => (title_of(html), html.to_owned()),
    };
    let text = markdown(&content).filter(|text| !text.trim().is_empty()).or_else(|| markdown(html)).unwrap_or_default();
    let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
    Page::Text { title, text: text.trim().to_owned() }
}

fn title_of(html: &str) -> String {
    let start = html.find("<title").and_then(|at| html[at..].find('>').map(|end| at + end + 1));
    let title = start.and_then(|start| html[start..].find("</title").map(|end| &html[start..start + end]));
    title.unwrap_or_default().to_owned()
}

fn markdown(html: &str) -> Option<String> {
    let skipped = vec!["script", "style", "noscript", "template", "svg", "iframe", "canvas", "form", "nav", "footer"];
    htmd::HtmlToMarkdown::builder().skip_tags(skipped).build().convert(html).ok()
}

/// One long line of JSON is hard to read and to cut.
fn pretty(text: String) -> String {
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or(text),
        Err(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content_type: &str, body: &[u8]) -> Page {
        Page::read(Some(content_type), body, false, &"https://example.org/a/".parse().unwrap())
    }

    fn text(page: Page) -> String {
        match page {
            Page::Text { text, .. } => text,
            Page::Other { kind } => panic!("{kind}"),
        }
    }

    #[test]
    fn an_article_becomes_markdown_with_its_title_and_links() {
        let words = "The river rose in the night and the bridge was closed until noon, said the town. ".repeat(8);
        let html = format!(
            "<html><head><title>River news</title><script>steal()</script></head><body><nav><a href=/x>Menu</a></nav>\
             <article><h1>River news</h1><p>{words}</p><h2>What now</h2><p>{words} See <a href=\"map.html\">the map</a>.</p></article></body></html>"
        );
        let page = read("text/html; charset=utf-8", html.as_bytes());
        let Page::Text { title, text } = page else { panic!("{page:?}") };
        assert_eq!(title.as_deref(), Some("River news"));
        assert!(text.contains("## What now"), "{text}");
        assert!(text.contains("[the map](https://example.org/a/map.html)"), "links are kept and whole: {text}");
        assert!(!text.contains("steal"), "{text}");
    }

    #[test]
    fn a_page_without_an_article_is_still_read() {
        assert!(text(read("text/html", b"<p>short")).contains("short"));
        assert_eq!(text(read("text/html", b"")), "");
    }

    #[test]
    fn text_and_json_pass_and_the_declared_charset_counts() {
        assert_eq!(text(read("text/plain; charset=ISO-8859-1", b"caf\xe9")), "café");
        assert_eq!(text(read("application/json", b"{\"a\":[1,2]}")), "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
        assert_eq!(text(read("application/ld+json", b"{broken")), "{broken");
    }

    #[test]
    fn other_types_are_named() {
        assert_eq!(read("application/pdf", b"%PDF"), Page::Other { kind: "application/pdf".into() });
        assert_eq!(read("text/plain", b"a\0\x01b"), Page::Other { kind: "binary, not text".into() });
        let unnamed = Page::read(None, b"\x89PNG\0", false, &"https://example.org/".parse().unwrap());
        assert_eq!(unnamed, Page::Other { kind: "a PNG picture".into() });
    }

    proptest::proptest! {
        #[test]
        fn no_page_makes_it_panic(body in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            read("text/html", &body);
        }
    }
}
