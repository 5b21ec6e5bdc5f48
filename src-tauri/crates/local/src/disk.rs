//! The few things that are done to files here, all of them below our own folder of models.

#![allow(clippy::disallowed_methods, reason = "the one place that changes the folder of models")]

use crate::error::LocalError;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Makes a folder that only its owner can read.
pub(crate) fn make_folder(folder: &Path) -> Result<(), LocalError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| LocalError::disk("make the folder", folder, &error))
}

/// Replaces a small file as a whole.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), LocalError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(".models.").tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| LocalError::disk("write", path, &error))
}

/// Opens a file to be held as a lock; what it holds does not count.
pub(crate) fn lock_file(path: &Path) -> Result<File, LocalError> {
    let opened = File::options().create(true).truncate(false).write(true).open(path);
    opened.map_err(|error| LocalError::disk("write", path, &error))
}

/// Opens a download to add to it, or a new one.
pub(crate) fn open_part(path: &Path, from: u64) -> Result<File, LocalError> {
    let open = || -> io::Result<File> {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        file.set_len(from)?;
        io::Seek::seek(&mut &file, io::SeekFrom::Start(from))?;
        Ok(file)
    };
    open().map_err(|error| LocalError::disk("write", path, &error))
}

/// Gives a whole download its name.
pub(crate) fn settle(part: &Path, path: &Path) -> Result<(), LocalError> {
    let settle = || -> io::Result<()> {
        File::open(part)?.sync_all()?;
        std::fs::rename(part, path)
    };
    settle().map_err(|error| LocalError::disk("write", path, &error))
}

/// Deletes a file; one that is gone already is as good.
pub(crate) fn delete(path: &Path) -> Result<(), LocalError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(LocalError::disk("delete", path, &error)),
        _ => Ok(()),
    }
}

/// The size of a file, if there is one.
pub(crate) fn size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|facts| facts.len())
}

/// What is free where the folder is; `None` when the system does not say.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let facts = rustix::fs::statvfs(folder).ok()?;
    Some(facts.f_bavail.saturating_mul(facts.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// The checksum of a file, as far as `most` bytes. Blocks for some seconds.
pub(crate) fn digest(path: &Path, most: u64) -> Result<sha2::Sha256, LocalError> {
    let read = || -> io::Result<sha2::Sha256> {
        let mut sum = <sha2::Sha256 as sha2::Digest>::new();
        io::copy(&mut File::open(path)?.take(most), &mut sum)?;
        Ok(sum)
    };
    read().map_err(|error| LocalError::disk("read", path, &error))
}
