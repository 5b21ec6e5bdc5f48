//! One external program that is watched: output to a log, a sign of life while it runs, a time limit.
//!
//! A failing job says what failed, shows why and what to do next. To run something
//! that starts background programs of its own, set `own_group`: whatever it leaves behind is
//! ended, so that nothing outlives the step.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::places::Places;

const LOOK_EVERY: Duration = Duration::from_millis(100);
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);
const GRACE: Duration = Duration::from_secs(10);
const TAIL_LINES: usize = 60;
const FAILURE_LINES: usize = 200;
const TAIL_BYTES: u64 = 16 * 1024;

pub(crate) struct Job {
    /// Short; also the name of the log file.
    pub(crate) name: &'static str,
    pub(crate) command: Command,
    pub(crate) limit: Duration,
    pub(crate) own_group: bool,
}

pub(crate) struct Ended {
    pub(crate) is_ok: bool,
    /// `exit status: 1`, or that the time was up.
    pub(crate) how: String,
    pub(crate) log: PathBuf,
    pub(crate) took: Duration,
}

impl Job {
    pub(crate) fn new(name: &'static str, command: Command) -> Self {
        Self { name, command, limit: Duration::from_secs(45 * 60), own_group: false }
    }

    pub(crate) fn limit_minutes(self, minutes: u64) -> Self {
        Self { limit: Duration::from_secs(minutes * 60), ..self }
    }

    pub(crate) fn own_group(self) -> Self {
        Self { own_group: true, ..self }
    }

    /// Runs to the end and reports; only a program that cannot be started is an error.
    pub(crate) fn watch(self, places: &Places) -> Result<Ended> {
        let Self { name, command, limit, own_group } = self;
        let log = places.log(name);
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder).with_context(|| format!("could not create `{}`", folder.display()))?;
        }
        let output = File::create(&log).with_context(|| format!("could not write `{}`", log.display()))?;
        let mut command = if own_group { in_own_group(&command) } else { command };
        command.env("CARGO_TERM_COLOR", "never").env("NO_COLOR", "1").env("TERM", "dumb");
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let started = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("could not start `{}`; is it installed?", command.get_program().display()))?;
        let (is_ok, how) = match wait(&mut child, &log, started, limit)? {
            Some(status) => (status.success(), status.to_string()),
            None => {
                end(&mut child, own_group)?;
                (false, format!("not done after {} minutes", limit.as_secs() / 60))
            }
        };
        if own_group {
            signal_group("KILL", child.id());
        }
        Ok(Ended { is_ok, how, log, took: started.elapsed() })
    }

    /// Like [`Job::watch`], and a failure is an error that carries the reason from the log and `advice`.
    pub(crate) fn must(self, places: &Places, advice: &str) -> Result<()> {
        let name = self.name;
        eprintln!("  {name} ...");
        let ended = self.watch(places)?;
        if !ended.is_ok {
            bail!("{}", ended.explain(name, advice));
        }
        eprintln!("  {name}: done in {} s", ended.took.as_secs());
        Ok(())
    }
}

impl Ended {
    pub(crate) fn explain(&self, name: &str, advice: &str) -> String {
        // Cargo goes on with other tests after a failure, so that the end of the log may be all green.
        let failures = fs::read(&self.log).map(|log| failures(&String::from_utf8_lossy(&log))).unwrap_or_default();
        let shown = if failures.is_empty() { tail(&self.log) } else { failures };
        let log = self.log.display();
        format!("{name} failed ({})\n--- from {log}\n{shown}\n---\nwhat to do: {advice}", self.how)
    }

