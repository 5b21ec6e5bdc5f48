//! Which folders a command may write to, and which it may not even see.

use super::Plan;
use crate::gate::secrets::{PASSWORD_FILES, SECRET_PLACES};
use std::path::{Path, PathBuf};

/// Inside a writable folder, and in the folders directly below: files that run later, by
/// themselves.
const RUNS_LATER: [&str; 4] = [".git/hooks", ".git/config", ".vscode", ".idea"];

/// A working folder in one of these is for reading.
const SYSTEM: [&str; 13] =
    ["/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr", "/var/lib"];

/// More folders below a writable one are not searched for files that run later.
const MAX_SEARCHED: usize = 500;

/// The folders the command may write to. The home folder itself never is: a new `.profile` in it
/// would run later. Its visible folders are, when the command works in the home folder.
pub(super) fn writable(plan: &Plan) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    if plan.cwd == plan.home {
        roots.extend(subfolders(&plan.home).filter(|folder| !is_dotted(folder)));
    } else if !plan.home.starts_with(&plan.cwd) && !SYSTEM.iter().any(|system| plan.cwd.starts_with(system)) {
        roots.push(plan.cwd.clone());
    }
    roots.extend(plan.writable.iter().filter(|folder| folder.is_dir()).cloned());
    let hidden = hidden(plan);
    roots.retain(|root| !hidden.iter().any(|place| root.starts_with(place)));
    roots.sort();
    roots.dedup();
    roots
}

/// What the command cannot see, links resolved.
pub(super) fn hidden(plan: &Plan) -> Vec<PathBuf> {
    let secrets = SECRET_PLACES.iter().map(|name| plan.home.join(name));
    // Only root could read them, and the assistant may run as root.
    let passwords = PASSWORD_FILES.iter().map(PathBuf::from);
    let all = secrets.chain(passwords).chain(plan.hidden.iter().cloned());
    let mut hidden: Vec<_> = all.filter_map(|path| path.canonicalize().ok()).collect();
    hidden.sort();
    hidden.dedup();
    hidden
}

/// What the command can only read although it lies in a writable folder.
pub(super) fn protected(roots: &[PathBuf]) -> Vec<PathBuf> {
    let below = roots.iter().flat_map(|root| subfolders(root).take(MAX_SEARCHED));
    let folders = roots.iter().cloned().chain(below);
    folders.flat_map(|folder| RUNS_LATER.map(|name| folder.join(name))).filter(|path| is_real(path)).collect()
}

pub(super) fn subfolders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

pub(super) fn is_dotted(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn is_real(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.file_type().is_symlink())
}
