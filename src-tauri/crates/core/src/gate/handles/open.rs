//! Opening, limited to what a call declared: files and addresses with the programs that the desktop
//! has for them, applications by the command of their entry.
//!
//! What was opened is the person's from then on. It is not confined, gets none of our keys, and
//! goes on when the call, the turn and the app have ended. A program is never opened: that is to
//! run a command, for which there is the shell, with its question.

mod applications;
mod entry;
mod launch;

pub use applications::Application;

pub(super) use launch::{OPEN, OpenPlan, launch};

use self::launch::{LOOK, OpenReport};
use super::files::{file_to_read, look};
use super::sandbox::{ASKED, Sandbox};
use super::shell::environment;
use crate::tool::{Effects, ToolFailure};
use namma_protocol::Effect;
use rustix::fs::FileType;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use url::Url;

/// Finds the program for a file or an address, on every desktop.
const OPENER: &str = "xdg-open";
const HOW_TO_INSTALL: &str = "Install it with `sudo apt install xdg-utils`, `sudo dnf install xdg-utils` or \
     `sudo pacman -S xdg-utils`.";
/// The beginning of a file, which says what kind of program it is.
const HEAD_BYTES: u64 = 512;
/// What the launcher may take beyond its look at the program.
const MARGIN: Duration = Duration::from_secs(5);

/// What became of something that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// Its program still ran after a moment.
    Runs,
    /// Its program ended at once and well: it has handed it on to one that runs already.
    HandedOn,
}

/// Declared files, addresses and applications.
pub struct Opener<'a> {
    effects: &'a Effects,
    sandbox: &'a Sandbox,
}

impl<'a> Opener<'a> {
    pub(crate) fn new(effects: &'a Effects, sandbox: &'a Sandbox) -> Self {
        Self { effects, sandbox }
    }

    /// Opens a file or a folder.
    ///
    /// # Errors
    /// When it was not declared, is no ordinary file or folder, would run, or nothing opens it.
    pub async fn file(&self, path: &Path) -> Result<Opened, ToolFailure> {
        let shown = path.display().to_string();
        self.declared(&Effect::OpenFile { path: shown.clone() }, &shown)?;
        let looked_at = path.to_owned();
        tokio::task::spawn_blocking(move || no_program(&looked_at))
            .await
            .map_err(|panic| ToolFailure::failed(format!("BUG: looking at `{shown}` ended badly: {panic}")))??;
        self.with_opener(&shown).await
    }

    /// Opens a web address, or a mail that the person can finish and send.
    ///
    /// # Errors
    /// When it was not declared, or nothing opens it.
    pub async fn address(&self, url: &Url, host: &str) -> Result<Opened, ToolFailure> {
        let effect = Effect::OpenAddress { url: url.to_string(), host: host.to_owned() };
        self.declared(&effect, url.as_str())?;
        self.with_opener(url.as_str()).await
    }

    /// Starts an application.
    ///
    /// # Errors
    /// When exactly this was not declared, or it ends at once with an error.
    pub async fn application(&self, application: &Application) -> Result<Opened, ToolFailure> {
        self.declared(&application.effect(), &application.name)?;
        let name = &application.name;
        let Some((program, arguments)) = application.command.split_first() else {
            return Err(ToolFailure::failed(format!("the entry of {name} has no command")));
        };
        match self.launch(name, program, arguments).await? {
            OpenReport::Runs => Ok(Opened::Runs),
            OpenReport::Ended(0) => Ok(Opened::HandedOn),
            OpenReport::Ended(code) => Err(ToolFailure::failed(format!("{name} ended at once with code {code}"))
                .hint("Started in a terminal, it may say why.")),
            OpenReport::Missing => Err(ToolFailure::missing(
                program,
                format!("{name} is in the menu, but its program is gone: it must be installed again."),
            )),
            OpenReport::Failed(why) => Err(ToolFailure::failed(format!("could not start {name}: {why}"))),
        }
    }

    async fn with_opener(&self, target: &str) -> Result<Opened, ToolFailure> {
        match self.launch(target, OPENER, &[target.to_owned()]).await? {
            OpenReport::Runs => Ok(Opened::Runs),
            OpenReport::Ended(0) => Ok(Opened::HandedOn),
            OpenReport::Ended(code) => {
                Err(ToolFailure::failed(format!("nothing could open `{target}` ({OPENER} ended with code {code})"))
                    .hint("No program may be set for it; the settings of the desktop choose one."))
            }
            OpenReport::Missing => Err(ToolFailure::missing(OPENER, HOW_TO_INSTALL)),
            OpenReport::Failed(why) => Err(ToolFailure::failed(format!("could not open `{target}`: {why}"))),
        }
    }

    fn declared(&self, effect: &Effect, what: &str) -> Result<(), ToolFailure> {
        if self.effects.allow_open(effect) {
            return Ok(());
        }
        Err(ToolFailure::undeclared(format_args!("open {what}")))
    }

