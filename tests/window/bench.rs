//! Figures of the real window, as one JSON document on stdout. Not a test: nothing runs it by itself.
//! It is built and then started by hand under the desktop of `tests/harness/with-desktop.sh`, with
//! `NAMMA_DESKTOP_BIN` set, as `docs/TESTING.md` says under *Figures*.
//!
//! Give it a release build: a debug build of the shell is several times slower.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    dead_code,
    unused_imports,
    reason = "a program for the developer, which shares the support of the window tests"
)]

mod support;

use namma_core::ports::{Entry, NewTurn, SessionStore};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{Mode, SessionId, TurnId, TurnOutcome, UnixMs, Usage};
use namma_testkit::sse_server::{Chunk, Reply};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Home, Talk, Window, delta, until};

const STARTS: usize = 5;
const MESSAGES: u32 = 10_000;
const ANSWER_BYTES: usize = 24 * 1024;
/// 100 tokens a second.
const TOKEN_EVERY: Duration = Duration::from_millis(10);

fn main() {
    let figures = json!({
        "startToComposerMs": starts(),
        "openChatOf10000MessagesMs": long_chat(),
        "stream24kBAt100TokensPerSecond": stream(),
    });
    println!("{}", serde_json::to_string_pretty(&figures).unwrap());
}

/// From the start of the process until a letter is in the composer, the median after one start that
/// warms the disk.
fn starts() -> Value {
    let home = Home::new("bench-start");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), "");
    let mut times: Vec<u128> = (0..=STARTS)
        .map(|_| {
            let window = home.open();
            window.write("a");
            let took = window.age().as_millis();
            assert!(window.draft().ends_with('a'));
            took
        })
        .skip(1)
        .collect();
    times.sort_unstable();
    json!({ "median": times[STARTS / 2], "worst": times[STARTS - 1], "note": "includes the start of the session of WebDriver" })
}

/// From the click on the chat until its last answer is painted.
fn long_chat() -> Value {
    let home = Home::new("bench-long");
    let server = home.run(Talk::of([]));
    home.answers_from(&server.base_url(), "");
    home.with_core(|app| async move {
        let (store, session_id) = (app.store().clone(), SessionId::from("ses_long"));
        for number in 0..MESSAGES / 2 {
            let turn = NewTurn {
                turn_id: TurnId::from(format!("turn_{number}").as_str()),
                session_id: session_id.clone(),
                attachments: vec![],
                user_text: if number == 0 { "A very long chat".into() } else { format!("Question {number}") },
                mode: Mode::Agent,
                model: "bench".into(),
                trust: Trust::Owner,
                started_at: UnixMs(1_700_000_000_000 + i64::from(number)),
            };
            let text =
                format!("Answer {number}. {}", "Some **words** of it, with `code`. ".repeat(1 + number as usize % 12));
            let said = Entry::Assistant {
                text: text.clone(),
                thinking: String::new(),
                calls: vec![],
                stopped: false,
                taint: TaintSet::CLEAN,
            };
            store.begin_turn(&turn).await.unwrap();
            store.append(&turn.turn_id, &[said], &[]).await.unwrap();
            let outcome = TurnOutcome::Answered { text };
            store.finish_turn(&turn.turn_id, &outcome, &[], turn.started_at).await.unwrap();
        }
    });
    let window = home.open();
    window.composer();
    window.wait_for("nav a", "A very long chat");
    let last = format!("Answer {}.", MESSAGES / 2 - 1);
    let open = format!(
        "const done = arguments[arguments.length - 1];
         const began = performance.now();
         [...document.querySelectorAll('nav a')].find((a) => a.innerText.startsWith('A very long chat')).click();
         const look = () => {{
           const log = document.querySelector('[role=log]');
           if (!log?.innerText.includes('{last}')) return requestAnimationFrame(look);
           requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
         }};
         look();"
    );
    let took = window.script_later(&open);
    json!({ "value": took.as_f64().map(f64::round), "elementsInTheLog": window.script("return document.querySelectorAll('[role=log] *').length") })
}

/// Frames while a long answer arrives.
fn stream() -> Value {
    let home = Home::new("bench-stream");
    let answer = answer();
    let pieces = answer.as_bytes().chunks(ANSWER_BYTES / 4000);
    let open = Reply::open_step([Chunk::Text(String::new())]);
    let reply = pieces.fold(open, |reply, piece| {
        let piece = String::from_utf8_lossy(piece);
        reply.then(delta(&piece)).wait(TOKEN_EVERY)
    });
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = home.run(Talk::of([reply.then(end)]));
    home.answers_from(&server.base_url(), "");
    let window = home.open();
    window.send("Write a lot");
    window.wait_for_text("Section 0");
    let before = processor_ms(window.pid());
    window.script(
        "window.frames_ = []; let last = performance.now();
         const tick = (now) => { window.frames_.push(now - last); last = now; if (!window.stop_) requestAnimationFrame(tick) };
         requestAnimationFrame(tick);",
    );
    window.wait_for_text_within("The very end.", Duration::from_secs(180));
    let frames = window.script("window.stop_ = true; return window.frames_");
    let used = processor_ms(window.pid()) - before;
    let mut frames: Vec<f64> = frames.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let (count, whole): (usize, f64) = (frames.len(), frames.iter().sum());
    frames.sort_by(f64::total_cmp);
    let part = |of: f64| frames[((count - 1) as f64 * of) as usize].round();
    json!({
        "framesPerSecond": (count as f64 / whole * 10_000.0).round() / 10.0,
        "frameMsMedian": part(0.5),
        "frameMsP99": part(0.99),
        "frameMsWorst": part(1.0),
        "processorMsPerFrame": used / count as u64,
        "seconds": (whole / 1000.0).round(),
    })
}

/// Processor time of a process and its children so far, in milliseconds. Unlike the time on the
/// wall it says the same on a busy machine.
fn processor_ms(pid: u32) -> u64 {
    const TICK_MS: u64 = 10;
    let used = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let id: u32 = text.split(' ').next()?.parse().ok()?;
        let fields: Vec<u64> =
            text.rsplit_once(')')?.1.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
        let is_family = id == pid || fields.get(1) == Some(&u64::from(pid));
        is_family.then(|| fields.get(11..13).map_or(0, |ticks| ticks.iter().sum::<u64>()))
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(used).sum::<u64>() * TICK_MS
}

fn answer() -> String {
    let mut text = String::new();
    let mut section = 0;
    while text.len() < ANSWER_BYTES {
        text += &format!(
            "## Section {section}\n\nA paragraph with **strong** words, `code` and a [link](https://example.org/{section}). {}\n\n\
             - first point\n- second point\n\n```rust\nfn section_{section}() -> u32 {{\n    {section} + 1\n}}\n```\n\n",
            "It goes on for a while, as answers do. ".repeat(6)
        );
        section += 1;
    }
    text + "The very end.\n"
}