    pub(crate) fn text(&self) -> Result<String> {
        let bytes = fs::read(&self.log).with_context(|| format!("could not read `{}`", self.log.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A command with the environment of a plain shell: what `cargo run` set for this program would
/// make cargo believe that build scripts must run again.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, places: &Places) -> Command {
    let mut command = Command::new(name);
    command.current_dir(&places.root).env("CARGO_TARGET_DIR", &places.target);
    for (key, _) in std::env::vars_os() {
        let Some(key) = key.to_str() else { continue };
        let set_by_cargo = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"];
        if set_by_cargo.iter().any(|start| key.starts_with(start)) {
            command.env_remove(key);
        }
    }
    command
}

/// `setpriv` ends the program when this one dies: a process group of its own hears no Ctrl-C.
fn in_own_group(inner: &Command) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM", "--"]).arg(inner.get_program()).args(inner.get_args());
    for (key, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(key, value),
            None => command.env_remove(key),
        };
    }
    if let Some(folder) = inner.get_current_dir() {
        command.current_dir(folder);
    }
    command.process_group(0);
    command
}

fn wait(child: &mut Child, log: &Path, started: Instant, limit: Duration) -> Result<Option<std::process::ExitStatus>> {
    let mut next_sign = SIGN_OF_LIFE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let elapsed = started.elapsed();
        if elapsed >= limit {
            return Ok(None);
        }
        if elapsed >= next_sign {
            let line = tail(log).lines().last().unwrap_or_default().chars().take(90).collect::<String>();
            eprintln!("    {:>4} s  {line}", elapsed.as_secs());
            next_sign += SIGN_OF_LIFE;
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn end(child: &mut Child, own_group: bool) -> Result<()> {
    if own_group {
        signal_group("TERM", child.id());
        let asked = Instant::now();
        while asked.elapsed() < GRACE && child.try_wait()?.is_none() {
            thread::sleep(LOOK_EVERY);
        }
        signal_group("KILL", child.id());
    }
    // It may have ended by itself in between; then there is nothing to kill.
    let _ = child.kill();
    child.wait()?;
    Ok(())
}

fn signal_group(signal: &str, leader: u32) {
    let script = format!("kill -{signal} -{leader}");
    // A group without members is the good case and makes `kill` fail.
    let _ = Command::new("sh").args(["-c", &script]).stderr(Stdio::null()).status();
}

/// What cargo's test runner says about failed tests: from `failures:` to the closing line.
fn failures(log: &str) -> String {
    let mut found = Vec::new();
    let mut is_inside = false;
    for line in log.lines() {
        is_inside |= line == "failures:";
        if is_inside {
            found.push(line);
        }
        is_inside &= !line.starts_with("test result:");
    }
    found.truncate(FAILURE_LINES);
    found.join("\n")
}

fn tail(log: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(TAIL_BYTES)))?;
        file.read_to_end(&mut text)
    });
    if let Err(error) = read {
        return format!("(could not read the log: {error})");
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_over_its_limit_takes_its_background_programs_with_it() {
        let places = scratch("limit");
        let pid_file = places.root.join("pid");
        let mut command = program("sh", &places);
        command.args(["-c", &format!("sleep 600 & echo $! > {}; wait", pid_file.display())]);
        let job = Job { limit: Duration::from_secs(2), ..Job::new("limit", command) }.own_group();

        let ended = job.watch(&places).unwrap();

        assert!(!ended.is_ok, "a job over its limit has failed");
        let pid = fs::read_to_string(&pid_file).unwrap();
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "the background program still runs: {state}");
        fs::remove_dir_all(&places.root).unwrap();
    }

    #[test]
    fn a_failure_shows_the_end_of_its_log_and_what_to_do() {
        let places = scratch("failure");
        let mut command = program("sh", &places);
        command.args(["-c", "echo first; echo the reason >&2; exit 3"]);

        let error = Job::new("failure", command).must(&places, "try harder").unwrap_err().to_string();

        for part in ["failure failed (exit status: 3)", "first\nthe reason\n", "what to do: try harder"] {
            assert!(error.contains(part), "`{part}` is missing in: {error}");
        }
        fs::remove_dir_all(&places.root).unwrap();
    }

    #[test]
    fn a_failed_test_is_shown_although_green_ones_follow() {
        let log = "\
running 2 tests
failures:

---- a_claim stdout ----
the reason

failures:
    a_claim

test result: FAILED. 1 passed; 1 failed; 0 ignored
running 0 tests
test result: ok. 0 passed; 0 failed; 0 ignored";
        let shown = failures(log);
        assert!(shown.starts_with("failures:\n\n---- a_claim stdout"), "{shown}");
        assert!(shown.ends_with("test result: FAILED. 1 passed; 1 failed; 0 ignored"), "{shown}");
    }

    fn scratch(name: &str) -> Places {
        let root = std::env::temp_dir().join(format!("namma-xtask-job-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        Places { cache: root.join("cache"), target: root.join("target"), root }
    }
}
