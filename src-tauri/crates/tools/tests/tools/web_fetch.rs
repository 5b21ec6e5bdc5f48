use crate::support::{Computer, Setting, claims};
use namma_core::BoxFuture;
use namma_core::ports::{HttpClient, HttpFailure, HttpReply, HttpRequest};
use namma_core::trust::Taint;
use namma_protocol::ToolOutcome;
use namma_testkit::FakeWeb;
use serde_json::json;
use std::sync::Arc;

claims! { "web_fetch":
    a_page_becomes_markdown_and_taints_the_turn,
    a_long_page_goes_on_where_it_stopped,
    a_redirect_to_another_host_is_told_and_not_followed,
    an_error_page_says_its_status,
    what_is_not_text_is_told,
    what_cannot_be_reached_is_told,
}

/// Always answers the same.
struct Server(HttpReply);

impl HttpClient for Server {
    fn get(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpReply, HttpFailure>> {
        let reply = self.0.clone();
        Box::pin(async move { Ok(reply) })
    }
}

fn reply(status: u16, content_type: &str, body: &str) -> HttpReply {
    HttpReply {
        status,
        final_url: "https://example.org/page".parse().unwrap(),
        content_type: Some(content_type.into()),
        body: body.into(),
        truncated: false,
        redirect_to: None,
    }
}

fn computer(web: impl HttpClient) -> Computer {
    Computer::set(Setting { web: Arc::new(web), ..Setting::default() })
}

async fn a_page_becomes_markdown_and_taints_the_turn() {
    let html = format!(
        "<title>News</title><article><h1>News</h1><p>{} <a href='/more'>more</a></p></article>",
        "It rained all day in the valley. ".repeat(30)
    );
    let computer = computer(FakeWeb::default().page("https://example.org/", "text/html", html));
    let finished = computer.call("web_fetch", json!({"url": "https://example.org"})).await;
    let ToolOutcome::Succeeded { content } = &finished.outcome else { panic!("{finished:?}") };
    assert!(content.contains("title: News") && content.contains("It rained"), "{content}");
    assert!(content.contains("(https://example.org/more)"), "links are kept: {content}");
    assert!(finished.taint.contains(Taint::Web));
}

async fn a_long_page_goes_on_where_it_stopped() {
    let text: String = (0..9000).map(|n| format!("line {n}\n")).collect();
    let computer = computer(Server(reply(200, "text/plain", &text)));
    let (content, _) = computer.done("web_fetch", json!({"url": "https://example.org/page"})).await;
    let next = content.split("with offset ").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let next: u32 = next.parse().unwrap();
    let last = content.lines().rfind(|line| line.starts_with("line ")).unwrap();
    let computer = self::computer(Server(reply(200, "text/plain", &text)));
    let (content, _) = computer.done("web_fetch", json!({"url": "https://example.org/page", "offset": next})).await;
    let first = content.lines().find(|line| line.starts_with("line ")).unwrap();
    let number = |line: &str| line[5..].parse::<u32>().unwrap();
    assert_eq!(number(first), number(last) + 1);
}

async fn a_redirect_to_another_host_is_told_and_not_followed() {
    let redirect =
        HttpReply { redirect_to: Some("https://elsewhere.example/x".parse().unwrap()), ..reply(302, "text/html", "") };
    let (content, fact) =
        computer(Server(redirect)).done("web_fetch", json!({"url": "https://example.org/page"})).await;
    assert!(content.contains("https://elsewhere.example/x") && content.contains("not fetched"), "{content}");
    assert_eq!(fact, "redirected");
}

async fn an_error_page_says_its_status() {
    let (content, fact) = computer(Server(reply(404, "text/html", "<p>gone</p>")))
        .done("web_fetch", json!({"url": "https://example.org/page"}))
        .await;
    assert!(content.contains("status: 404 (not a success)") && content.contains("gone"), "{content}");
    assert_eq!(fact, "status 404");
}

async fn what_is_not_text_is_told() {
    let failure = computer(Server(reply(200, "application/pdf", "%PDF-1.7")))
        .failure("web_fetch", json!({"url": "https://example.org/page"}))
        .await;
    assert!(failure.contains("application/pdf (8 bytes)"), "{failure}");
}

async fn what_cannot_be_reached_is_told() {
    let computer = computer(FakeWeb::default());
    let failure = computer.failure("web_fetch", json!({"url": "https://example.org/missing"})).await;
    assert!(failure.contains("could not reach example.org"), "{failure}");
    for url in ["file:///etc/passwd", "https://user:pw@example.org/", "example.org"] {
        assert!(
            computer.failure("web_fetch", json!({"url": url})).await.contains("could not read the address"),
            "{url}"
        );
    }
}
