use crate::files;
use namma_core::ports::StoreError;
use std::fs::File;
use std::path::{Path, PathBuf};

/// This process's sign of life: `run/<instance>.lock` beside the database, locked as long as the
/// store is open. A turn belongs to an instance; when nobody holds the lock, the turn is over.
#[derive(Debug)]
pub(crate) struct Instance {
    id: String,
    folder: PathBuf,
    _lock: File,
}

impl Instance {
    pub(crate) fn begin(folder: &Path) -> Result<Self, StoreError> {
        files::ensure_folder(folder)?;
        let id = format!("run_{}", uuid::Uuid::new_v4().simple());
        let lock = files::create_locked(&lock_path(folder, &id))?;
        Ok(Self { id, folder: folder.to_owned(), _lock: lock })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether the process that owns this name is alive.
    pub(crate) fn is_alive(&self, owner: &str) -> bool {
        owner == self.id || files::is_locked(&lock_path(&self.folder, owner))
    }

    /// Where a living process leaves the mark that the file must be checked at the next start.
    pub(crate) fn suspicion(folder: &Path) -> PathBuf {
        folder.join("check")
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Err(error) = files::remove(&lock_path(&self.folder, &self.id)) {
            tracing::warn!(%error, "could not remove the lock file");
        }
    }
}

fn lock_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.lock"))
}

/// The processes that left their lock file behind, and whether any process is alive.
pub(crate) struct Neighbours {
    pub(crate) dead: Vec<PathBuf>,
    pub(crate) any_alive: bool,
}

pub(crate) fn neighbours(folder: &Path) -> Neighbours {
    let (alive, dead): (Vec<_>, Vec<_>) =
        files::list(folder, "run_", ".lock").into_iter().partition(|path| files::is_locked(path));
    Neighbours { dead, any_alive: !alive.is_empty() }
}
