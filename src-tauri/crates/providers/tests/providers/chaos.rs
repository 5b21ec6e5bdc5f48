//! Each fault of a server ends in the outcome that `docs/PROVIDERS.md` promises, in every dialect.

use crate::support::{ask, dialect, endpoint, question};
use futures_util::future::join_all;
use namma_core::ports::{ModelRequest, ProviderError};
use namma_protocol::ErrorCode;
use namma_providers::{EndpointConfig, Timeouts, connect, parse_base_url};
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::{Wire, WireAnswer};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What each code means to the program: whether the same request is made again by itself.
const MEANINGS: [(ErrorCode, bool); 16] = [
    (ErrorCode::NotConfigured, false),
    (ErrorCode::KeyMissing, false),
    (ErrorCode::KeyRefused, false),
    (ErrorCode::NoCredit, false),
    (ErrorCode::RateLimited, true),
    (ErrorCode::ModelNotFound, false),
    (ErrorCode::ToolsUnsupported, false),
    (ErrorCode::ContextTooLong, false),
    (ErrorCode::BadRequest, false),
    (ErrorCode::ServerFailed, true),
    (ErrorCode::Unreachable, true),
    (ErrorCode::TimedOut, true),
    (ErrorCode::StreamCut, true),
    (ErrorCode::Malformed, false),
    (ErrorCode::ContentFiltered, false),
    (ErrorCode::EmptyAnswer, false),
];

/// A server that does one thing wrong.
enum Server {
    /// It answers, and badly.
    Answers(fn(&Wire) -> Reply),
    /// Nobody listens at the address.
    Nobody,
    /// The name has no address.
    NoName,
}

struct Fault {
    name: &'static str,
    server: Server,
    code: ErrorCode,
    wait: Option<Duration>,
}

impl Fault {
    /// The server says how many seconds to wait.
    fn wants(self, seconds: u64) -> Self {
        Self { wait: Some(Duration::from_secs(seconds)), ..self }
    }
}

fn fault(name: &'static str, code: ErrorCode, reply: fn(&Wire) -> Reply) -> Fault {
    Fault { name, server: Server::Answers(reply), code, wait: None }
}

fn refusal(status: u16, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": { "message": message } }))
}

fn page(status: u16) -> Reply {
    Reply::body(status, "text/html", "<!DOCTYPE html><html><head><title>Bad Gateway</title></head></html>")
}

/// The first half of an answer, up to the end of an event.
fn half(wire: &Wire) -> Reply {
    let frames = wire.frames(&WireAnswer::rich());
    Reply::events(wire.framing().bytes(&frames[..frames.len() / 2]))
}

