//! The rules of the house that a machine can keep.

mod dependencies;
mod documents;
mod files;
mod layers;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the clone.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every file that is under version control or would be, as written from the top.
fn our_files() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut files: Vec<String> = listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    // A file that was deleted and not committed yet is still listed.
    files.retain(|name| root().join(name).is_file());
    files
}

fn read(name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(root().join(name)).unwrap()).into_owned()
}
