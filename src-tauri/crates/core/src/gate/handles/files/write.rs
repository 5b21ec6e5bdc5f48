//! Whole writes: a new file beside the old one, flushed, then put in its place.

use super::open::{self, letter, ordinary};
use super::read::{broken, fingerprint};
use super::{Fingerprint, Stop};
use crate::tool::ToolFailure;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, Stat, fchmod, fchown, fsync, mkdirat, openat, renameat, renameat_with, statat,
    unlinkat,
};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::Path;

const EVERYBODY: u32 = 0o666;
const OWNER_ONLY: u32 = 0o600;

pub(super) fn create_dir(path: &Path) -> Result<(), ToolFailure> {
    let (folder, name) = open::parent("create", path)?;
    mkdirat(&folder, name, Mode::from_raw_mode(0o777)).map_err(|errno| letter("create", path, errno))
}

pub(super) fn replace(
    path: &Path,
    expected: Option<Fingerprint>,
    bytes: &[u8],
    stop: &Stop,
) -> Result<(), ToolFailure> {
    let (folder, name) = open::parent("write", path)?;
    let before = target(&folder, name, path)?;
    let draft = Draft::create(&folder, path, before.as_ref())?;
    draft.fill(bytes, before.as_ref()).map_err(|error| broken("write", path, &error))?;
    if let Some(expected) = expected {
        unchanged(&folder, name, path, expected)?;
    }
    stop.check("write", path)?;
    // A file that must not be there yet is not replaced even when it appears in this instant.
    let is_new = expected == Some(Fingerprint::MISSING);
    if is_new {
        take_free_name(&folder, &draft.name, &folder, name)
    } else {
        renameat(&folder, &draft.name, &folder, name)
    }
    .map_err(|errno| if is_new && errno == Errno::EXIST { changed(path) } else { letter("write", path, errno) })?;
    flush(&folder);
    Ok(())
}

/// What is there now: nothing, or an ordinary file with one name.
fn target(folder: &OwnedFd, name: &OsStr, path: &Path) -> Result<Option<Stat>, ToolFailure> {
    let stat = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(letter("write", path, errno)),
    };
    ordinary("write", path, &stat)?;
    if stat.st_nlink > 1 {
        return Err(ToolFailure::failed(format!(
            "could not write `{}`: the same file has {} names (hard links), and the others cannot be seen from here",
            path.display(),
            stat.st_nlink
        ))
        .hint("Write to a new name, or tell the person."));
    }
    Ok(Some(stat))
}

fn unchanged(folder: &OwnedFd, name: &OsStr, path: &Path, expected: Fingerprint) -> Result<(), ToolFailure> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let now = match openat(folder, name, flags, Mode::empty()) {
        Ok(file) => fingerprint(path, File::from(file))?,
        Err(Errno::NOENT) => Fingerprint::MISSING,
        Err(errno) => return Err(letter("write", path, errno)),
    };
    if now == expected { Ok(()) } else { Err(changed(path)) }
}

fn changed(path: &Path) -> ToolFailure {
    ToolFailure::failed(format!("could not write `{}`: it has changed in the meantime", path.display()))
        .hint("Read it again and repeat the change.")
}

/// Renames to a name that must be free; where the file system cannot do that in one step, a link
/// made first does it for files.
pub(super) fn take_free_name(from: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> Result<(), Errno> {
    match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        answer => return answer,
    }
    match rustix::fs::linkat(from, name, to, new, AtFlags::empty()) {
        Ok(()) => unlinkat(from, name, AtFlags::empty()),
        // A folder, or a file system without hard links.
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => {
            match statat(to, new, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(_) => Err(Errno::EXIST),
                Err(Errno::NOENT) => renameat(from, name, to, new),
                Err(errno) => Err(errno),
            }
        }
        Err(errno) => Err(errno),
    }
}

/// Makes a change of names survive a power cut, as far as the file system can.
pub(super) fn flush(folder: &OwnedFd) {
    if let Ok(opened) = openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        // The content is safe already; not every file system can flush a folder.
        let _unsupported = fsync(opened);
    }
}

/// A file under a temporary name, which goes away unless it was renamed.
struct Draft<'f> {
    folder: &'f OwnedFd,
    name: OsString,
    file: File,
}

impl<'f> Draft<'f> {
    fn create(folder: &'f OwnedFd, path: &Path, before: Option<&Stat>) -> Result<Self, ToolFailure> {
        let name = draft_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // What replaces a private file is never readable by others, not even for a moment.
        let mode = if before.is_some() { OWNER_ONLY } else { EVERYBODY };
        let file =
            openat(folder, &name, flags, Mode::from_raw_mode(mode)).map_err(|errno| letter("write", path, errno))?;
        Ok(Self { folder, name, file: File::from(file) })
    }

    fn fill(&self, bytes: &[u8], before: Option<&Stat>) -> std::io::Result<()> {
        (&self.file).write_all(bytes)?;
        if let Some(before) = before {
            keep(self.file.as_fd(), before)?;
        }
        self.file.sync_all()
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // After the rename there is nothing under this name any more.
        let _gone = unlinkat(self.folder, &self.name, AtFlags::empty());
    }
}

/// Gives `file` the mode of `before`, and its owner where this account may.
pub(super) fn keep(file: rustix::fd::BorrowedFd<'_>, before: &Stat) -> std::io::Result<()> {
    use rustix::fs::{Gid, Uid};
    let now = rustix::fs::fstat(file)?;
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid) {
        // Only root may give files away; for others the writer becomes the owner, as in an editor.
        let _not_root = fchown(file, Some(Uid::from_raw(before.st_uid)), Some(Gid::from_raw(before.st_gid)));
    }
    fchmod(file, Mode::from_raw_mode(before.st_mode & 0o7777))?;
    Ok(())
}

pub(super) fn draft_name() -> OsString {
    format!(".namma-{}.tmp", uuid::Uuid::new_v4().simple()).into()
}