fn faults() -> Vec<Fault> {
    use ErrorCode::{
        BadRequest, ContentFiltered, ContextTooLong, KeyRefused, Malformed, ModelNotFound, NoCredit, RateLimited,
        ServerFailed, StreamCut, TimedOut, ToolsUnsupported, Unreachable,
    };
    vec![
        Fault { name: "connection refused", server: Server::Nobody, code: Unreachable, wait: None },
        Fault { name: "no such name", server: Server::NoName, code: Unreachable, wait: None },
        fault("400", BadRequest, |_| refusal(400, "messages: must not be empty")),
        fault("400, the filter", ContentFiltered, |_| refusal(400, "blocked by content_policy")),
        fault("400, too long", ContextTooLong, |_| refusal(400, "prompt is too long: 9 tokens > 8 maximum")),
        fault("400, no tools", ToolsUnsupported, |_| refusal(400, "m does not support tools")),
        fault("401", KeyRefused, |_| refusal(401, "invalid key")),
        fault("402", NoCredit, |_| refusal(402, "pay first")),
        fault("403", KeyRefused, |_| refusal(403, "forbidden")),
        fault("404, the model", ModelNotFound, |_| refusal(404, "model test-model not found")),
        fault("404, the path", BadRequest, |_| Reply::body(404, "text/plain", "404 page not found")),
        fault("408", RateLimited, |_| refusal(408, "too slow")),
        fault("409", RateLimited, |_| refusal(409, "conflict")),
        fault("413", ContextTooLong, |_| page(413)),
        fault("422", BadRequest, |_| Reply::json(422, &json!({ "detail": [{ "loc": ["body"], "msg": "required" }] }))),
        fault("425", RateLimited, |_| refusal(425, "too early")),
        fault("429", RateLimited, |_| refusal(429, "slow down")),
        fault("429, an empty account", NoCredit, |_| refusal(429, "insufficient_quota")),
        fault("500", ServerFailed, |_| Reply::body(500, "text/plain", "oops")),
        fault("502 with a page", ServerFailed, |_| page(502)),
        fault("503", ServerFailed, |_| refusal(503, "loading model")),
        fault("529", ServerFailed, |_| refusal(529, "overloaded")),
        fault("a page in the place of an answer", Malformed, |_| page(200)),
        fault("an empty success", StreamCut, |_| Reply::body(200, "application/json", "")),
        fault("an empty stream", StreamCut, |_| Reply::events("")),
        fault("an error in the place of an answer", ServerFailed, |_| refusal(200, "it broke")),
        fault("another document", Malformed, |_| Reply::json(200, &json!({ "hello": "world" }))),
        fault("no HTTP", Malformed, |_| Reply::garbage("SSH-2.0-OpenSSH_9.2\r\n\r\n")),
        fault("hung up before the answer", Unreachable, |_| Reply::garbage("")),
        fault("no event is JSON", Malformed, |_| Reply::events("data: \u{1}\u{2}garbage\n\n")),
        fault("cut after an event", StreamCut, half),
        fault("cut in an event", StreamCut, |wire| half(wire).then("data: {\"a").until_close()),
        fault("reset in the middle", StreamCut, |wire| half(wire).wait(Duration::from_millis(20)).then_reset()),
        fault("silence before the head", TimedOut, |_| Reply::silence()),
        fault("silence after the head", TimedOut, |_| Reply::events("").then_hang()),
        fault("silence in the middle", TimedOut, |wire| half(wire).then_hang()),
        fault("an error in the middle", ServerFailed, |wire| {
            half(wire).then(wire.framing().bytes(&[wire.fault("it broke")])).then_hang()
        }),
        fault("one piece without end", Malformed, |_| Reply::events("data: {").then_repeat(vec![b'a'; 1 << 18], 20)),
        fault("moved for good", BadRequest, |_| refusal(308, "").header("location", "https://new.example/v1")),
        fault("moved for now", BadRequest, |_| refusal(302, "").header("location", "https://new.example/v1")),
        fault("429 with seconds", RateLimited, |_| refusal(429, "slow down").header("retry-after", "7")).wants(7),
        fault("429 with a date", RateLimited, |_| dated(refusal(429, "slow down"))).wants(60),
        fault("503 with seconds", ServerFailed, |_| refusal(503, "loading").header("retry-after", "3")).wants(3),
    ]
}

fn dated(reply: Reply) -> Reply {
    reply.header("date", "Fri, 01 Mar 2030 08:00:00 GMT").header("retry-after", "Fri, 01 Mar 2030 08:01:00 GMT")
}

async fn outcome(fault: &Fault, wire: &Wire) -> ProviderError {
    let timeouts =
        Timeouts { connect: Duration::from_secs(10), first_byte: Duration::from_secs(2), idle: Duration::from_secs(1) };
    let replies = match &fault.server {
        Server::Answers(reply) => vec![reply(wire)],
        Server::Nobody | Server::NoName => Vec::new(),
    };
    let server = SseServer::replays(replies).await;
    let mut endpoint = EndpointConfig { dialect: dialect(wire), timeouts, ..endpoint(&server) };
    match &fault.server {
        Server::Answers(_) => {}
        Server::NoName => endpoint.base_url = parse_base_url("http://no-such-host.invalid:8080").expect("an address"),
        Server::Nobody => {
            let address = server.address();
            drop(server);
            // The socket closes with the server's task, a moment after.
            while tokio::net::TcpStream::connect(address).await.is_ok() {
                tokio::task::yield_now().await;
            }
            return heard(endpoint).await;
        }
    }
    heard(endpoint).await
}

async fn heard(endpoint: EndpointConfig) -> ProviderError {
    let step = ask(&connect(endpoint), question("hello")).await;
    assert_eq!((step.calls.len(), step.stop), (0, None), "nothing runs after a fault");
    step.error.expect("an error")
}

#[tokio::test]
async fn each_fault_has_its_outcome_in_every_dialect() {
    let faults = faults();
    let again: BTreeMap<String, bool> = MEANINGS.iter().map(|(code, again)| (word(*code), *again)).collect();
    for wire in Wire::usual() {
        let outcomes = join_all(faults.iter().map(|fault| outcome(fault, &wire))).await;
        for (fault, error) in faults.iter().zip(outcomes) {
            let told = error.to_api_error("test");
            let (name, code) = (fault.name, word(told.code));
            assert_eq!((&code, error.retry_after()), (&word(fault.code), fault.wait), "{name}, {wire:?}: {error:?}");
            assert_eq!(Some(&error.is_transient()), again.get(&code), "{name}: whether it is asked again");
            assert!(told.hint.is_some_and(|hint| hint.ends_with('.')), "{name}: what to do is said");
        }
    }
}

