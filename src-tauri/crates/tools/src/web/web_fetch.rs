use super::page::Page;
use crate::words;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use url::Url;

const MAX_BODY_BYTES: usize = 5 << 20;
const MAX_REPLY_BYTES: usize = 40 << 10;
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Reads a page of the web.
pub(crate) struct WebFetch;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The address, with http:// or https://.
    url: String,
    /// Where to go on in a long page: the offset that the last answer named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
}

impl Input {
    fn url(&self) -> Result<Url, ToolFailure> {
        let bad = |why: &str| {
            ToolFailure::bad_input(format!("could not read the address `{}`: {why}", words::excerpt(&self.url, 200)))
        };
        let mut url = Url::parse(self.url.trim())
            .map_err(|error| bad(&error.to_string()).hint("Give the whole address, with https:// in front."))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("only http and https can be fetched"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("it carries a user name or password"));
        }
        // Servers never see the part after `#`, and it must not make two addresses of one.
        url.set_fragment(None);
        Ok(url)
    }
}

impl Tool for WebFetch {
    type Input = Input;
    const NAME: &'static str = "web_fetch";
    const TOOLSET: &'static str = "web";

    fn description(&self) -> &'static str {
        "Fetches a public page and answers its main text as Markdown with links; also plain text and JSON."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let host = input.url().ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
        let host = host.unwrap_or_else(|| words::excerpt(&input.url, 40));
        StepTitle { doing: format!("Reading a page of {host}"), done: format!("Read a page of {host}") }
    }

    fn effects(&self, input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        let url = input.url()?;
        let host = url.host_str().unwrap_or_default().to_owned();
        Ok(Effects::of([Effect::Network { method: "GET".into(), url: url.into(), host }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let url = call.input().url()?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let reply = call.http().get(&url, MAX_BODY_BYTES, TIME_LIMIT).await?;
        if let Some(target) = &reply.redirect_to {
            let content = format!("[{host} sends readers on to another host, which was not fetched]\n{target}");
            return Ok(ToolOutput::outside(Taint::Web, host, content).fact("redirected"));
        }
        let size = words::size(reply.body.len() as u64);
        let page = Page::read(reply.content_type.as_deref(), &reply.body, reply.truncated, &reply.final_url);
        let (title, text) = match page {
            Page::Text { title, text } => (title, text),
            Page::Other { kind } => {
                let kind = words::one_line(&words::excerpt(&kind, 60));
                return Err(ToolFailure::failed(format!(
                    "{host} answered {} with {kind} ({size}), which is not text",
                    reply.status
                ))
                .hint("Tell the person what it is, or look for a page about it."));
            }
        };
        let part = part(&text, call.input().offset)?;
        let mut head = vec![format!("address: {}", reply.final_url)];
        head.extend(title.map(|title| format!("title: {}", words::one_line(&title))));
        if !(200..300).contains(&reply.status) {
            head.push(format!("status: {} (not a success)", reply.status));
        }
        let mut notes = Vec::new();
        if let Some(next) = part.next {
            notes.push(format!("[the page goes on; fetch it again with offset {next}]"));
        }
        if reply.truncated {
            notes.push(format!("[only the first {size} were read]"));
        }
        let body = if part.text.trim().is_empty() { "[the page has no text]" } else { part.text };
        let content = format!("{}\n\n{body}\n{}", head.join("\n"), notes.join("\n"));
        let fact = if (200..300).contains(&reply.status) { size } else { format!("status {}", reply.status) };
        Ok(ToolOutput::outside(Taint::Web, host, content.trim_end()).fact(fact))
    }
}

struct Part<'t> {
    text: &'t str,
    next: Option<usize>,
}

/// The part of a long text that begins at `offset`, cut between lines where that is possible.
fn part(text: &str, offset: Option<u32>) -> Result<Part<'_>, ToolFailure> {
    let start = offset.unwrap_or(0) as usize;
    if start > text.len() || (start == text.len() && start > 0) {
        return Err(ToolFailure::bad_input(format!(
            "offset {start} is after the end of the page, which has {} bytes",
            text.len()
        )));
    }
    let rest = &text[text.floor_char_boundary(start)..];
    if rest.len() <= MAX_REPLY_BYTES {
        return Ok(Part { text: rest, next: None });
    }
    let most = rest.floor_char_boundary(MAX_REPLY_BYTES);
    let end = rest[..most].rfind('\n').filter(|end| *end > most / 2).map_or(most, |newline| newline + 1);
    Ok(Part { text: &rest[..end], next: Some(text.len() - rest.len() + end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_public_addresses_are_taken() {
        let url = |text: &str| Input { url: text.into(), offset: None }.url();
        assert_eq!(url(" https://example.org/a#part ").unwrap().as_str(), "https://example.org/a");
        assert_eq!(
            url("https://bücher.example/").unwrap().host_str(),
            Some("xn--bcher-kva.example"),
            "names are shown in ASCII"
        );
        for bad in [
            "example.org",
            "file:///etc/passwd",
            "ftp://example.org",
            "https://user:pw@example.org/",
            "https://a@b/",
            "",
            "data:text/html,x",
            "https://",
        ] {
            assert!(url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_long_page_is_given_in_parts_that_fit_together() {
        let text: String = (0..20_000).map(|n| format!("line ಕ {n}\n")).collect();
        let mut whole = String::new();
        let mut next = Some(0);
        while let Some(offset) = next {
            let part = part(&text, Some(u32::try_from(offset).unwrap())).unwrap();
            assert!(part.text.len() <= MAX_REPLY_BYTES);
            whole.push_str(part.text);
            next = part.next;
        }
        assert_eq!(whole, text);
        assert!(part(&text, Some(u32::MAX)).is_err());
    }
}
