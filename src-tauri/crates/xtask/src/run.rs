//! `cargo xtask run`: from a fresh clone to the open app, or straight to the command line.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::job::{Job, program};
use crate::node;
use crate::places::Places;
use crate::plan;
use crate::setup::{NOTHING, Needs, set_up};

const COMPILE_ADVICE: &str = "correct the errors above";

pub(crate) fn run(places: &Places, arguments: &[String]) -> Result<ExitCode> {
    match arguments {
        [dashes, passed @ ..] if dashes == "--" => run_cli(places, passed),
        [] if !has_display() => {
            eprintln!(
                "there is no display here (DISPLAY and WAYLAND_DISPLAY are not set): opening `namma chat` instead"
            );
            run_cli(places, &["chat".to_owned()])
        }
        [] => run_desktop(places, "debug"),
        [release] if release == "--release" => run_desktop(places, "release"),
        [other, ..] => bail!("unexpected argument `{other}`; arguments for `namma` come after `--`"),
    }
}

fn run_desktop(places: &Places, profile: &str) -> Result<ExitCode> {
    let tools = set_up(places, Needs { window: true, ui: true, ..NOTHING })?;
    node::build_ui(places, &tools)?;
    let mut build = plan::build_only(places, "namma-desktop");
    if profile == "release" {
        build.args(["--release", "--features", "namma-desktop/custom-protocol"]);
    }
    Job::new("desktop-build", build).must(places, COMPILE_ADVICE)?;
    eprintln!("  opening the app; close it from its tray icon or with Ctrl-C");
    become_program(places, profile, "namma-desktop", &[])
}

fn run_cli(places: &Places, arguments: &[String]) -> Result<ExitCode> {
    set_up(places, NOTHING)?;
    let ended = Job::new("cli-build", plan::build_only(places, "namma")).watch(places)?;
    if !ended.is_ok {
        bail!("{}", ended.explain("cli-build", COMPILE_ADVICE));
    }
    become_program(places, "debug", "namma", arguments)
}

/// Replaces this process, so that signals, the terminal and the exit code are the program's own.
fn become_program(places: &Places, profile: &str, name: &str, arguments: &[String]) -> Result<ExitCode> {
    let path = places.binary(profile, name);
    let mut command = program(&path, places);
    command.current_dir(env::current_dir()?).args(arguments);
    // Its advice names commands; before it is installed they are spelled like this.
    command.env("NAMMA_CALLED_AS", "cargo xtask run --");
    Err(command.exec()).with_context(|| format!("could not start `{}`", path.display()))
}

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}
