//! Where things are: the clone, the cache outside of it, and the folder cargo builds in.
//!
//! Cargo tells path crates apart by their place *inside* the workspace and by file times, so two
//! clones that share a build folder can be served each other's code. Therefore a build folder
//! belongs to one clone at a time: a marker names it, and a folder whose owner is gone is taken
//! over together with all registry crates in it, after the clone's files were made newer.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};

const MARKER: &str = ".namma-workspace";

pub(crate) struct Places {
    /// The top folder of the clone.
    pub(crate) root: PathBuf,
    /// Downloads, stamps and peers; shared by all clones.
    pub(crate) cache: PathBuf,
    /// `CARGO_TARGET_DIR` of everything that is started from here.
    pub(crate) target: PathBuf,
}

impl Places {
    pub(crate) fn find() -> Result<Self> {
        // Read at run time: the compiled-in value may be another clone's.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").context("start this with `cargo xtask`")?;
        let root = Path::new(&manifest).ancestors().nth(3).context("could not find the top of the clone")?.to_owned();
        let cache = find_cache()?;
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(chosen) => {
                let chosen = root.join(chosen);
                if owner(&chosen).is_none() {
                    mark(&chosen, &root)?;
                }
                chosen
            }
            None => claim_target(&cache, &root)?,
        };
        Ok(Self { root, cache, target })
    }

    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    pub(crate) fn harness(&self, file: &str) -> PathBuf {
        self.root.join("tests/harness").join(file)
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.target.join("xtask-logs").join(format!("{name}.log"))
    }

    pub(crate) fn binary(&self, profile: &str, name: &str) -> PathBuf {
        self.target.join(profile).join(name)
    }

    /// The content of this clone's stamp; equal content means that a step needs no repetition.
    pub(crate) fn stamp(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.stamp_file(name)).ok()
    }

    pub(crate) fn write_stamp(&self, name: &str, content: &str) -> Result<()> {
        write_whole(&self.stamp_file(name), content)
    }

    fn stamp_file(&self, name: &str) -> PathBuf {
        self.cache.join("stamps").join(format!("{:016x}-{name}", fingerprint(&self.root)))
    }
}

pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|answer| answer.stdout == b"0\n")
}

pub(crate) fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// All files below `folder` in a fixed order, without `node_modules`, `dist` and dot-folders.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let skipped = name == "node_modules" || name == "dist" || name == "test-results";
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !skipped && !name.as_encoded_bytes().starts_with(b".") => {
                    folders.push(entry.path());
                }
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn find_cache() -> Result<PathBuf> {
    if let Some(chosen) = env::var_os("NAMMA_CACHE") {
        let chosen = env::current_dir()?.join(chosen);
        fs::create_dir_all(&chosen).with_context(|| format!("could not create `{}`", chosen.display()))?;
        return Ok(chosen);
    }
    let shared = Path::new("/var/cache/namma");
    if is_root() && fs::create_dir_all(shared).is_ok() {
        return Ok(shared.to_owned());
    }
    let home = env::var_os("HOME").context("HOME is not set; set NAMMA_CACHE to a folder for downloads and builds")?;
    let own = Path::new(&home).join(".cache/namma");
    fs::create_dir_all(&own).with_context(|| format!("could not create `{}`", own.display()))?;
    Ok(own)
}

fn claim_target(cache: &Path, root: &Path) -> Result<PathBuf> {
    let shared = cache.join("target");
    let own = cache.join(format!("target-{:016x}", fingerprint(root)));
    if own.is_dir() {
        return Ok(own);
    }
    let chosen = match owner(&shared) {
        Some(other) if other == root => return Ok(shared),
        Some(other) if other.is_dir() => own,
        Some(_) | None => shared,
    };
    let has_old_builds = chosen.is_dir();
    mark(&chosen, root)?;
    if has_old_builds {
        make_newer(root)?;
    }
    remove_orphans(cache)?;
    Ok(chosen)
}

fn owner(target: &Path) -> Option<PathBuf> {
    fs::read_to_string(target.join(MARKER)).ok().map(|text| PathBuf::from(text.trim_end()))
}

fn mark(target: &Path, root: &Path) -> Result<()> {
    write_whole(&target.join(MARKER), &format!("{}\n", root.display()))
}

fn make_newer(root: &Path) -> Result<()> {
    let now = SystemTime::now();
    for folder in ["src-tauri", "tests", "config", "skills"] {
        for file in files_below(&root.join(folder)) {
            fs::File::options()
                .append(true)
                .open(&file)
                .and_then(|open| open.set_modified(now))
                .with_context(|| format!("could not touch `{}`", file.display()))?;
        }
    }
    Ok(())
}

/// Build folders of clones that no longer exist would fill the disk.
fn remove_orphans(cache: &Path) -> Result<()> {
    for entry in fs::read_dir(cache)?.flatten() {
        let is_own_kind = entry.file_name().as_encoded_bytes().starts_with(b"target-");
        if is_own_kind && owner(&entry.path()).is_some_and(|owner| !owner.is_dir()) {
            fs::remove_dir_all(entry.path())
                .with_context(|| format!("could not remove `{}`", entry.path().display()))?;
        }
    }
    Ok(())
}

fn write_whole(path: &Path, content: &str) -> Result<()> {
    let folder = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("could not create `{}`", folder.display()))?;
    fs::write(path, content).with_context(|| format!("could not write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_living_clone_keeps_its_build_folder() {
        let cache = scratch("living");
        let first = cache.join("clone-1");
        let second = cache.join("clone-2");
        fs::create_dir_all(&first).unwrap();
        fs::create_dir_all(&second).unwrap();

        assert_eq!(claim_target(&cache, &first).unwrap(), cache.join("target"));
        assert_ne!(claim_target(&cache, &second).unwrap(), cache.join("target"));
        assert_eq!(claim_target(&cache, &first).unwrap(), cache.join("target"));
        fs::remove_dir_all(&cache).unwrap();
    }

    #[test]
    fn the_build_folder_of_a_deleted_clone_is_taken_over() {
        let cache = scratch("deleted");
        let second = cache.join("clone-2");
        fs::create_dir_all(second.join("src-tauri")).unwrap();
        fs::write(second.join("src-tauri/old.rs"), "").unwrap();
        let old = SystemTime::UNIX_EPOCH;
        fs::File::options().append(true).open(second.join("src-tauri/old.rs")).unwrap().set_modified(old).unwrap();
        mark(&cache.join("target"), &cache.join("gone")).unwrap();

        assert_eq!(claim_target(&cache, &second).unwrap(), cache.join("target"));
        let touched = fs::metadata(second.join("src-tauri/old.rs")).unwrap().modified().unwrap();
        assert!(touched > old, "cargo must see the new clone's files as newer than the old build");
        fs::remove_dir_all(&cache).unwrap();
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("namma-xtask-{name}-{}", std::process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        folder
    }
}
