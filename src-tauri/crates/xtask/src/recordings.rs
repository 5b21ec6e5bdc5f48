//! What real servers sent: the recordings inside the crate `genai`, which the tests of the providers
//! read where cargo keeps the sources of crates. They are not ours and not in this repository.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::job::{Job, program};
use crate::places::Places;

/// As in `providers/tests/providers/recordings.rs`.
const PACKAGE: &str = "genai";
const VERSION: &str = "0.7.2";

const NETWORK_ADVICE: &str = "check the network and start again; what is already there is kept";

/// Lets cargo unpack the sources of the crate, once.
pub(crate) fn ensure(places: &Places) -> Result<()> {
    if are_here() {
        return Ok(());
    }
    let mut ask = program("cargo", places);
    ask.args(["info", "--quiet"]).arg(format!("{PACKAGE}@{VERSION}"));
    Job::new("recordings", ask).limit_minutes(5).must(places, NETWORK_ADVICE)?;
    if !are_here() {
        bail!("cargo has {PACKAGE} {VERSION} and did not unpack it; run `cargo info {PACKAGE}@{VERSION}` and see");
    }
    Ok(())
}

fn are_here() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    // A folder for each registry.
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let of = |registry: fs::DirEntry| registry.path().join(format!("{PACKAGE}-{VERSION}"));
    registries.into_iter().flatten().flatten().any(|registry| of(registry).is_dir())
}
