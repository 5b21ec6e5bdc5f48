//! Moving: by renaming where that works, by copying to another disk, and to the trash.

use super::open::{self, letter};
use super::read::broken;
use super::write::{draft_name, flush, keep, take_free_name};
use super::{Stop, open::look};
use crate::tool::ToolFailure;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps, fstat, futimens, mkdirat, openat, readlinkat,
    statat, symlinkat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Deeper trees than this are not copied: something is wrong with them.
const MAX_DEPTH: usize = 128;

pub(super) fn relocate(from: &Path, to: &Path, stop: &Stop) -> Result<(), ToolFailure> {
    if to != from && to.starts_with(from) {
        return Err(ToolFailure::bad_input(format!("could not move `{}` into itself", from.display())));
    }
    let (from_folder, from_name) = open::parent("move", from)?;
    let (to_folder, to_name) = open::parent("move to", to)?;
    let before =
        statat(&from_folder, from_name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| letter("move", from, errno))?;
    stop.check("move", from)?;
    match take_free_name(&from_folder, from_name, &to_folder, to_name) {
        Ok(()) => {
            flush(&to_folder);
            flush(&from_folder);
            Ok(())
        }
        Err(Errno::XDEV) => {
            let journey = Journey { from, to, stop };
            journey.copy_then_remove(&from_folder, from_name, &to_folder, to_name, &before)
        }
        Err(Errno::EXIST) => {
            Err(letter("move to", to, Errno::EXIST).hint("Nothing is overwritten. Give a name that is free."))
        }
        Err(errno) => Err(letter("move", from, errno)),
    }
}

pub(super) fn trash(path: &Path, stop: &Stop) -> Result<Option<PathBuf>, ToolFailure> {
    if look("delete", path)?.is_none() {
        return Err(letter("delete", path, Errno::NOENT));
    }
    stop.check("delete", path)?;
    trash::delete(path).map_err(|error| {
        ToolFailure::failed(format!("could not move `{}` to the trash: {error}", path.display()))
            .hint("It was left where it is. Tell the person; nothing is deleted for ever.")
    })?;
    Ok(place_in_trash(path))
}

#[cfg(target_os = "linux")]
fn place_in_trash(path: &Path) -> Option<PathBuf> {
    let items = trash::os_limited::list().ok()?;
    let newest = items.into_iter().filter(|item| item.original_path() == path).max_by_key(|item| item.time_deleted)?;
    // The id is the note about it: `…/info/name.trashinfo` beside `…/files/name`.
    let note = PathBuf::from(newest.id);
    Some(note.parent()?.parent()?.join("files").join(note.file_stem()?))
}

#[cfg(not(target_os = "linux"))]
fn place_in_trash(_path: &Path) -> Option<PathBuf> {
    None
}

/// A move to another disk: the copy is complete and in place before the original goes.
pub(super) struct Journey<'p> {
    pub(super) from: &'p Path,
    pub(super) to: &'p Path,
    pub(super) stop: &'p Stop,
}

