//! Opening without ever following a symbolic link.
//!
//! The paths that come here were resolved and shown to a person. A link on the way, or at the
//! end, appeared after that: it is refused, whatever it points to.

use crate::tool::ToolFailure;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, statat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Component, Path};

#[cfg(target_os = "linux")]
const LOOK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK);

/// A folder to work in with the `*at` calls.
pub(super) fn folder(verb: &str, path: &Path) -> Result<OwnedFd, ToolFailure> {
    without_links(path, LOOK | OFlags::DIRECTORY).map_err(|errno| letter(verb, path, errno))
}

/// A folder whose entries can be read.
pub(super) fn folder_to_list(path: &Path) -> Result<OwnedFd, ToolFailure> {
    without_links(path, OFlags::RDONLY | OFlags::DIRECTORY).map_err(|errno| letter("list", path, errno))
}

/// The folder of a path, opened, and the name within it.
pub(super) fn parent<'p>(verb: &str, path: &'p Path) -> Result<(OwnedFd, &'p OsStr), ToolFailure> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok((folder(verb, parent)?, name)),
        _ => {
            Err(ToolFailure::bad_input(format!("could not {verb} `{}`: it is not the name of a file", path.display())))
        }
    }
}

/// An ordinary file, to be read. Devices, pipes and sockets are refused before they are opened,
/// because opening them can wait for ever or do something.
pub(in super::super) fn file_to_read(path: &Path) -> Result<(File, Stat), ToolFailure> {
    let error = |errno| letter("read", path, errno);
    let seen = fstat(without_links(path, LOOK).map_err(error)?).map_err(error)?;
    ordinary("read", path, &seen)?;
    let opened = without_links(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY).map_err(error)?;
    let stat = fstat(&opened).map_err(error)?;
    ordinary("read", path, &stat)?;
    not_about_processes(path, opened.as_fd())?;
    Ok((File::from(opened), stat))
}

/// What is at a path, links not followed; `None` when nothing is.
pub(in super::super) fn look(verb: &str, path: &Path) -> Result<Option<Stat>, ToolFailure> {
    let (folder, name) = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => (without_links(parent, LOOK | OFlags::DIRECTORY), name),
        _ => (without_links(path, LOOK | OFlags::DIRECTORY), OsStr::new(".")),
    };
    let found = folder.and_then(|folder| statat(folder, name, AtFlags::SYMLINK_NOFOLLOW));
    match found {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(letter(verb, path, errno)),
    }
}

/// Refuses everything but an ordinary file.
pub(super) fn ordinary(verb: &str, path: &Path, stat: &Stat) -> Result<(), ToolFailure> {
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Directory => "it is a folder",
        FileType::Symlink => return Err(letter(verb, path, Errno::LOOP)),
        FileType::Fifo => "it is a pipe, not a file",
        FileType::Socket => "it is a socket, not a file",
        FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => "it is a device, not a file",
    };
    Err(ToolFailure::failed(format!("could not {verb} `{}`: {what}", path.display())))
}

/// `/proc` shows the memory, the environment and the open files of other programs, ours included.
#[cfg(target_os = "linux")]
fn not_about_processes(path: &Path, file: rustix::fd::BorrowedFd<'_>) -> Result<(), ToolFailure> {
    let system = rustix::fs::fstatfs(file).map_err(|errno| letter("read", path, errno))?;
    if system.f_type == rustix::fs::PROC_SUPER_MAGIC {
        return Err(ToolFailure::failed(format!(
            "could not read `{}`: files about running programs are not read",
            path.display()
        ))
        .hint("Use system_info for facts about this computer."));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn not_about_processes(_path: &Path, _file: rustix::fd::BorrowedFd<'_>) -> Result<(), ToolFailure> {
    Ok(())
}

fn without_links(path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{ResolveFlags, openat2};
        match openat2(CWD, path, flags | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            // An old kernel, or a container that forbids the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            answer => return answer,
        }
    }
    step_by_step(path, flags)
}

/// The same by hand, one component after the other.
fn step_by_step(path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let careful = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::RootDir => {}
            Component::Normal(name) => names.push(name),
            Component::Prefix(_) | Component::CurDir | Component::ParentDir => return Err(Errno::INVAL),
        }
    }
    let Some((last, folders)) = names.split_last() else { return openat(CWD, "/", flags | careful, Mode::empty()) };
    let mut folder = openat(CWD, "/", LOOK | OFlags::DIRECTORY | careful, Mode::empty())?;
    for name in folders {
        folder = openat(&folder, *name, LOOK | OFlags::DIRECTORY | careful, Mode::empty())?;
    }
    let opened = openat(&folder, *last, flags | careful, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&opened)?.st_mode) == FileType::Symlink {
        return Err(Errno::LOOP);
    }
    Ok(opened)
}

/// What went wrong, as a letter to the model.
pub(super) fn letter(verb: &str, path: &Path, errno: Errno) -> ToolFailure {
    let cause = match errno {
        Errno::NOENT => "there is no such file or folder".into(),
        Errno::EXIST => "it exists already".into(),
        Errno::ACCESS | Errno::PERM => "this account may not do that".into(),
        Errno::LOOP => "there is a symbolic link on the way that was not there when the call was checked".into(),
        Errno::NOTDIR => "a part of the path is not a folder".into(),
        Errno::ISDIR => "it is a folder".into(),
        Errno::NOSPC | Errno::DQUOT => "the disk is full".into(),
        Errno::ROFS => "the disk can only be read".into(),
        Errno::NAMETOOLONG => "the name is too long".into(),
        other => std::io::Error::from(other).to_string(),
    };
    ToolFailure::failed(format!("could not {verb} `{}`: {cause}", path.display()))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]
mod tests {
    use super::*;

    #[test]
    fn opening_step_by_step_refuses_links_too() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::fs::write(root.join("real/file"), "x").unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        std::os::unix::fs::symlink("file", root.join("real/link")).unwrap();

        assert!(step_by_step(&root.join("real/file"), OFlags::RDONLY).is_ok());
        assert!(step_by_step(Path::new("/"), LOOK | OFlags::DIRECTORY).is_ok());
        for path in ["link/file", "real/link", "link", "real/../real/file"] {
            for flags in [LOOK, OFlags::RDONLY] {
                assert!(step_by_step(&root.join(path), flags).is_err(), "{path} {flags:?}");
            }
        }
    }
}
