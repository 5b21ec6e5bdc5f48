//! `cargo xtask`: the one door to set up, run, measure and test the project.
//!
//! It uses only the standard library and `anyhow`, so that it compiles in seconds on a machine
//! that has nothing but Rust. It never writes into the clone except for `ui/node_modules`,
//! `ui/dist` and what cargo writes; everything else goes to the cache folder ([`places`]).
//! Progress goes to stderr, results go to stdout.
//!
//! To add a test step, add a row to [`plan::STEPS`]. To add a command, add an arm in [`main`] and
//! a line to [`USAGE`].
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a build tool for developers: it starts programs and writes files by itself, outside the gate"
)]

mod bench;
mod counts;
mod dependencies;
mod job;
mod node;
mod peers;
mod places;
mod plan;
mod recordings;
mod run;
mod servers;
mod setup;
mod system;
mod test;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::places::Places;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup                   install what is missing to build, run and test
  run [--release]         set up, build and open the desktop app
  run -- ARGS             build and start the command line `namma ARGS` (needs only Rust)
  test [--only STEP]...   set up and run every test; ends with `N passed, N failed`
  test --list             name the steps
  bench                   build the release command line and print `namma bench --json`
  peers                   install the real model server that the last test step asks, and the
                          servers of others that the step `servers` asks

Environment:
  NAMMA_CACHE             where downloads, logs and build results go
                          (/var/cache/namma for root, else ~/.cache/namma)
  CARGO_TARGET_DIR        where cargo builds (a folder in NAMMA_CACHE)";

fn main() -> ExitCode {
    match start() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            // Whoever counts the tests finds the line whatever happened.
            if std::env::args().nth(1).is_some_and(|command| command == "test") {
                println!("0 passed, 1 failed");
            }
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", [].as_slice()),
    };
    if matches!(command, "help" | "--help" | "-h") {
        println!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    }
    let places = Places::find().context("could not decide where to build")?;
    match command {
        "setup" => {
            refuse_extra(rest)?;
            let tools = setup::set_up(&places, setup::EVERYTHING)?;
            node::build_ui(&places, &tools)?;
            eprintln!("ready: `cargo xtask run` opens the app, `cargo xtask test` runs every test");
            Ok(ExitCode::SUCCESS)
        }
        "run" => run::run(&places, rest),
        "test" => test::test(&places, rest),
        "bench" => {
            refuse_extra(rest)?;
            bench::bench(&places)
        }
        "peers" => {
            refuse_extra(rest)?;
            let tools = setup::set_up(&places, setup::Needs { peers: true, servers: true, ..setup::NOTHING })?;
            let (model, servers) = (peers::ensure(&places, &tools)?, servers::ensure(&places, &tools)?);
            for (name, path) in model.environment().into_iter().chain(servers.environment()) {
                println!("{name}={}", path.display());
            }
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("unknown command `{other}`\n\n{USAGE}"),
    }
}

fn refuse_extra(rest: &[String]) -> Result<()> {
    match rest.first() {
        Some(extra) => bail!("unexpected argument `{extra}`\n\n{USAGE}"),
        None => Ok(()),
    }
}