    /// Starts a program in a session of its own, below our launcher, which has gone when this ends.
    async fn launch(&self, what: &str, program: &str, arguments: &[String]) -> Result<OpenReport, ToolFailure> {
        let variables = environment::of_the_desktop(self.sandbox.home());
        if !has_display(&variables) {
            return Err(ToolFailure::failed(format!("could not open {what}: there is no desktop to open it on"))
                .hint("This works when the assistant runs inside a desktop, not over a plain terminal line."));
        }
        let plan = OpenPlan {
            program: PathBuf::from(program),
            arguments: arguments.to_vec(),
            cwd: self.sandbox.home().to_owned(),
        };
        let failed = |why: String| ToolFailure::failed(format!("could not open {what}: {why}"));
        let launcher = start(self.sandbox.launcher(), &plan, variables).map_err(|error| failed(error.to_string()))?;
        let ended = tokio::time::timeout(LOOK + MARGIN, launcher.wait_with_output()).await;
        let output = ended.map_err(|_over| failed("its launcher does not answer".into()))?;
        let output = output.map_err(|error| failed(error.to_string()))?;
        serde_json::from_slice(&output.stdout).map_err(|_| failed("its launcher ended without a report".into()))
    }
}

fn has_display(variables: &[(OsString, OsString)]) -> bool {
    variables.iter().any(|(name, value)| (name == "DISPLAY" || name == "WAYLAND_DISPLAY") && !value.is_empty())
}

#[expect(clippy::disallowed_methods, reason = "the one place where something of the person's desktop is opened")]
fn start(
    launcher: &Path,
    plan: &OpenPlan,
    variables: Vec<(OsString, OsString)>,
) -> std::io::Result<tokio::process::Child> {
    tokio::process::Command::new(launcher)
        .args([ASKED, OPEN, &serde_json::to_string(plan)?])
        .env_clear()
        .envs(variables)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// A folder, or an ordinary file that is no program whatever its name says. No link is followed:
/// the path was resolved before it was shown.
fn no_program(path: &Path) -> Result<(), ToolFailure> {
    let Some(stat) = look("open", path)? else {
        return Err(ToolFailure::failed(format!("could not open `{}`: there is no such file", path.display())));
    };
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return Ok(());
    }
    let (file, stat) = file_to_read(path)?;
    let mut head = Vec::new();
    file.take(HEAD_BYTES)
        .read_to_end(&mut head)
        .map_err(|error| ToolFailure::failed(format!("could not look at `{}`: {error}", path.display())))?;
    if !is_program(&head, stat.st_mode & 0o111 != 0) {
        return Ok(());
    }
    Err(ToolFailure::failed(format!("`{}` is a program: to open it would run it", path.display()))
        .hint("It can be started by hand from its folder, which can be opened."))
}

fn is_program(head: &[u8], may_be_executed: bool) -> bool {
    const ENTRY: &[u8] = b"[Desktop Entry]";
    head.starts_with(b"\x7fELF")
        || head.starts_with(b"MZ")
        || (may_be_executed && head.starts_with(b"#!"))
        || head.windows(ENTRY.len()).any(|part| part == ENTRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_first_bytes() {
        for (head, may_be_executed) in [
            (&b"\x7fELF\x02"[..], false),
            (b"MZ\x90", false),
            (b"#!/bin/sh\n", true),
            (b"# a comment\n[Desktop Entry]\nExec=x", false),
        ] {
            assert!(is_program(head, may_be_executed), "{head:?}");
        }
        for (head, may_be_executed) in
            [(&b"#!/bin/sh\n"[..], false), (b"%PDF-1.7", true), (b"", true), (b"see [Desktop] Entry", true)]
        {
            assert!(!is_program(head, may_be_executed), "{head:?}");
        }
    }

    #[tokio::test]
    async fn only_what_was_declared_is_opened() {
        let file = |path: &str| Effect::OpenFile { path: path.into() };
        let effects = Effects::of([file("/tmp/a"), Effect::ReadFile { path: "/tmp".into() }]);
        let sandbox = Sandbox::detect("/nonexistent");
        let opener = Opener::new(&effects, &sandbox);
        let url = Url::parse("https://example.org/").unwrap();
        let application = Application { id: "a".into(), name: "A".into(), command: vec!["true".into()] };
        for refused in [
            opener.file(Path::new("/tmp/b")).await,
            opener.address(&url, "example.org").await,
            opener.application(&application).await,
        ] {
            assert_eq!(refused.unwrap_err().code, "undeclared_effect");
        }
        assert!(effects.allow_open(&file("/tmp/a")));
        assert!(!effects.allow_open(&Effect::ReadFile { path: "/tmp".into() }), "to read is not to open");
    }
}
