//! Servers that others wrote, for the test step `servers`: `llmock` and the vendors' own types from
//! the Python package index, `aimock` from npm.
//!
//! Each set appears under its final name only when it is whole. The name holds the versions, so that
//! another version is another folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::job::{Job, program};
use crate::node;
use crate::peers::{self, move_whole, remove_folder};
use crate::places::{Places, fingerprint};
use crate::setup::Tools;

/// The server, and the clients whose types our requests are held against.
const PYTHON_PACKAGES: &[&str] = &["llmock==0.2.2", "anthropic==2.14.0", "openai==3.57.0", "google-genai==3.6.1"];

const NODE_PACKAGE: &str = "@copilotkit/aimock";
const NODE_VERSION: &str = "1.43.0";

const NETWORK_ADVICE: &str = "check the network and start again; what is already there is kept";

pub(crate) struct Servers {
    python: PathBuf,
    python_path: PathBuf,
    node: PathBuf,
    aimock: PathBuf,
}

impl Servers {
    /// What the tests find them by.
    pub(crate) fn environment(&self) -> [(&'static str, &Path); 4] {
        [
            ("NAMMA_SERVERS_PYTHON", &self.python),
            ("NAMMA_SERVERS_PYTHONPATH", &self.python_path),
            ("NAMMA_SERVERS_NODE", &self.node),
            ("NAMMA_SERVERS_AIMOCK", &self.aimock),
        ]
    }
}

pub(crate) fn ensure(places: &Places, tools: &Tools) -> Result<Servers> {
    let (folder, _lock) = peers::locked_folder(places)?;
    Ok(Servers {
        python: tools.python.clone(),
        python_path: python_packages(places, tools, &folder)?,
        node: tools.node.as_ref().map_or("node".into(), |bin| bin.join("node")),
        aimock: node_package(places, tools, &folder)?,
    })
}

/// The packages beside one another in a folder for `PYTHONPATH`: it needs no virtual environment,
/// which Debian's Python cannot make without another package.
fn python_packages(places: &Places, tools: &Tools, folder: &Path) -> Result<PathBuf> {
    let target = folder.join(format!("python-{:016x}", fingerprint(PYTHON_PACKAGES)));
    if target.is_dir() {
        return Ok(target);
    }
    let new = with_suffix(&target);
    remove_folder(&new)?;
    let mut install = program(&tools.python, places);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"]).arg(&new);
    install.args(PYTHON_PACKAGES);
    Job::new("servers-python", install).limit_minutes(15).must(places, NETWORK_ADVICE)?;
    move_whole(&new, &target)?;
    Ok(target)
}

/// The program of `aimock`, for Node.
fn node_package(places: &Places, tools: &Tools, folder: &Path) -> Result<PathBuf> {
    let target = folder.join(format!("aimock-{NODE_VERSION}"));
    if !target.is_dir() {
        let new = with_suffix(&target);
        remove_folder(&new)?;
        fs::create_dir_all(&new).with_context(|| format!("could not create `{}`", new.display()))?;
        let mut install = node::npm(places, tools);
        install
            .current_dir(&new)
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&new);
        install.arg(format!("{NODE_PACKAGE}@{NODE_VERSION}"));
        Job::new("servers-node", install).limit_minutes(15).must(places, NETWORK_ADVICE)?;
        move_whole(&new, &target)?;
    }
    let program = target.join("node_modules").join(NODE_PACKAGE).join("dist/cli.js");
    if !program.is_file() {
        bail!("`{}` is missing; remove `{}` and start again", program.display(), target.display());
    }
    Ok(program)
}

fn with_suffix(folder: &Path) -> PathBuf {
    let mut name: OsString = folder.as_os_str().to_owned();
    name.push(".new");
    name.into()
}
