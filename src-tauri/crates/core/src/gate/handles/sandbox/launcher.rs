//! Our own program, started again to run a command.
//!
//! `sandbox-exec supervise PLAN` limits itself, starts the confined command, collects every
//! process the command leaves behind, and reports. Its standard input is a socket to the app: the
//! end of it means that the app is gone or wants to stop. `sandbox-exec become PLAN` puts Landlock
//! on itself and turns into the command. `sandbox-exec keep PLAN` turns into a program of ours that
//! ends with the app, also when the app is killed. `sandbox-exec open PLAN` starts a program of the
//! desktop and lets go of it.

use super::super::open::{OPEN, OpenPlan, launch};
use super::{Confinement, Plan, bubblewrap, processes};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, setsid};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) const ASKED: &str = "sandbox-exec";
pub(in super::super) const SUPERVISE: &str = "supervise";
const BECOME: &str = "become";
pub(crate) const KEEP: &str = "keep";

const GIB: u64 = 1 << 30;
const MAX_FILE_BYTES: u64 = GIB;
const MAX_MEMORY_BYTES: u64 = 2 * GIB;
const MAX_OPEN_FILES: u64 = 4096;
/// Between the polite signal and the other one.
const GRACE: Duration = Duration::from_millis(200);

/// How a command ended, from the launcher to the app.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Report {
    Exited(i32),
    Failed(String),
}

/// A program that ends with the app.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeepPlan {
    /// The app.
    pub(crate) parent: u32,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// Becomes the launcher of a command when this program was started as one, and then never
/// returns. Hosts call it first of all in `main`, before threads, logs and windows.
pub fn sandbox_exec_if_asked() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some(ASKED) {
        return;
    }
    let (stage, plan) = (arguments.next(), arguments.next());
    let plan = plan.unwrap_or_default();
    let of_a_command = || serde_json::from_str::<Plan>(&plan).ok();
    let code = match stage.as_deref() {
        Some(SUPERVISE) => of_a_command().map_or(2, |plan| supervise(&plan)),
        Some(BECOME) => of_a_command().map_or(2, |plan| become_command(&plan)),
        Some(OPEN) => serde_json::from_str(&plan).map_or(2, |plan: OpenPlan| {
            close_inherited();
            launch(&plan)
        }),
        Some(KEEP) => serde_json::from_str(&plan).map_or(2, |plan| keep(&plan)),
        _ => 2,
    };
    std::process::exit(code);
}

fn supervise(plan: &Plan) -> i32 {
    close_inherited();
    let Ok(mut app) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else { return 2 };
    let report = run(plan, &app).unwrap_or_else(Report::Failed);
    let sent = serde_json::to_vec(&report).is_ok_and(|line| app.write_all(&line).is_ok());
    i32::from(!sent)
}

/// Everything the app has open that was not meant for commands.
fn close_inherited() {
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for file in open.into_iter().filter(|file| *file > 2) {
        // The folder that was just listed is among them and is closed already.
        let _closed = nix::unistd::close(file);
    }
}

fn run(plan: &Plan, app: &UnixStream) -> Result<Report, String> {
    let failed = |what: &str, error: &dyn std::fmt::Display| format!("could not {what}: {error}");
    setsid().map_err(|error| failed("start a session", &error))?;
    adopt_orphans().map_err(|error| failed("adopt processes", &error))?;
    limit(plan).map_err(|error| failed("set limits", &error))?;
    let scratch = Scratch::create(plan).map_err(|error| failed("make a temporary folder", &error))?;
    let mut app_side = app.try_clone().map_err(|error| failed("hear the app", &error))?;
    let child = command(plan, &scratch)?.spawn().map_err(|error| failed("start the command", &error))?;
    let child = Pid::from_raw(i32::try_from(child.id()).map_err(|error| failed("start the command", &error))?);

    let ended = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&ended);
    let spare = matches!(plan.confinement, Confinement::Bubblewrap { .. }).then_some(child);
    let listener = std::thread::spawn(move || {
        // Nothing is ever sent this way: whatever happens means stop.
        let _end = app_side.read(&mut [0]);
        if !seen.load(Ordering::SeqCst) {
            stop(spare, &seen);
        }
    });
    let code = wait_for(child);
    ended.store(true, Ordering::SeqCst);
    processes::end_all(Pid::this());
    collect();
    drop(listener);
    code.map(Report::Exited)
}

/// First politely, except to bubblewrap itself, which would take the command with it at once.
fn stop(spare: Option<Pid>, ended: &AtomicBool) {
    let mut polite = processes::below(Pid::this());
    polite.retain(|process| Some(*process) != spare);
    processes::signal(&polite, Signal::SIGTERM);
    let step = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    while waited < GRACE && !ended.load(Ordering::SeqCst) {
        pause(step);
        waited += step;
    }
    if !ended.load(Ordering::SeqCst) {
        processes::end_all(Pid::this());
    }
}

#[expect(clippy::disallowed_methods, reason = "the launcher is a program of its own, without a clock or a runtime")]
fn pause(duration: Duration) {
    std::thread::sleep(duration);
}

