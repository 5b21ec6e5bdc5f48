//! Reading, on a thread that may wait for the disk.

use super::open;
use super::{DirEntry, EntryKind, FileBytes, Fingerprint, Stop};
use crate::gate::secrets::Secrets;
use crate::tool::{Effects, ToolFailure};
use namma_protocol::{Effect, UnixMs};
use rustix::fs::{AtFlags, Dir, FileType, Stat, statat};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// More entries than this in one folder are not listed.
const MAX_ENTRIES: usize = 200_000;

/// Declared files and folders, for work that runs on a blocking thread.
pub struct Reading {
    pub(super) effects: Effects,
    pub(super) secrets: Secrets,
    pub(super) stop: Stop,
}

impl Reading {
    /// The call was stopped or is out of time: end with what there is.
    pub fn is_over(&self) -> bool {
        self.stop.is_set()
    }

    /// An ordinary file, opened for reading.
    ///
    /// # Errors
    /// When the file was not declared, is not an ordinary one, or cannot be opened.
    pub fn open(&self, path: &Path) -> Result<File, ToolFailure> {
        self.declared("read", path)?;
        Ok(open::file_to_read(path)?.0)
    }

    /// The first `max_bytes` of a file.
    ///
    /// # Errors
    /// As [`Reading::open`].
    pub fn read(&self, path: &Path, max_bytes: usize) -> Result<FileBytes, ToolFailure> {
        self.declared("read", path)?;
        let (file, stat) = open::file_to_read(path)?;
        let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| broken("read", path, &error))?;
        let truncated = bytes.len() > max_bytes;
        bytes.truncate(max_bytes);
        Ok(FileBytes { bytes, truncated, size_bytes: size(&stat) })
    }

    /// What a folder holds, in no particular order.
    ///
    /// # Errors
    /// When the folder was not declared or cannot be listed.
    pub fn list(&self, folder: &Path) -> Result<Vec<DirEntry>, ToolFailure> {
        self.declared("list", folder)?;
        let opened = open::folder_to_list(folder)?;
        let error = |errno| open::letter("list", folder, errno);
        let mut entries = Vec::new();
        for entry in Dir::read_from(&opened).map_err(error)? {
            let entry = entry.map_err(error)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            // An entry that went away in between is not an entry.
            let Ok(stat) = statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if entries.len() == MAX_ENTRIES || self.is_over() {
                return Err(ToolFailure::failed(format!(
                    "could not list `{}`: it holds more than can be listed in one go",
                    folder.display()
                ))
                .hint("Use run_shell with a command that counts or filters."));
            }
            entries.push(facts(&folder.join(name), &stat));
        }
        Ok(entries)
    }

    /// What is at a path, links not followed; `None` when nothing is.
    ///
    /// # Errors
    /// When the path was not declared or cannot be looked at.
    pub fn metadata(&self, path: &Path) -> Result<Option<DirEntry>, ToolFailure> {
        self.declared("look at", path)?;
        Ok(open::look("look at", path)?.map(|stat| facts(path, &stat)))
    }

    /// The fingerprint of a whole file, or that it is missing.
    ///
    /// # Errors
    /// As [`Reading::open`], but a missing file is an answer.
    pub fn fingerprint(&self, path: &Path) -> Result<Fingerprint, ToolFailure> {
        if self.metadata(path)?.is_none() {
            return Ok(Fingerprint::MISSING);
        }
        fingerprint(path, self.open(path)?)
    }

    fn declared(&self, verb: &str, path: &Path) -> Result<(), ToolFailure> {
        if !self.effects.allow_read(path) {
            return Err(ToolFailure::undeclared(format_args!("{verb} {}", path.display())));
        }
        if !is_named(&self.effects, path) && self.secrets.hold(path) {
            return Err(ToolFailure::failed(format!(
                "could not {verb} `{}`: it may hold keys or passwords",
                path.display()
            ))
            .hint("If it is needed, name it alone."));
        }
        if self.is_over() {
            return Err(ToolFailure::failed(format!("could not {verb} `{}`: the call was stopped", path.display())));
        }
        Ok(())
    }
}

/// Was this very path declared, not just a folder above it?
fn is_named(effects: &Effects, path: &Path) -> bool {
    effects.as_slice().iter().any(|effect| match effect {
        Effect::ReadFile { path: named }
        | Effect::WriteFile { path: named }
        | Effect::DeleteFile { path: named, .. } => path == Path::new(named),
        Effect::MoveFile { from, to } => path == Path::new(from) || path == Path::new(to),
        Effect::RunCommand { .. } | Effect::Network { .. } | Effect::ReadSystem { .. } | Effect::Opaque { .. } => false,
        Effect::OpenFile { .. } | Effect::OpenAddress { .. } | Effect::OpenApp { .. } => false,
        Effect::Remember { .. } | Effect::Forget { .. } => false,
    })
}

pub(super) fn fingerprint(path: &Path, mut file: File) -> Result<Fingerprint, ToolFailure> {
    let mut digest = Sha256::new();
    std::io::copy(&mut file, &mut digest).map_err(|error| broken("read", path, &error))?;
    Ok(Fingerprint(Some(digest.finalize().into())))
}

pub(super) fn broken(verb: &str, path: &Path, error: &std::io::Error) -> ToolFailure {
    match rustix::io::Errno::from_io_error(error) {
        Some(errno) => open::letter(verb, path, errno),
        None => ToolFailure::failed(format!("could not {verb} `{}`: {error}", path.display())),
    }
}

fn facts(path: &Path, stat: &Stat) -> DirEntry {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        FileType::Fifo | FileType::Socket | FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => {
            EntryKind::Other
        }
    };
    DirEntry { path: path.to_owned(), kind, size_bytes: size(stat), modified: modified(stat) }
}

fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

fn modified(stat: &Stat) -> Option<UnixMs> {
    let nanos = i64::try_from(stat.st_mtime_nsec).ok()?;
    stat.st_mtime.checked_mul(1000)?.checked_add(nanos / 1_000_000).map(UnixMs)
}
