//! Models on this computer, against servers on loopback and a model server that this program plays.
//!
//! A kept program is started by our own program, so this test has its own `main`, as every host has.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests lay out files, play programs and stop at the first thing that is not as it should be"
)]

mod downloads;
mod elsewhere;
mod fake_server;
mod files;
mod servers;
mod support;

use libtest_mimic::{Arguments, Trial};
use std::time::Duration;

/// No claim takes longer, unless something hangs.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    namma_core::gate::sandbox_exec_if_asked();
    if fake_server::is_asked() {
        return support::runtime().block_on(fake_server::serve());
    }
    namma_providers::install_tls();
    let claims = [downloads::claims(), elsewhere::claims(), files::claims(), servers::claims()];
    let trials = claims.into_iter().flatten().map(|claim| {
        Trial::test(claim.name, move || {
            let in_time = support::runtime().block_on(async { tokio::time::timeout(LIMIT, (claim.check)()).await });
            in_time.map_err(|_| "it hangs".into())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}