/// Waits for the command, and collects the orphans that end before it.
fn wait_for(child: Pid) -> Result<i32, String> {
    loop {
        match waitpid(None::<Pid>, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == child => return Ok(code),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == child => return Ok(128 + signal as i32),
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(format!("could not wait for the command: {error}")),
        }
    }
}

fn collect() {
    while let Ok(status) = waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)) {
        if status == WaitStatus::StillAlive {
            break;
        }
    }
}

fn adopt_orphans() -> nix::Result<()> {
    nix::sys::prctl::set_child_subreaper(true)?;
    nix::sys::prctl::set_no_new_privs()
}

fn limit(plan: &Plan) -> nix::Result<()> {
    let limits = [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_FSIZE, MAX_FILE_BYTES),
        (Resource::RLIMIT_DATA, MAX_MEMORY_BYTES),
        (Resource::RLIMIT_NOFILE, MAX_OPEN_FILES),
        (Resource::RLIMIT_CPU, plan.cpu_seconds),
    ];
    for (resource, limit) in limits {
        let (_, most) = nix::sys::resource::getrlimit(resource)?;
        let limit = limit.min(most);
        setrlimit(resource, limit, limit)?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this is where commands start, after the gate allowed them")]
fn command(plan: &Plan, scratch: &Scratch) -> Result<Command, String> {
    let mut command = match &plan.confinement {
        Confinement::Bubblewrap { program } => {
            let mut command = Command::new(program);
            command.args(bubblewrap::arguments(plan));
            command
        }
        Confinement::Landlock => {
            let program = std::env::current_exe().map_err(|error| format!("could not find the launcher: {error}"))?;
            let plan = serde_json::to_string(plan).map_err(|error| format!("could not write the plan: {error}"))?;
            let mut command = Command::new(program);
            command.args([ASKED, BECOME, &plan]);
            command
        }
        Confinement::LimitsOnly => shell(plan),
    };
    command.current_dir(&plan.cwd).env("TMPDIR", scratch.path()).stdin(Stdio::null());
    Ok(command)
}

#[expect(clippy::disallowed_methods, reason = "this is where commands start, after the gate allowed them")]
fn shell(plan: &Plan) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &plan.command]).current_dir(&plan.cwd);
    command
}

fn become_command(plan: &Plan) -> i32 {
    let scratch = std::env::temp_dir();
    let problem = match super::landlock::confine(plan, &scratch) {
        Ok(()) => shell(plan).exec().to_string(),
        Err(problem) => problem,
    };
    // Standard error is the command's output here; there is no other way to say it.
    let _unheard = writeln!(std::io::stderr(), "{problem}");
    126
}

/// Turns into a program that the kernel ends when whoever started us ends. It is a session of its
/// own: Ctrl-C in a terminal is for us, and one signal reaches all that it starts.
fn keep(plan: &KeepPlan) -> i32 {
    close_inherited();
    let prepared = setsid()
        .and_then(|_| nix::sys::prctl::set_no_new_privs())
        .and_then(|()| setrlimit(Resource::RLIMIT_CORE, 0, 0))
        .and_then(|()| nix::sys::prctl::set_pdeathsig(Signal::SIGKILL));
    let problem = match prepared {
        // The parent may have ended before the kernel was asked.
        Ok(()) if nix::unistd::getppid().as_raw().unsigned_abs() != plan.parent => return 1,
        Ok(()) => kept(plan).exec().to_string(),
        Err(error) => error.to_string(),
    };
    // Standard error is the program's log.
    let _unheard = writeln!(std::io::stderr(), "could not start {}: {problem}", plan.program.display());
    126
}

#[expect(clippy::disallowed_methods, reason = "a program that the person named in the settings, not the model")]
fn kept(plan: &KeepPlan) -> Command {
    let mut command = Command::new(&plan.program);
    command.args(&plan.arguments);
    command
}

/// A temporary folder for one command, where the sandbox has no `/tmp` of its own.
enum Scratch {
    Private,
    Folder(PathBuf),
}

impl Scratch {
    fn create(plan: &Plan) -> std::io::Result<Self> {
        match plan.confinement {
            Confinement::Bubblewrap { .. } => Ok(Self::Private),
            Confinement::Landlock | Confinement::LimitsOnly => {
                let path = Path::new("/tmp").join(format!("namma-{}", uuid::Uuid::new_v4().simple()));
                std::fs::DirBuilder::new().mode(0o700).create(&path)?;
                Ok(Self::Folder(path))
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Private => Path::new("/tmp"),
            Self::Folder(path) => path,
        }
    }
}

impl Drop for Scratch {
    #[expect(clippy::disallowed_methods, reason = "a temporary folder that this launcher made itself")]
    fn drop(&mut self) {
        if let Self::Folder(path) = self {
            // What cannot be removed stays in /tmp, which the system empties.
            let _left_over = std::fs::remove_dir_all(path);
        }
    }
}
