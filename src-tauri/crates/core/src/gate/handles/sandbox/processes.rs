//! Finding and ending everything that a command started.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::HashMap;

/// Everything below this process, children before their children.
///
/// The launcher adopts orphans, so a daemon that forked twice is still below it.
pub(super) fn below(root: Pid) -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // Gone in between: not below anything.
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some(parent) = parent(&stat) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = vec![root.as_raw()];
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let more = children.remove(pid).unwrap_or_default();
        found.extend(more);
        next += 1;
    }
    found.into_iter().skip(1).map(Pid::from_raw).collect()
}

/// The second field after the name; the name is in brackets and may hold anything. The dead that
/// wait to be collected count as gone.
fn parent(stat: &str) -> Option<i32> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    match fields.next()? {
        "Z" | "X" => None,
        _ => fields.next()?.parse().ok(),
    }
}

pub(super) fn signal(processes: &[Pid], signal: Signal) {
    for process in processes {
        // It may have ended already.
        let _gone = kill(*process, signal);
    }
}

/// Ends everything below `root`. First nobody may run, so that nobody can multiply.
pub(super) fn end_all(root: Pid) {
    for _ in 0..1000 {
        let left = below(root);
        if left.is_empty() {
            return;
        }
        signal(&left, Signal::SIGSTOP);
        if below(root).len() <= left.len() {
            signal(&left, Signal::SIGKILL);
        }
        std::thread::yield_now();
    }
}
