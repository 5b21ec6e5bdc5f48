//! What the tools' client refuses to reach.

use namma_core::ports::{HttpClient, HttpFailure, HttpReply, HttpRequest};
use namma_providers::{GuardedHttp, TestNet};
use namma_testkit::sse_server::{Reply, SseServer};
use std::net::IpAddr;
use std::time::Duration;
use url::Url;

pub(crate) fn request(url: &str) -> HttpRequest {
    let url = Url::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
    HttpRequest { url, max_bytes: 1_000_000, timeout: Duration::from_secs(10) }
}

pub(crate) async fn get(net: TestNet, url: &str) -> Result<HttpReply, HttpFailure> {
    GuardedHttp::for_tests(net).get(request(url)).await
}

fn page(text: &'static str) -> Reply {
    Reply::body(200, "text/html", text)
}

fn moved(status: u16, target: &str) -> Reply {
    Reply::body(status, "text/plain", "").header("location", target)
}

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

async fn refused_as_private(url: &str) {
    let outcome = GuardedHttp::new().get(request(url)).await;
    assert!(matches!(outcome, Err(HttpFailure::PrivateAddress { .. })), "{url}: {outcome:?}");
}

#[tokio::test]
async fn private_addresses_are_refused_however_they_are_written() {
    let table = [
        "http://127.0.0.1/",
        "http://127.0.0.1:22/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://0/",
        "http://%31%32%37.0.0.1/",
        "http://１２７.０.０.１/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff02::1]/",
        "http://10.0.0.1/",
        "http://100.64.0.1/",
        "http://100.100.100.200/",
        "http://169.254.169.254/latest/",
        "http://192.168.1.1/",
        "http://224.0.0.1/",
    ];
    for url in table {
        refused_as_private(url).await;
    }
    assert!(Url::parse("http://[fe80::1%25eth0]/").is_err(), "an address with a zone is no address");
}

#[tokio::test]
async fn names_of_private_places_are_refused() {
    for url in [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://x.localhost/",
        "http://metadata.google.internal/",
        "http://metadata/",
        "http://router/",
        "http://printer.local/",
    ] {
        refused_as_private(url).await;
    }
}

