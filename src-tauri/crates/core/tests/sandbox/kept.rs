//! Programs of ours that end with us.

use crate::support::{alive, gone, launcher, mark};
use libtest_mimic::Trial;
use namma_core::kept::{Kept, KeptEnding, KeptProgram};
use namma_testkit::ManualClock;
use std::time::{Duration, Instant};

/// Asks this program to be an app that keeps a program.
pub(crate) const ASKED: &str = "as-the-keeper";

pub(crate) fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident),* $(,)?) => {
            vec![$(Trial::test(concat!("kept::", stringify!($name)), || {
                crate::in_time($name())
            })),*]
        };
    }
    trials![
        its_ending_and_its_last_words_are_told,
        a_program_that_is_not_there_says_so,
        it_gets_what_it_is_given_and_no_key_of_ours,
        dropping_it_ends_it_with_all_that_it_started,
        whoever_gave_up_waiting_for_its_start_leaves_nothing_behind,
        a_stop_is_polite_first,
        who_ignores_the_polite_stop_is_ended_too,
        an_app_that_is_killed_takes_it_along,
    ]
}

fn shell(script: &str) -> KeptProgram {
    KeptProgram {
        launcher: launcher(),
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        variables: vec![("GIVEN".into(), "value".into())],
    }
}

async fn start(script: &str) -> Kept {
    shell(script).start().await.unwrap()
}

async fn until_alive(mark: &str, count: usize) {
    let started = Instant::now();
    while alive(mark) < count {
        assert!(started.elapsed() < Duration::from_secs(10), "it starts");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Keeps a program until somebody kills it.
pub(crate) async fn keep(script: &str) {
    let kept = start(script).await;
    kept.ended().await;
}

async fn its_ending_and_its_last_words_are_told() {
    let kept =
        start("i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo line $i; done; printf '\\033[31mred\\033[0m' >&2; exit 7")
            .await;
    assert_eq!(kept.ended().await, KeptEnding::Exited(7));
    let log = kept.log();
    assert!(log.starts_with("line 34\nline 35\n") && log.ends_with("line 40\nred"), "{log}");
    let killed = start("kill -9 $$").await;
    assert_eq!(killed.ended().await.to_string(), "was ended by signal 9");
}

async fn a_program_that_is_not_there_says_so() {
    let kept = KeptProgram { program: "/nonexistent/server".into(), ..shell("") }.start().await.unwrap();
    assert_eq!(kept.ended().await, KeptEnding::Exited(126));
    assert!(kept.log().starts_with("could not start /nonexistent/server: "), "{}", kept.log());
}

async fn it_gets_what_it_is_given_and_no_key_of_ours() {
    let kept = start("echo $GIVEN; env | cut -d= -f1 | grep -c -e CARGO -e KEY; ulimit -c").await;
    kept.ended().await;
    assert_eq!(kept.log(), "value\n0\n0");
}

async fn dropping_it_ends_it_with_all_that_it_started() {
    let mark = mark();
    let kept = start(&format!("sleep {mark} & sleep {mark} & wait")).await;
    until_alive(&mark, 2).await;
    drop(kept);
    assert!(gone(&mark).await < Duration::from_secs(1));
}

async fn whoever_gave_up_waiting_for_its_start_leaves_nothing_behind() {
    let mark = mark();
    let starting = shell(&format!("sleep {mark}")).start();
    let mut starting = Box::pin(starting);
    // Asked once, it begins; then whoever asked goes.
    let waker = std::task::Waker::noop();
    let asked = starting.as_mut().poll(&mut std::task::Context::from_waker(waker));
    assert!(asked.is_pending());
    until_alive(&mark, 1).await;
    drop(starting);
    assert!(gone(&mark).await < Duration::from_secs(10));
}

async fn a_stop_is_polite_first() {
    let mark = mark();
    let kept = start(&format!("trap 'exit 0' TERM; sleep {mark} & wait")).await;
    until_alive(&mark, 1).await;
    // Its clock stands still, so only the polite signal can have ended it.
    kept.stop(&ManualClock::default()).await;
    assert_eq!(alive(&mark), 0);
}

async fn who_ignores_the_polite_stop_is_ended_too() {
    let mark = mark();
    let kept = start(&format!("trap '' TERM; echo ready; sleep {mark} & wait; sleep {mark}")).await;
    until_alive(&mark, 1).await;
    let clock = ManualClock::default();
    let time = async {
        loop {
            clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        () = kept.stop(&clock) => {}
        () = time => {}
    }
    assert!(gone(&mark).await < Duration::from_secs(1));
}

async fn an_app_that_is_killed_takes_it_along() {
    let mark = mark();
    let mut app = std::process::Command::new(launcher()).args([ASKED, &format!("exec sleep {mark}")]).spawn().unwrap();
    until_alive(&mark, 1).await;
    app.kill().unwrap();
    app.wait().unwrap();
    assert!(gone(&mark).await < Duration::from_secs(1));
}
