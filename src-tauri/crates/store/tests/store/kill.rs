//! `kill -9` at random moments: what was acknowledged is there, and no turn is left running.

use crate::support::{Home, START, called, said, succeeded};
use namma_core::ports::{AuditLog, Clock, SessionStore, StoredTurn};
use namma_protocol::{SessionId, TurnOutcome, UnixMs};
use namma_store::{OpenOptions, Store};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tells the child where to write; without it the child's test does nothing.
const DATABASE: &str = "NAMMA_STORE_KILL_DATABASE";

const KILLS: u32 = 30;

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> UnixMs {
        START
    }

    fn zone(&self) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::UTC
    }

    fn sleep(&self, _duration: Duration) -> namma_core::BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

fn ack(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\nack {line}").unwrap();
    out.flush().unwrap();
}

/// Runs in the child: turns without end, each step acknowledged after it is stored.
#[tokio::test]
async fn child_writes_until_it_is_killed() {
    let Some(database) = std::env::var_os(DATABASE) else { return };
    let options = OpenOptions::new(Arc::new(FixedClock));
    let opened = Store::open(database.as_ref(), &options).await.unwrap();
    assert!(opened.recovery.is_none(), "a killed program leaves a sound file");
    let store = opened.store;
    for number in 0.. {
        let id = format!("turn_{}_{number}", std::process::id());
        let turn = crate::support::new_turn("ses_1", &id, &format!("question of {id}"));
        store.begin_turn(&turn).await.unwrap();
        ack(&format!("begun {id}"));
        store.save_partial(&turn.turn_id, "I am about").await.unwrap();
        ack(&format!("partial {id}"));
        let call = format!("call_{id}");
        store.append(&turn.turn_id, &[called("I look.", &[&call])], &[]).await.unwrap();
        ack(&format!("called {id}"));
        store.record(&crate::audit::entry(number)).await.unwrap();
        store.append(&turn.turn_id, &[succeeded(&call), said("Done.")], &[]).await.unwrap();
        ack(&format!("said {id}"));
        let end = TurnOutcome::Answered { text: "Done.".to_owned() };
        store.finish_turn(&turn.turn_id, &end, &[], START).await.unwrap();
        ack(&format!("finished {id}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_by_kill_9() {
    let home = Home::new();
    let mut acknowledged = Vec::new();
    for round in 0..KILLS {
        acknowledged.extend(run_and_kill(&home, Duration::from_micros(u64::from(round * 7919 % 30) * 1000)));
    }
    let opened = home.open().await;
    assert!(opened.recovery.is_none(), "{:?}", opened.recovery);
    assert_eq!(opened.store.verify().await.unwrap(), Vec::<String>::new());
    let turns = opened.store.turns(&SessionId::from("ses_1"), None, u32::MAX).await.unwrap();
    assert!(acknowledged.len() > KILLS as usize, "the child never got far: {acknowledged:?}");
    for line in &acknowledged {
        check(&turns, line);
    }
    for stored in &turns {
        assert!(stored.outcome.is_some(), "{} still runs", stored.turn.turn_id);
        let calls = stored.entries.iter().filter(|entry| matches!(entry, namma_core::ports::Entry::Result { .. }));
        let open =
            stored.entries.iter().any(|entry| *entry == called("I look.", &[&format!("call_{}", stored.turn.turn_id)]));
        assert_eq!(calls.count(), usize::from(open), "{}: each call has one result", stored.turn.turn_id);
    }
    assert_eq!(opened.store.audit_verify_chain().await.unwrap().broken_at, None);
}

/// The acknowledgements that the child got out before it was killed.
fn run_and_kill(home: &Home, delay: Duration) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child_writes_until_it_is_killed", "--nocapture"])
        .env(DATABASE, home.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    let mut kill_at: Option<Instant> = None;
    for line in &mut lines {
        let line = line.unwrap();
        if let Some(what) = line.strip_prefix("ack ") {
            acknowledged.push(what.to_owned());
            kill_at.get_or_insert_with(|| Instant::now() + delay);
        }
        if kill_at.is_some_and(|at| Instant::now() >= at) {
            break;
        }
    }
    // SIGKILL on Unix.
    child.kill().unwrap();
    // What was in the pipe was acknowledged as well.
    acknowledged.extend(lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("ack ").map(str::to_owned)));
    child.wait().unwrap();
    acknowledged
}

fn check(turns: &[StoredTurn], acknowledged: &str) {
    let (what, id) = acknowledged.split_once(' ').unwrap();
    let stored = turns.iter().find(|stored| stored.turn.turn_id.as_str() == id);
    let stored = stored.unwrap_or_else(|| panic!("{acknowledged}: the turn is lost"));
    assert_eq!(stored.turn.user_text, format!("question of {id}"));
    let call = called("I look.", &[&format!("call_{id}")]);
    match what {
        "begun" => {}
        // Kept as a stopped message, or replaced by the step it grew into.
        "partial" => assert!(!stored.entries.is_empty(), "{acknowledged}"),
        "called" => assert_eq!(stored.entries[0], call, "{acknowledged}"),
        "said" | "finished" => {
            let entries = vec![call, succeeded(&format!("call_{id}")), said("Done.")];
            assert_eq!(stored.entries, entries, "{acknowledged}");
        }
        other => panic!("unknown acknowledgement {other}"),
    }
}
