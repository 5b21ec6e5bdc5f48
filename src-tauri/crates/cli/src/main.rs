//! `namma`: the same core without a window.
//!
//! The contract is in `docs/CLI.md`: standard output holds what was asked for and nothing else;
//! everything that is said about it goes to standard error. This program decides nothing: it reads
//! arguments, calls `namma-app` and prints. Without a terminal it declines what would ask, unless
//! `--approve` says otherwise.
//!
//! To add a command: a variant in `arguments.rs` and a file named after it.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod approver;
mod arguments;
mod ask;
mod audit;
mod bench;

mod chat;
mod config;
mod connection;
mod doctor;
mod exit;
mod first_run;
mod follow;
mod hidden;
mod host;
mod interrupts;
mod lines;
mod log;
mod memory;
mod model;
mod progress;
mod screen;
mod sessions;
mod tools;
mod usage;
mod words;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    namma_core::gate::sandbox_exec_if_asked();
    let arguments = Arguments::parse();
    let mut runtime = match arguments.command {
        // As the desktop runs the core.
        Command::Bench(_) => tokio::runtime::Builder::new_multi_thread(),
        // One thread: a command line has one thing to do, and starts the faster for it.
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = match runtime.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::explain(&error.into()).into(),
    };
    let exit = runtime.block_on(run(arguments.command)).unwrap_or_else(|error| exit::explain(&error));
    // A thread may still wait for a line of the terminal; nobody needs it any more.
    runtime.shutdown_background();
    exit.into()
}

async fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Ask(ask) => ask::ask(ask).await,
        Command::Chat(chat) => chat::chat(chat).await,
        Command::Sessions { command } => sessions::sessions(command).await,
        Command::Memory { command } => memory::memory(command).await,
        Command::Tools { command } => tools::tools(command).await,
        Command::Model { command } => model::model(command).await,
        Command::Connection { command } => connection::connection(command).await,
        Command::Audit(audit) => audit::audit(audit).await,
        Command::Usage(usage) => usage::usage(usage).await,
        Command::Config { command } => config::config(command),
        Command::Doctor(doctor) => doctor::doctor(doctor).await,
        Command::Bench(bench) => bench::bench(bench).await,
    }
}