#[tokio::test]
async fn other_schemes_and_ports_are_refused() {
    for url in [
        "file:///etc/passwd",
        "gopher://example.org/",
        "ftp://example.org/",
        "data:text/html,hi",
        "jar:http://example.org/!/",
        "view-source:http://example.org/",
        "ws://example.org/",
        "http://example.org:25/",
        "http://example.org:8080/",
        "https://example.org:22/",
    ] {
        let outcome = GuardedHttp::new().get(request(url)).await;
        assert!(matches!(outcome, Err(HttpFailure::NotAllowed { .. })), "{url}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_name_with_a_private_address_is_refused_even_beside_a_public_one() {
    let answers: [&[&str]; 4] =
        [&["127.0.0.1"], &["93.184.215.14", "10.0.0.5"], &["::1"], &["fd00::1", "93.184.215.14"]];
    for answer in answers {
        let addresses: Vec<IpAddr> = answer.iter().map(|text| address(text)).collect();
        let outcome = get(TestNet::new().answer("evil.example", &addresses), "http://evil.example/").await;
        assert!(matches!(outcome, Err(HttpFailure::PrivateAddress { .. })), "{answer:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_name_that_changes_to_a_private_address_is_refused_at_the_second_connection() {
    let server = SseServer::serves(|_| page("hello")).await;
    let private = [address("127.0.0.1")];
    let net = TestNet::new().host("turning.example", server.address()).answer("turning.example", &private);
    let client = GuardedHttp::for_tests(net);
    let first = client.get(request("http://turning.example/")).await.expect("the first answer is open");
    assert_eq!(first.body, b"hello");
    let second = client.get(request("http://turning.example/")).await;
    assert!(matches!(second, Err(HttpFailure::PrivateAddress { .. })), "{second:?}");
    assert_eq!(server.request_count(), 1);
}

#[tokio::test]
async fn a_page_is_fetched_without_cookies_keys_or_password() {
    let server = SseServer::serves(|_| page("hello").header("set-cookie", "a=b")).await;
    let client = GuardedHttp::for_tests(TestNet::new().host("public.example", server.address()));
    for _ in 0..2 {
        let reply = client.get(request("http://me:secret@public.example/page?q=1#part")).await.expect("a reply");
        assert_eq!((reply.status, reply.final_url.as_str()), (200, "http://public.example/page?q=1"));
        assert_eq!(reply.content_type.as_deref(), Some("text/html"));
        assert_eq!((reply.truncated, reply.redirect_to), (false, None));
    }
    for request in server.requests() {
        assert_eq!(request.path, "/page?q=1");
        assert_eq!(request.header("host"), Some("public.example"));
        assert!(request.header("user-agent").is_some_and(|agent| agent.starts_with("NammaAgent/")));
        for name in ["cookie", "authorization", "referer", "proxy-authorization"] {
            assert_eq!(request.header(name), None, "{name}");
        }
    }
}

#[tokio::test]
async fn redirects_within_the_host_are_followed() {
    let server = SseServer::serves(|request| match request.path.as_str() {
        "/a" => moved(301, "/b"),
        "/b" => moved(307, "http://www.public.example/c"),
        _ => page("there"),
    })
    .await;
    let net = TestNet::new().host("public.example", server.address()).host("www.public.example", server.address());
    let reply = get(net, "http://public.example/a").await.expect("a reply");
    assert_eq!((reply.final_url.as_str(), reply.body.as_slice()), ("http://www.public.example/c", &b"there"[..]));
}

#[tokio::test]
async fn a_redirect_to_another_host_is_told_and_not_followed() {
    let server = SseServer::serves(|_| moved(302, "https://other.example/x")).await;
    let net = TestNet::new().host("public.example", server.address());
    let reply = get(net, "http://public.example/").await.expect("a reply");
    assert_eq!(reply.redirect_to.as_ref().map(Url::as_str), Some("https://other.example/x"));
    assert_eq!(server.request_count(), 1);
}

#[tokio::test]
async fn a_redirect_to_a_private_place_is_refused() {
    for target in
        ["http://localhost/", "http://127.0.0.1/", "http://169.254.169.254/latest/", "//[::1]/", "http://0x7f.1/"]
    {
        let server = SseServer::serves(move |_| moved(302, target)).await;
        let outcome = get(TestNet::new().host("public.example", server.address()), "http://public.example/").await;
        assert!(matches!(outcome, Err(HttpFailure::PrivateAddress { .. })), "{target}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_scheme_or_port_is_refused() {
    for target in ["file:///etc/passwd", "gopher://public.example/", "http://public.example:22/"] {
        let server = SseServer::serves(move |_| moved(302, target)).await;
        let outcome = get(TestNet::new().host("public.example", server.address()), "http://public.example/").await;
        assert!(matches!(outcome, Err(HttpFailure::NotAllowed { .. })), "{target}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_name_that_turns_private_between_two_hops_is_refused() {
    let server = SseServer::serves(|_| moved(302, "/again")).await;
    let net = TestNet::new().host("public.example", server.address()).answer("public.example", &[address("10.0.0.1")]);
    let outcome = get(net, "http://public.example/").await;
    assert!(matches!(outcome, Err(HttpFailure::PrivateAddress { .. })), "{outcome:?}");
}

#[tokio::test]
async fn redirects_without_end_are_stopped() {
    let server = SseServer::serves(|_| moved(302, "/again")).await;
    let outcome = get(TestNet::new().host("public.example", server.address()), "http://public.example/").await;
    assert!(matches!(outcome, Err(HttpFailure::Malformed { .. })), "{outcome:?}");
    assert_eq!(server.request_count(), 6, "the page and five hops");
}
