//! Every built-in tool through the real gate: allowed, declined, interrupted, bad input.
//!
//! Its own `main`, because commands start this program again as their launcher, and because the
//! trash must be that of a temporary home folder.

#![allow(
    clippy::disallowed_methods,
    reason = "tests lay out files and start themselves again with another home folder"
)]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test with a main of its own is a test")]

mod support;

mod every_tool;
mod find_files;
mod list_dir;
mod make_dir;
mod memory;
mod move_and_delete;
mod open_target;
mod read_file;
mod run_shell;
mod search_chats;
mod system_info;
mod web_fetch;
mod write_and_edit;

use libtest_mimic::{Arguments, Trial};

/// No claim takes longer, unless something hangs.
const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

fn main() {
    namma_core::gate::sandbox_exec_if_asked();
    let arguments = Arguments::from_args();
    if let Some(code) = support::again_with_a_temporary_home() {
        std::process::exit(code);
    }
    let claims = [
        every_tool::claims(),
        read_file::claims(),
        list_dir::claims(),
        find_files::claims(),
        write_and_edit::claims(),
        move_and_delete::claims(),
        open_target::claims(),
        make_dir::claims(),
        memory::claims(),
        run_shell::claims(),
        search_chats::claims(),
        system_info::claims(),
        web_fetch::claims(),
    ];
    let trials = claims.into_iter().flatten().map(|claim| {
        Trial::test(claim.name, move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
            let in_time = runtime.block_on(async { tokio::time::timeout(LIMIT, (claim.check)()).await });
            in_time.map_err(|_| "it hangs".into())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
