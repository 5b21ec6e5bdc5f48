//! `cargo xtask bench`: the figures of the release build, as one JSON document on stdout.

use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::job::{Job, program};
use crate::places::Places;
use crate::plan;
use crate::setup::{NOTHING, set_up};

pub(crate) fn bench(places: &Places) -> Result<ExitCode> {
    set_up(places, NOTHING)?;
    let mut build = plan::build_only(places, "namma");
    build.arg("--release");
    Job::new("release-build", build).must(places, "correct the errors above")?;
    let path = places.binary("release", "namma");
    let error = program(&path, places).args(["bench", "--json"]).exec();
    Err(error).with_context(|| format!("could not start `{}`", path.display()))
}
