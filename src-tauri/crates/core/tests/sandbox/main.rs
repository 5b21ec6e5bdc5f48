//! What each level of the sandbox promises, tried with real commands through the real gate.
//!
//! The launcher has to be our own program, so this test has its own `main`, as every host has.
//! A level that this computer does not have is not tried; the first line says which were.

#![allow(
    clippy::disallowed_methods,
    reason = "tests lay out files, start an app to kill it, and wait for processes to be gone"
)]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test with a main of its own is a test")]

mod support;

mod ending;
mod kept;
mod limits;
mod secrets;
mod writing;

use libtest_mimic::{Arguments, Trial};
use namma_core::gate::{Confinement, Sandbox, sandbox_exec_if_asked};
use support::Level;

/// No claim takes longer, unless something hangs.
const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

fn main() {
    sandbox_exec_if_asked();
    if let Some(task) = support::Task::asked() {
        support::runtime().block_on(task.run());
        return;
    }
    if let [asked, script] = std::env::args().skip(1).collect::<Vec<_>>().as_slice()
        && asked == kept::ASKED
    {
        return support::runtime().block_on(kept::keep(script));
    }
    let levels = Level::here();
    let names: Vec<_> = levels.iter().map(|level| level.name).collect();
    eprintln!("levels on this computer: {}", names.join(", "));
    let mut trials = vec![Trial::test("the_strongest_level_that_works_is_found", || {
        strongest();
        Ok(())
    })];
    for level in levels {
        let claims = [writing::claims(), secrets::claims(), ending::claims(), limits::claims()];
        for claim in claims.into_iter().flatten().filter(|claim| claim.holds_for(&level)) {
            let level = level.clone();
            let name = format!("{}::{}", level.name, claim.name);
            trials.push(Trial::test(name, move || in_time((claim.check)(level))));
        }
    }
    trials.extend(kept::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn in_time(claim: impl Future<Output = ()>) -> Result<(), libtest_mimic::Failed> {
    let in_time = support::runtime().block_on(async { tokio::time::timeout(LIMIT, claim).await });
    in_time.map_err(|_| "it hangs".into())
}

fn strongest() {
    let sandbox = Sandbox::detect(support::launcher());
    let text = sandbox.describe();
    match sandbox.confinement() {
        Confinement::Bubblewrap { .. } => assert!(text.starts_with("bubblewrap:") && text.ends_with("no network")),
        Confinement::Landlock => assert!(text.starts_with("Landlock:") && text.ends_with("no TCP connections")),
        Confinement::LimitsOnly => assert!(text.starts_with("no OS sandbox")),
    }
}
