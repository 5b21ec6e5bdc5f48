//! Debian packages: which are missing, and their installation through apt.
//!
//! To need another package, add it to the list of the thing that needs it.

use std::env;
use std::io::IsTerminal;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::job::{Job, program};
use crate::places::{Places, is_root};

/// Cargo needs a linker, and the bundled SQLite a C compiler.
pub(crate) const COMPILER: &[&str] = &["gcc", "g++", "libc6-dev", "pkg-config"];
/// The window, and the tray icon that is loaded when the app starts.
pub(crate) const WINDOW: &[&str] = &["libwebkit2gtk-4.1-dev", "libayatana-appindicator3-1"];
/// What opens files and addresses with the programs of the desktop, and tells kinds of files apart.
pub(crate) const OPENER: &[&str] = &["xdg-utils", "file"];
/// A desktop without a screen for the tests of the real window, and the driver that clicks in it.
pub(crate) const TEST_DESKTOP: &[&str] = &[
    "xvfb",
    "xauth",
    "dbus",
    "webkit2gtk-driver",
    "xdotool",
    "openbox",
    "wmctrl",
    "python3-dbus",
    "python3-gi",
    "gnome-keyring",
    "imagemagick",
    "util-linux",
    "libglib2.0-bin",
];
pub(crate) const BROWSER: &[&str] = &["chromium"];
/// The package index of Python brings Node and the real model.
pub(crate) const PYTHON: &[&str] = &["python3", "python3-pip"];
pub(crate) const MODEL_SERVER: &[&str] = &["cmake", "ninja-build", "tar"];

pub(crate) fn ensure_packages(places: &Places, wanted: &[&str]) -> Result<()> {
    let missing = missing(wanted)?;
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("  system packages: {} missing", missing.len());
    let by_hand = format!("apt-get update && apt-get install -y --no-install-recommends {}", missing.join(" "));
    let Some(apt) = apt() else {
        bail!("these system packages are missing, and only root may install them\nwhat to do: sudo sh -c '{by_hand}'");
    };
    let advice = format!("see the log above; then run as root: {by_hand}");
    let update = with_arguments(&apt, places, &["update".into()]);
    Job::new("apt-update", update).limit_minutes(15).must(places, &advice)?;
    let mut arguments: Vec<String> = ["install", "-y", "--no-install-recommends"].map(String::from).into();
    arguments.extend(missing.iter().map(|name| (*name).to_owned()));
    Job::new("apt-install", with_arguments(&apt, places, &arguments)).limit_minutes(30).must(places, &advice)
}

/// True when the shell finds `command`; a program need not come from a package.
pub(crate) fn has_program(command: &str) -> bool {
    let search = format!("command -v {command}");
    Command::new("sh").args(["-c", &search]).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn missing<'a>(wanted: &[&'a str]) -> Result<Vec<&'a str>> {
    if !has_program("dpkg-query") {
        eprintln!("  system packages: this is not Debian; please check that you have {}", wanted.join(" "));
        return Ok(Vec::new());
    }
    let answer = Command::new("dpkg-query")
        .args(["--show", "--showformat", "${Package} ${db:Status-Status}\n"])
        .args(wanted)
        .output()
        .context("could not ask dpkg for the installed packages")?;
    let known = String::from_utf8_lossy(&answer.stdout).into_owned();
    let is_installed = |name: &str| known.lines().any(|line| line.split_once(' ') == Some((name, "installed")));
    Ok(wanted.iter().copied().filter(|name| !is_installed(name)).collect())
}

/// The words to start apt with the right to install, or nothing when there is no such right.
fn apt() -> Option<Vec<String>> {
    let options = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0"];
    let environment = ["env", "DEBIAN_FRONTEND=noninteractive"];
    let mut words: Vec<String> = Vec::new();
    if !is_root() {
        may_sudo().then_some(())?;
        words.extend(["sudo", "-n"].map(String::from));
    }
    words.extend(environment.into_iter().chain(options).map(String::from));
    Some(words)
}

fn may_sudo() -> bool {
    let sudo = |arguments: &[&str]| Command::new("sudo").args(arguments).status().is_ok_and(|status| status.success());
    if !has_program("sudo") {
        return false;
    }
    // With a person at the terminal sudo may ask for the password once.
    if std::io::stdin().is_terminal() && env::var_os("CI").is_none() { sudo(&["-v"]) } else { sudo(&["-n", "true"]) }
}

fn with_arguments(words: &[String], places: &Places, arguments: &[String]) -> Command {
    let mut command = program(&words[0], places);
    command.args(&words[1..]).args(arguments);
    command
}