impl Journey<'_> {
    pub(super) fn copy_then_remove(
        &self,
        from: &OwnedFd,
        name: &OsStr,
        to: &OwnedFd,
        new: &OsStr,
        before: &Stat,
    ) -> Result<(), ToolFailure> {
        let draft = draft_name();
        let copied = self
            .copy(from, name, to, &draft, 0)
            .and_then(|()| self.is_the_same(from, name, before))
            .and_then(|()| take_free_name(to, &draft, to, new).map_err(|errno| letter("move to", self.to, errno)));
        if let Err(failure) = copied {
            // The failure is what matters; a left-over has a name that says what it is.
            let _left_over = remove(to, &draft, 0);
            return Err(failure);
        }
        flush(to);
        remove(from, name, 0).map_err(|errno| {
            ToolFailure::failed(format!(
                "copied `{}` to `{}`, but could not remove all of the original: {}",
                self.from.display(),
                self.to.display(),
                std::io::Error::from(errno)
            ))
        })
    }

    fn copy(&self, from: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr, depth: usize) -> Result<(), ToolFailure> {
        self.stop.check("move", self.from)?;
        let error = |errno| letter("move", self.from, errno);
        let stat = statat(from, name, AtFlags::SYMLINK_NOFOLLOW).map_err(error)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.copy_file(from, name, to, new),
            FileType::Symlink => {
                let target = readlinkat(from, name, Vec::new()).map_err(error)?;
                symlinkat(&target, to, new).map_err(error)
            }
            FileType::Directory if depth < MAX_DEPTH => self.copy_folder(from, name, to, new, depth),
            _ => Err(ToolFailure::failed(format!(
                "could not move `{}` to another disk: `{}` is not an ordinary file or is too deep; nothing was moved",
                self.from.display(),
                name.display()
            ))),
        }
    }

    fn copy_folder(
        &self,
        from: &OwnedFd,
        name: &OsStr,
        to: &OwnedFd,
        new: &OsStr,
        depth: usize,
    ) -> Result<(), ToolFailure> {
        let error = |errno| letter("move", self.from, errno);
        let source = folder_in(from, name).map_err(error)?;
        mkdirat(to, new, Mode::from_raw_mode(0o700)).map_err(error)?;
        let target = folder_in(to, new).map_err(error)?;
        for entry in names(&source).map_err(error)? {
            self.copy(&source, &entry, &target, &entry, depth + 1)?;
        }
        like(&target, &fstat(&source).map_err(error)?).map_err(|e| broken("move", self.from, &e))
    }

    fn copy_file(&self, from: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> Result<(), ToolFailure> {
        let error = |errno| letter("move", self.from, errno);
        let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let source = openat(from, name, OFlags::RDONLY | flags, Mode::empty()).map_err(error)?;
        let stat = fstat(&source).map_err(error)?;
        let target =
            openat(to, new, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | flags, Mode::from_raw_mode(0o600))
                .map_err(error)?;
        let (mut source, mut target) = (File::from(source), File::from(target));
        let mut buffer = vec![0; 1 << 20];
        loop {
            self.stop.check("move", self.from)?;
            let count = source.read(&mut buffer).map_err(|e| broken("move", self.from, &e))?;
            if count == 0 {
                break;
            }
            target.write_all(&buffer[..count]).map_err(|e| broken("move", self.from, &e))?;
        }
        self.same_file(&stat, &fstat(&source).map_err(error)?)?;
        let target = OwnedFd::from(target);
        like(&target, &stat).and_then(|()| Ok(rustix::fs::fsync(&target)?)).map_err(|e| broken("move", self.from, &e))
    }

    fn is_the_same(&self, folder: &OwnedFd, name: &OsStr, before: &Stat) -> Result<(), ToolFailure> {
        let now = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| letter("move", self.from, errno))?;
        self.same_file(before, &now)
    }

    fn same_file(&self, before: &Stat, now: &Stat) -> Result<(), ToolFailure> {
        let facts = |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
        if facts(before) == facts(now) {
            return Ok(());
        }
        Err(ToolFailure::failed(format!(
            "could not move `{}`: it changed while it was copied; nothing was moved",
            self.from.display()
        )))
    }
}

fn like(target: &OwnedFd, stat: &Stat) -> std::io::Result<()> {
    keep(target.as_fd(), stat)?;
    let moment = |seconds, nanos| Timespec { tv_sec: seconds, tv_nsec: nanos };
    let nanos = |n: u64| i64::try_from(n).unwrap_or(0);
    futimens(
        target,
        &Timestamps {
            last_access: moment(stat.st_atime, nanos(stat.st_atime_nsec)),
            last_modification: moment(stat.st_mtime, nanos(stat.st_mtime_nsec)),
        },
    )?;
    Ok(())
}

/// Removes a file, a link or a tree, never through a link.
fn remove(folder: &OwnedFd, name: &OsStr, depth: usize) -> Result<(), Errno> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) if depth < MAX_DEPTH => {}
        answer => return answer,
    }
    let inside = folder_in(folder, name)?;
    for entry in names(&inside)? {
        remove(&inside, &entry, depth + 1)?;
    }
    unlinkat(folder, name, AtFlags::REMOVEDIR)
}

fn folder_in(folder: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(folder, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

fn names(folder: &OwnedFd) -> Result<Vec<OsString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]
mod tests {
    use super::*;

    #[test]
    fn a_move_by_copying_brings_everything_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (from, to) = (root.join("from"), root.join("to"));
        std::fs::create_dir_all(from.join("deep/er")).unwrap();
        std::fs::write(from.join("deep/er/a.txt"), vec![7; 3 << 20]).unwrap();
        std::os::unix::fs::symlink("/etc", from.join("deep/link")).unwrap();

        copy_then_remove(&from, &to).unwrap();

        assert!(!from.exists(), "the original is gone");
        assert_eq!(std::fs::read(to.join("deep/er/a.txt")).unwrap(), vec![7; 3 << 20]);
        assert_eq!(std::fs::read_link(to.join("deep/link")).unwrap(), Path::new("/etc"), "links stay links");
        assert!(Path::new("/etc").exists(), "nothing behind a link is touched");
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn a_move_by_copying_that_fails_leaves_the_original() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (from, to) = (root.join("from"), root.join("to"));
        std::fs::create_dir(&from).unwrap();
        std::fs::write(from.join("a"), "a").unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, from.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();

        assert!(copy_then_remove(&from, &to).is_err());

        assert_eq!(std::fs::read(from.join("a")).unwrap(), b"a");
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1, "neither a copy nor a draft is left");
    }

    fn copy_then_remove(from: &Path, to: &Path) -> Result<(), ToolFailure> {
        let (from_folder, from_name) = open::parent("move", from)?;
        let (to_folder, to_name) = open::parent("move", to)?;
        let before = statat(&from_folder, from_name, AtFlags::SYMLINK_NOFOLLOW).unwrap();
        let journey = Journey { from, to, stop: &Stop::default() };
        journey.copy_then_remove(&from_folder, from_name, &to_folder, to_name, &before)
    }
}
