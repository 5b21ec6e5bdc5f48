//! The store's own files: the database, its copies and the lock files beside it. The only module
//! of this crate that touches the file system; it never touches a file of the person.
#![allow(clippy::disallowed_methods, reason = "the store's own files, never on behalf of the model")]

use crate::fault::unwritable;
use namma_core::ports::StoreError;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The fixed part at the start of an SQLite file.
pub(crate) const HEADER_BYTES: usize = 100;

/// `namma.db` and `-wal` give `namma.db-wal`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Creates the folder with mode 0700. A folder that exists keeps its mode: it may not be ours.
pub(crate) fn ensure_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| unwritable(folder, &error))
}

/// Creates the file empty with mode 0600 when it is missing, and takes the rights of others away.
/// SQLite gives its `-wal` and `-shm` files the mode of the database.
pub(crate) fn ensure_private_file(path: &Path) -> Result<(), StoreError> {
    let opened = private_options().create(true).truncate(false).open(path);
    opened.and_then(|file| make_private(&file)).map_err(|error| unwritable(path, &error))
}

fn private_options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(unix)]
fn make_private(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_file: &File) -> std::io::Result<()> {
    // The folder of a user is private by its access list.
    Ok(())
}

/// The first bytes of the file, as many as there are; `None` when there is no file.
pub(crate) fn read_header(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unwritable(path, &error)),
    };
    let mut header = Vec::with_capacity(HEADER_BYTES);
    file.take(HEADER_BYTES as u64).read_to_end(&mut header).map_err(|error| unwritable(path, &error))?;
    Ok(Some(header))
}

/// The whole file, for the small ones.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    std::fs::read(path).map_err(|error| unwritable(path, &error))
}

/// Replaces bytes in the middle of a file.
pub(crate) fn write_at(path: &Path, at: u64, bytes: &[u8]) -> Result<(), StoreError> {
    let written = File::options().write(true).open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    });
    written.map_err(|error| unwritable(path, &error))
}

/// Zero when there is no such file.
pub(crate) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map(|metadata| metadata.len()).unwrap_or(0)
}

/// Copies a file byte by byte, private like the original. A missing source is no error.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    match std::fs::copy(from, to) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(to, &error)),
    }
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    std::fs::rename(from, to).map_err(|error| unwritable(to, &error))
}

/// A missing file is no error.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(path, &error)),
    }
}

/// The files of a folder whose name begins and ends so, in order of their names.
pub(crate) fn list(folder: &Path, prefix: &str, suffix: &str) -> Vec<PathBuf> {
    // A folder that cannot be listed has no files that we could use.
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(prefix) && name.ends_with(suffix)
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// Creates a file that this process holds locked, and only then gives it its name: nobody ever
/// sees it unlocked while we live.
pub(crate) fn create_locked(path: &Path) -> Result<File, StoreError> {
    let unnamed = beside(path, ".new");
    let created = private_options().create_new(true).open(&unnamed).and_then(|file| {
        file.lock()?;
        std::fs::rename(&unnamed, path)?;
        Ok(file)
    });
    created.map_err(|error| unwritable(path, &error))
}

/// Whether another open file holds the lock of this one. The system drops the lock with the
/// process, also after `kill -9`.
pub(crate) fn is_locked(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    match file.try_lock_shared() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(error)) => {
            // Not knowing, we leave the other's turn alone.
            tracing::warn!(%error, "could not tell whether another process lives");
            true
        }
    }
}

/// Waits until this process alone holds the lock of the file; it ends when the file is dropped.
pub(crate) fn lock_exclusive(path: &Path) -> Result<File, StoreError> {
    lock_with(path, File::lock)
}

/// Waits until nobody holds the lock of the file alone.
pub(crate) fn lock_shared(path: &Path) -> Result<File, StoreError> {
    lock_with(path, File::lock_shared)
}

fn lock_with(path: &Path, lock: fn(&File) -> std::io::Result<()>) -> Result<File, StoreError> {
    let locked = private_options().create(true).truncate(false).open(path).and_then(|file| {
        lock(&file)?;
        Ok(file)
    });
    locked.map_err(|error| unwritable(path, &error))
}

/// Leaves an empty file as a mark.
pub(crate) fn mark(path: &Path) {
    if let Err(error) = private_options().create(true).truncate(false).open(path) {
        tracing::warn!(%error, "could not leave a mark beside the database");
    }
}