#[test]
fn every_outcome_that_a_server_can_cause_has_its_fault() {
    // The program itself says these, before it asks or after a good answer.
    let own = [ErrorCode::NotConfigured, ErrorCode::KeyMissing, ErrorCode::EmptyAnswer].map(word);
    let tried: Vec<String> = faults().iter().map(|fault| word(fault.code)).collect();
    let untried: Vec<String> = MEANINGS
        .iter()
        .map(|(code, _)| word(*code))
        .filter(|code| !tried.contains(code) && !own.contains(code))
        .collect();
    assert_eq!(untried, Vec::<String>::new());
}

/// One of each error of the port: a new one does not compile until it has its place in the list.
#[test]
fn the_meanings_are_those_of_the_port() {
    let text = String::new;
    let errors = [
        ProviderError::NotConfigured,
        ProviderError::KeyMissing { label: text() },
        ProviderError::KeyRefused { status: 401, message: text() },
        ProviderError::NoCredit { message: text() },
        ProviderError::RateLimited { retry_after: None, message: text() },
        ProviderError::ModelNotFound { model: text(), message: text() },
        ProviderError::ToolsUnsupported { message: text() },
        ProviderError::ContextTooLong { message: text() },
        ProviderError::BadRequest { status: 400, message: text() },
        ProviderError::ServerFailed { status: 500, retry_after: None, message: text() },
        ProviderError::Unreachable { address: text(), cause: text() },
        ProviderError::TimedOut { seconds: 1 },
        ProviderError::StreamCut { cause: text() },
        ProviderError::Malformed { what: text() },
        ProviderError::ContentFiltered { message: text() },
    ];
    let mut found: Vec<(String, bool)> = errors
        .iter()
        .map(|error| match error {
            ProviderError::NotConfigured
            | ProviderError::KeyMissing { .. }
            | ProviderError::KeyRefused { .. }
            | ProviderError::NoCredit { .. }
            | ProviderError::RateLimited { .. }
            | ProviderError::ModelNotFound { .. }
            | ProviderError::ToolsUnsupported { .. }
            | ProviderError::ContextTooLong { .. }
            | ProviderError::BadRequest { .. }
            | ProviderError::ServerFailed { .. }
            | ProviderError::LocalServer { .. }
            | ProviderError::Unreachable { .. }
            | ProviderError::TimedOut { .. }
            | ProviderError::StreamCut { .. }
            | ProviderError::Malformed { .. }
            | ProviderError::ContentFiltered { .. } => (word(error.to_api_error("x").code), error.is_transient()),
        })
        .collect();
    // The engine's own: the model said nothing.
    found.push((word(ErrorCode::EmptyAnswer), false));
    assert_eq!(found, MEANINGS.map(|(code, again)| (word(code), again)).to_vec());
}

#[test]
fn the_table_of_the_manual_is_this_table() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/PROVIDERS.md");
    let manual = std::fs::read_to_string(manual).expect("docs/PROVIDERS.md");
    let (_, table) = manual.split_once("## What each error means").expect("the chapter of the errors");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let told: Vec<(String, bool)> = rows
        .map(|(code, rest)| {
            (code.to_owned(), rest.split('|').nth(1).is_some_and(|again| again.trim().starts_with("yes")))
        })
        .collect();
    assert_eq!(told, MEANINGS.map(|(code, again)| (word(code), again)).to_vec());
}

/// The code as hosts read it.
fn word(code: ErrorCode) -> String {
    serde_json::to_value(code).ok().and_then(|word| word.as_str().map(str::to_owned)).expect("a code is a word")
}

#[tokio::test]
async fn a_request_that_was_refused_can_be_made_again() {
    let answer = WireAnswer::rich();
    for wire in Wire::usual() {
        let replies = [refusal(429, "slow down"), half(&wire), Reply::events(wire.bytes(&answer))];
        let server = SseServer::replays(replies).await;
        let provider = connect(EndpointConfig { dialect: dialect(&wire), ..endpoint(&server) });
        let request: ModelRequest = question("hello");
        for code in [ErrorCode::RateLimited, ErrorCode::StreamCut] {
            let error = ask(&provider, request.clone()).await.error.expect("an error");
            assert_eq!(word(error.to_api_error("x").code), word(code), "{wire:?}");
        }
        assert_eq!(ask(&provider, request).await, answer.heard(), "{wire:?}");
        assert_eq!(server.body(0), server.body(2), "{wire:?}: the same request is the same bytes");
    }
}
