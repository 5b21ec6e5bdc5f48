//! Limits of size and time.

use crate::support::{Computer, Level, claims};

claims! {
    files_memory_and_core_dumps_are_bounded: EVERY_LEVEL,
    a_greedy_program_gets_no_more_memory: EVERY_LEVEL,
    no_program_gains_rights: EVERY_LEVEL,
}

async fn files_memory_and_core_dumps_are_bounded(level: Level) {
    let text = Computer::new(&level).output("bash -c 'ulimit -f; ulimit -c; ulimit -d; ulimit -t'").await;
    let blocks_and_kilobytes: Vec<&str> = text.lines().collect();
    assert_eq!(blocks_and_kilobytes, ["1048576", "0", "2097152", "42"]);
}

async fn a_greedy_program_gets_no_more_memory(level: Level) {
    let text = Computer::new(&level).output("perl -e '$x = \"a\" x (3 * 2**30); print length $x'").await;
    assert!(!text.contains("3221225472"), "{text}");
}

async fn no_program_gains_rights(level: Level) {
    let text = Computer::new(&level).output("setpriv --dump | grep no_new_privs").await;
    assert_eq!(text, "no_new_privs: 1\n");
}
