//! Files and folders, limited to what a call declared.
//!
//! No link is ever followed: the paths were resolved before they were shown, so a link on the way
//! is new and refused. Only ordinary files are opened. A write is whole or did not happen, and
//! nothing is overwritten by a move. A folder that was declared covers what is below it, apart from
//! keys, passwords and our own data: those must be named, for the policy to judge. All work runs on blocking threads with a time limit; when
//! the call is dropped, work that has not changed anything yet changes nothing.

mod open;
mod read;
mod relocate;
mod write;

pub use read::Reading;

pub(super) use self::open::{file_to_read, look};

use super::sandbox::Sandbox;
use crate::tool::{Effects, ToolFailure};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(30);
/// A move to another disk copies.
const MOVE_LIMIT: Duration = Duration::from_secs(600);
/// How long work may take to notice that its time is over.
const GRACE: Duration = Duration::from_secs(2);

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    pub path: PathBuf,
    pub kind: EntryKind,
    pub size_bytes: u64,
    pub modified: Option<namma_protocol::UnixMs>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Link,
    Other,
}

/// The beginning of a file, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBytes {
    pub bytes: Vec<u8>,
    /// There is more than `bytes`.
    pub truncated: bool,
    pub size_bytes: u64,
}

/// What a file held at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(Option<[u8; 32]>);

impl Fingerprint {
    /// There was no file.
    pub const MISSING: Self = Self(None);

    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest;
        Self(Some(sha2::Sha256::digest(bytes).into()))
    }
}

/// Declared files and folders, for reading only.
pub struct FilesToRead<'a> {
    effects: &'a Effects,
    sandbox: &'a Sandbox,
}

impl<'a> FilesToRead<'a> {
    pub(crate) fn new(effects: &'a Effects, sandbox: &'a Sandbox) -> Self {
        Self { effects, sandbox }
    }

    /// The first `max_bytes` of a file.
    ///
    /// # Errors
    /// When the file was not declared, is not an ordinary one, or cannot be read.
    pub async fn read(&self, path: &Path, max_bytes: usize) -> Result<FileBytes, ToolFailure> {
        let path = path.to_owned();
        self.work(TIME_LIMIT, move |reading| reading.read(&path, max_bytes)).await
    }

    /// What a folder holds, in no particular order.
    ///
    /// # Errors
    /// When the folder was not declared or cannot be listed.
    pub async fn list(&self, folder: &Path) -> Result<Vec<DirEntry>, ToolFailure> {
        let folder = folder.to_owned();
        self.work(TIME_LIMIT, move |reading| reading.list(&folder)).await
    }

    /// What is at a path, links not followed; `None` when nothing is.
    ///
    /// # Errors
    /// When the path was not declared or cannot be looked at.
    pub async fn metadata(&self, path: &Path) -> Result<Option<DirEntry>, ToolFailure> {
        let path = path.to_owned();
        self.work(TIME_LIMIT, move |reading| reading.metadata(&path)).await
    }

    /// The fingerprint of a whole file, or that it is missing.
    ///
    /// # Errors
    /// When the file was not declared, is not an ordinary one, or cannot be read.
    pub async fn fingerprint(&self, path: &Path) -> Result<Fingerprint, ToolFailure> {
        let path = path.to_owned();
        self.work(TIME_LIMIT, move |reading| reading.fingerprint(&path)).await
    }

    /// Runs reading work of many steps on a blocking thread. When `limit` is over,
    /// [`Reading::is_over`] says so, and the work has a moment to return what it has.
    ///
    /// # Errors
    /// What the work answers, or that it did not end.
    pub async fn work<R: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Reading) -> Result<R, ToolFailure> + Send + 'static,
    ) -> Result<R, ToolFailure> {
        let (effects, secrets) = (self.effects.clone(), self.sandbox.secrets());
        on_a_thread(limit, move |stop| work(&Reading { effects, secrets, stop })).await
    }
}

/// Declared files and folders.
pub struct Files<'a> {
    effects: &'a Effects,
    sandbox: &'a Sandbox,
}

impl<'a> Files<'a> {
    pub(crate) fn new(effects: &'a Effects, sandbox: &'a Sandbox) -> Self {
        Self { effects, sandbox }
    }

