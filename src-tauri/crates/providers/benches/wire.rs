//! What a dialect costs: for each turn, for each piece of an answer, and from Stop to the closed
//! connection. `cargo bench -p namma-providers`; it fails when a figure misses its budget.
//!
//! The server is on loopback and answers at once, so that what is measured is ours, the server's
//! own work included. To add a figure: a function and a line in [`figures`].

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints its figures and stops when it cannot")]

use futures_util::StreamExt;
use namma_core::ports::{ModelMessage, ModelRequest, Provider};
use namma_providers::{Dialect, EndpointConfig, connect, parse_base_url};
use namma_testkit::Heard;
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::{Wire, WireAnswer, WirePart};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const WARM_UP: usize = 20;
const TURNS: usize = 300;
const LONG_TURNS: usize = 30;
const PIECES: usize = 2000;
const STOPS: usize = 50;

/// One measured figure; it should be small.
struct Figure {
    name: String,
    microseconds: f64,
    budget: f64,
}

fn main() -> ExitCode {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let figures = runtime.block_on(async {
        let mut figures = Vec::new();
        for wire in Wire::usual() {
            figures.extend(self::figures(&wire).await);
        }
        figures
    });
    let mut all_ok = true;
    for Figure { name, microseconds, budget } in figures {
        let is_ok = microseconds <= budget;
        all_ok &= is_ok;
        println!("{}  {name:<34} {microseconds:>9.2} us  (budget {budget})", if is_ok { "ok  " } else { "MISS" });
    }
    if all_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn figures(wire: &Wire) -> [Figure; 3] {
    let (dialect, name) = match wire {
        Wire::Chat(_) => (Dialect::ChatCompletions, "chat_completions"),
        Wire::Messages(_) => (Dialect::Anthropic, "messages"),
        Wire::Contents(_) => (Dialect::Gemini, "generate_content"),
        Wire::Responses(_) => (Dialect::Responses, "responses"),
    };
    let short = turn(dialect, wire, 1, TURNS).await;
    let long = turn(dialect, wire, PIECES, LONG_TURNS).await;
    let each = long.saturating_sub(short).as_secs_f64() / (PIECES - 1) as f64;
    let figure = |what: &str, seconds: f64, budget: f64| Figure {
        name: format!("{name}_{what}"),
        microseconds: seconds * 1e6,
        budget,
    };
    [
        figure("turn_p50", short.as_secs_f64(), 1000.0),
        figure("each_delta_p50", each, 20.0),
        figure("dropped_to_closed_p95", dropped(dialect, wire).await.as_secs_f64(), 100_000.0),
    ]
}

fn provider(server: &SseServer, dialect: Dialect) -> Arc<dyn Provider> {
    let base_url = parse_base_url(&server.base_url()).expect("the server's address");
    connect(EndpointConfig { dialect, ..EndpointConfig::new("bench", base_url) })
}

fn question() -> ModelRequest {
    let messages = vec![ModelMessage::User { text: "How long does it take?".to_owned(), images: Vec::new() }];
    ModelRequest { model: "m".to_owned(), messages, ..ModelRequest::default() }
}

/// An answer that comes in so many pieces.
fn words(wire: &Wire, count: usize) -> WireAnswer {
    let parts = match wire {
        Wire::Chat(_) | Wire::Contents(_) => vec!["word ".to_owned(); count],
        // One part, whose text is told in pieces of five letters.
        Wire::Messages(_) | Wire::Responses(_) => vec!["word ".repeat(count)],
    };
    WireAnswer::of(parts.into_iter().map(WirePart::Text))
}

/// The median of whole turns of so many pieces, each heard to its end.
async fn turn(dialect: Dialect, wire: &Wire, pieces: usize, turns: usize) -> Duration {
    let answer = words(wire, pieces);
    let whole = answer.heard();
    let bytes = wire.bytes(&answer);
    let server = SseServer::serves(move |_| Reply::events(bytes.clone())).await;
    let provider = provider(&server, dialect);
    let mut samples = Vec::new();
    for number in 0..WARM_UP + turns {
        let began = Instant::now();
        let events = provider.stream(question()).await.expect("a stream");
        let heard = Heard::listen(events).await;
        let took = began.elapsed();
        assert_eq!(heard, whole, "what is fast and wrong is no figure");
        if number >= WARM_UP {
            samples.push(took);
        }
    }
    share(samples, 0.5)
}

/// From dropping a stream until the server sees the connection closed.
async fn dropped(dialect: Dialect, wire: &Wire) -> Duration {
    let frames = wire.frames(&words(wire, 1));
    let told = frames.iter().position(|frame| frame.data.contains("word")).expect("an event with the word");
    let bytes = wire.framing().bytes(&frames[..=told]);
    let mut samples = Vec::new();
    for _ in 0..STOPS {
        let server = SseServer::replays([Reply::events(bytes.clone()).then_hang()]).await;
        let provider = provider(&server, dialect);
        let mut events = provider.stream(question()).await.expect("a stream");
        events.next().await.expect("a word").expect("no error");
        let began = Instant::now();
        drop(events);
        server.until_hung_up(0).await;
        samples.push(began.elapsed());
    }
    share(samples, 0.95)
}

fn share(mut samples: Vec<Duration>, share: f64) -> Duration {
    samples.sort();
    let at = ((samples.len() - 1) as f64 * share).round() as usize;
    samples[at]
}
