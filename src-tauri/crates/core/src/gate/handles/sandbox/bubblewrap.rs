//! The strongest level: the command gets its own view of the computer.

use super::{Network, Plan, folders};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const KNOWN: [&str; 4] = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/// Not more processes than this, where the account is not root: inside its own user namespace
/// the limit counts only the processes of the command. (The two spellings are of bash and dash.)
const SHELL: &str = r#"{ ulimit -u 512 || ulimit -p 512; } 2>/dev/null; exec /bin/sh -c "$1""#;

/// bubblewrap, if it is installed and may do its work here.
pub(super) fn find_working() -> Option<PathBuf> {
    KNOWN.iter().map(PathBuf::from).find(|program| program.is_file() && works(program))
}

#[expect(clippy::disallowed_methods, reason = "a trial of the sandbox itself, with a fixed command that does nothing")]
fn works(program: &Path) -> bool {
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(VIEW).args(["--", "/bin/sh", "-c", ":"]).env_clear().stdin(quiet()).stdout(quiet()).stderr(quiet());
    let Ok(mut trial) = command.spawn() else { return false };
    for _ in 0..1500 {
        match trial.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return false,
        }
    }
    // It hangs; whether it can be killed changes nothing.
    let _hangs = trial.kill().and_then(|()| trial.wait());
    false
}

/// A read-only system without the sockets and temporary files of others, alone in its process,
/// network and IPC namespaces.
const VIEW: [&str; 20] = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--tmpfs",
    "/var/tmp",
    "--tmpfs",
    "/run",
    "--dir",
    "/run/user",
];

/// Outside `/etc`, where name servers and NixOS keep what programs need.
const NEEDED_IN_RUN: [&str; 3] = ["/run/current-system", "/run/systemd/resolve", "/run/resolvconf"];

/// The whole command line after the program's name.
pub(super) fn arguments(plan: &Plan) -> Vec<OsString> {
    let mut line: Vec<OsString> = VIEW.iter().map(OsString::from).collect();
    let mut add = |option: &str, paths: &[&Path]| {
        line.push(option.into());
        line.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
    };
    if plan.network == Network::Allowed {
        add("--share-net", &[]);
    }
    for needed in NEEDED_IN_RUN.map(Path::new) {
        add("--ro-bind-try", &[needed, needed]);
    }
    let roots = folders::writable(plan);
    let hidden = folders::hidden(plan);
    let is_hidden = hidden.iter().any(|path| plan.cwd.starts_with(path));
    // What is around a folder goes before it, what is inside goes after it.
    let (inside, around): (Vec<_>, Vec<_>) =
        hidden.into_iter().partition(|path| roots.iter().any(|root| path.starts_with(root)));
    for path in around {
        hide(&path, &mut add);
    }
    // A folder for temporary files is hidden by the view, and shown when the command works there.
    if !is_hidden && !roots.iter().any(|root| plan.cwd.starts_with(root)) {
        add("--ro-bind-try", &[&plan.cwd, &plan.cwd]);
    }
    for root in &roots {
        add("--bind", &[root, root]);
    }
    for path in folders::protected(&roots) {
        add("--ro-bind", &[&path, &path]);
    }
    for path in inside {
        hide(&path, &mut add);
    }
    add("--chdir", &[&plan.cwd]);
    line.extend(["--", "/bin/sh", "-c", SHELL, "sh", &plan.command].map(OsString::from));
    line
}

fn hide(path: &Path, add: &mut impl FnMut(&str, &[&Path])) {
    if path.is_dir() {
        add("--tmpfs", &[path]);
    } else {
        add("--ro-bind", &[Path::new("/dev/null"), path]);
    }
}
