//! What the tools' client reads, and how much of it.

use crate::guarded::{get, request};
use namma_core::ports::{HttpClient, HttpFailure, HttpRequest};
use namma_providers::{GuardedHttp, TestNet};
use namma_testkit::sse_server::{Reply, SseServer};
use std::time::{Duration, Instant};

/// `hello hello hello`, by gzip.
const GZIP_HELLO: &[u8] =
    &[31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 128, 136, 249, 229, 17, 0, 0, 0];

async fn net(reply: Reply) -> (SseServer, TestNet) {
    let server = SseServer::serves(move |_| reply.clone()).await;
    let net = TestNet::new().host("public.example", server.address());
    (server, net)
}

#[tokio::test]
async fn a_long_page_is_cut_at_the_limit_and_said_to_be() {
    let (_server, net) = net(Reply::body(200, "text/plain", vec![b'a'; 5000])).await;
    let client = GuardedHttp::for_tests(net);
    let page = |max_bytes| client.get(HttpRequest { max_bytes, ..request("http://public.example/") });
    let cut = page(1000).await.expect("a page");
    assert_eq!((cut.body.len(), cut.truncated), (1000, true));
    let whole = page(5000).await.expect("a page");
    assert_eq!((whole.body.len(), whole.truncated), (5000, false));
}

#[tokio::test]
async fn a_packed_page_is_unpacked() {
    let (server, net) = net(Reply::body(200, "text/plain", GZIP_HELLO).header("content-encoding", "gzip")).await;
    let page = get(net, "http://public.example/").await.expect("a page");
    assert_eq!(page.body, b"hello hello hello");
    let accepted = server.requests()[0].header("accept-encoding").map(str::to_owned);
    assert!(accepted.is_some_and(|accepted| accepted.contains("gzip") && accepted.contains("br")));
}

#[tokio::test]
async fn a_bomb_is_stopped_at_the_limit() {
    let bomb = gzip_of_zeros();
    let packed = bomb.len() as u64;
    let (server, net) = net(Reply::body(200, "text/plain", bomb).header("content-encoding", "gzip")).await;
    let started = Instant::now();
    let page = get(net, "http://public.example/").await.expect("a page");
    assert_eq!((page.body.len(), page.truncated), (1_000_000, true));
    assert!(packed < 1_000_000 && started.elapsed() < Duration::from_secs(5));
    drop(server);
}

/// A gzip stream of less than 1 MB that unpacks to 100 MB of zeros: one literal, then copies of the
/// 258 bytes before.
fn gzip_of_zeros() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(1, 1); // the last block
    bits.put(1, 2); // fixed codes
    bits.put_code(0x30, 8); // the literal 0
    for _ in 0..400_000 {
        bits.put_code(0b1100_0101, 8); // length 258 (code 285)
        bits.put_code(0, 5); // distance 1
    }
    bits.put_code(0, 7); // the end
    let mut bytes = vec![31, 139, 8, 0, 0, 0, 0, 0, 2, 255];
    bytes.extend(bits.finish());
    bytes.extend([0; 8]); // the sum is wrong, and nobody gets that far
    bytes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
    current: u8,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for at in 0..count {
            self.current |= u8::from(value >> at & 1 == 1) << self.used;
            self.used += 1;
            if self.used == 8 {
                self.bytes.push(std::mem::take(&mut self.current));
                self.used = 0;
            }
        }
    }

    /// Codes are written with their highest bit first.
    fn put_code(&mut self, code: u32, count: u32) {
        (0..count).rev().for_each(|at| self.put(code >> at & 1, 1));
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(self.current);
        self.bytes
    }
}

#[tokio::test]
async fn an_endless_page_is_stopped_and_the_connection_closed() {
    let (server, net) = net(Reply::events("").then_repeat(vec![b'a'; 100_000], 10_000)).await;
    let page = get(net, "http://public.example/").await.expect("a page");
    assert!(page.truncated);
    server.until_hung_up(0).await;
}

#[tokio::test]
async fn a_silent_or_slow_server_has_a_limit() {
    let slow = Reply::events("a").then_hang();
    for reply in [Reply::silence(), slow] {
        let (server, net) = net(reply).await;
        let client = GuardedHttp::for_tests(net);
        let timeout = Duration::from_millis(200);
        let outcome = client.get(HttpRequest { timeout, ..request("http://public.example/") }).await;
        assert!(matches!(outcome, Err(HttpFailure::TimedOut { .. })), "{outcome:?}");
        server.until_hung_up(0).await;
    }
}

#[tokio::test]
async fn what_is_not_http_or_not_there_is_told() {
    let (_server, garbage) = net(Reply::garbage("SSH-2.0-OpenSSH\r\n\r\n")).await;
    let outcome = get(garbage, "http://public.example/").await;
    assert!(matches!(outcome, Err(HttpFailure::Malformed { .. })), "{outcome:?}");
    let outcome = get(TestNet::new(), "http://unknown.example/").await;
    assert!(matches!(outcome, Err(HttpFailure::Unreachable { .. })), "{outcome:?}");
}

#[tokio::test]
async fn an_error_page_is_a_reply() {
    let (_server, net) = net(Reply::body(404, "text/html", "not here")).await;
    let page = get(net, "http://public.example/").await.expect("a reply");
    assert_eq!((page.status, page.body.as_slice()), (404, &b"not here"[..]));
}