    /// The reading half.
    pub fn reading(&self) -> FilesToRead<'a> {
        FilesToRead::new(self.effects, self.sandbox)
    }

    /// As [`FilesToRead::read`].
    ///
    /// # Errors
    /// As [`FilesToRead::read`].
    pub async fn read(&self, path: &Path, max_bytes: usize) -> Result<FileBytes, ToolFailure> {
        self.reading().read(path, max_bytes).await
    }

    /// As [`FilesToRead::list`].
    ///
    /// # Errors
    /// As [`FilesToRead::list`].
    pub async fn list(&self, folder: &Path) -> Result<Vec<DirEntry>, ToolFailure> {
        self.reading().list(folder).await
    }

    /// As [`FilesToRead::metadata`].
    ///
    /// # Errors
    /// As [`FilesToRead::metadata`].
    pub async fn metadata(&self, path: &Path) -> Result<Option<DirEntry>, ToolFailure> {
        self.reading().metadata(path).await
    }

    /// Creates a file or replaces its whole content, keeping its mode.
    ///
    /// # Errors
    /// When the file was not declared, is not an ordinary one with one name, or cannot be written.
    pub async fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ToolFailure> {
        self.replace(path, None, bytes).await
    }

    /// As [`Files::write`], if the file still is what `expected` says.
    ///
    /// # Errors
    /// As [`Files::write`], and when the file has changed, appeared or gone.
    pub async fn write_if_unchanged(
        &self,
        path: &Path,
        expected: Fingerprint,
        bytes: &[u8],
    ) -> Result<(), ToolFailure> {
        self.replace(path, Some(expected), bytes).await
    }

    async fn replace(&self, path: &Path, expected: Option<Fingerprint>, bytes: &[u8]) -> Result<(), ToolFailure> {
        declared(self.effects.allow_write(path), format_args!("write {}", path.display()))?;
        let (path, bytes) = (path.to_owned(), bytes.to_vec());
        on_a_thread(TIME_LIMIT, move |stop| write::replace(&path, expected, &bytes, &stop)).await
    }

    /// Creates one folder.
    ///
    /// # Errors
    /// When the folder was not declared, exists, or its own folder does not.
    pub async fn create_dir(&self, path: &Path) -> Result<(), ToolFailure> {
        declared(self.effects.allow_write(path), format_args!("create {}", path.display()))?;
        let path = path.to_owned();
        on_a_thread(TIME_LIMIT, move |_| write::create_dir(&path)).await
    }

    /// Moves or renames a file, a folder or a link. Nothing is ever overwritten.
    ///
    /// # Errors
    /// When the move was not declared, the new name is taken, or it does not work; the original
    /// is then where it was.
    pub async fn move_path(&self, from: &Path, to: &Path) -> Result<(), ToolFailure> {
        if !self.effects.allow_move(from, to) {
            return Err(ToolFailure::undeclared(format_args!("move {} to {}", from.display(), to.display())));
        }
        let (from, to) = (from.to_owned(), to.to_owned());
        on_a_thread(MOVE_LIMIT, move |stop| relocate::relocate(&from, &to, &stop)).await
    }

    /// Moves a file, a folder or a link to the trash. Answers where it lies now, where the trash
    /// of this desktop tells.
    ///
    /// # Errors
    /// When the deletion was not declared or there is no trash for this disk.
    pub async fn trash(&self, path: &Path) -> Result<Option<PathBuf>, ToolFailure> {
        declared(self.effects.allow_delete(path, false), format_args!("delete {}", path.display()))?;
        let path = path.to_owned();
        on_a_thread(MOVE_LIMIT, move |stop| relocate::trash(&path, &stop)).await
    }
}

fn declared(allowed: bool, what: std::fmt::Arguments<'_>) -> Result<(), ToolFailure> {
    if allowed { Ok(()) } else { Err(ToolFailure::undeclared(what)) }
}

/// Tells a blocking thread that nobody waits any more.
#[derive(Clone, Default)]
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self, verb: &str, path: &Path) -> Result<(), ToolFailure> {
        if !self.is_set() {
            return Ok(());
        }
        Err(ToolFailure::failed(format!("could not {verb} `{}`: the call was stopped first", path.display())))
    }
}

/// Sets the stop when the waiting future goes away.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

async fn on_a_thread<R: Send + 'static>(
    limit: Duration,
    work: impl FnOnce(Stop) -> Result<R, ToolFailure> + Send + 'static,
) -> Result<R, ToolFailure> {
    let stop = Stop::default();
    let guard = StopOnDrop(stop.clone());
    let mut thread = tokio::task::spawn_blocking(move || work(stop));
    let joined = match tokio::time::timeout(limit, &mut thread).await {
        Ok(joined) => joined,
        Err(_over) => {
            drop(guard);
            match tokio::time::timeout(GRACE, thread).await {
                Ok(joined) => joined,
                Err(_still) => {
                    return Err(ToolFailure::failed(format!("the disk did not answer within {} s", limit.as_secs())));
                }
            }
        }
    };
    joined.unwrap_or_else(|panic| Err(ToolFailure::failed(format!("BUG: work on files ended badly: {panic}"))))
}

#[cfg(test)]
mod tests;
