use crate::connect;
use crate::fault::Fault;
use crate::files;
use crate::liveness::Instance;
use crate::memory::Unsaid;
use crate::migrations;
use namma_core::ports::{Clock, StoreError};
use namma_protocol::{TurnId, UnixMs};
use sqlx::sqlite::{Sqlite, SqlitePool};
use sqlx::{ConnectOptions, Connection, Row};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The open database. Clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    writer: SqlitePool,
    readers: SqlitePool,
    instance: Instance,
    /// Turns of this process whose end could not be written: they run no more.
    given_up: Mutex<HashSet<TurnId>>,
    unsaid: Mutex<Unsaid>,
}

/// What [`Store::open`] puts together.
pub(crate) struct Opened {
    pub(crate) path: PathBuf,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) writer: SqlitePool,
    pub(crate) readers: SqlitePool,
    pub(crate) instance: Instance,
}

pub(crate) type WriteTransaction = sqlx::Transaction<'static, Sqlite>;

impl Store {
    pub(crate) fn new(opened: Opened) -> Self {
        let Opened { path, clock, writer, readers, instance } = opened;
        Self {
            inner: Arc::new(Inner {
                path,
                clock,
                writer,
                readers,
                instance,
                given_up: Mutex::default(),
                unsaid: Mutex::default(),
            }),
        }
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Closes the connections and folds the journal into the file. Without it the journal is
    /// folded at the next start; nothing is lost either way.
    pub async fn close(&self) {
        self.inner.readers.close().await;
        self.inner.writer.close().await;
    }

    /// The full check of the file, slow on a big one. Empty when all is well.
    pub async fn verify(&self) -> Result<Vec<String>, StoreError> {
        let checked = async {
            // A connection of its own: FTS5 checks with the list of segments that the connection's
            // last search left behind, and takes those merged away since then for lost.
            let mut connection = connect::reader_options(&self.inner.path).connect().await?;
            let rows = sqlx::query("pragma integrity_check(50)").fetch_all(&mut connection).await?;
            connection.close().await?;
            let mut problems = Vec::new();
            for row in rows {
                let line: String = row.try_get(0)?;
                if line != "ok" {
                    problems.push(line);
                }
            }
            Ok(problems)
        };
        let checked = match self.explain(checked.await) {
            // So damaged that the check itself could not go on.
            Err(StoreError::Damaged { cause, .. }) => vec![cause],
            checked => checked?,
        };
        if !checked.is_empty() {
            self.suspect();
        }
        Ok(checked)
    }

    /// A sound copy of the database as it is now; others may go on writing. `to` must not exist.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let copied = async {
            let mut connection = self.readers().acquire().await?;
            migrations::copy_into(&mut connection, to).await
        };
        self.explain(copied.await)
    }

    /// Begins a write: waits for the other writers, here and in other processes. Dropped without
    /// a commit it changes nothing.
    ///
    /// The way to the connection's thread and back costs more than most statements, and other
    /// writers wait meanwhile. So statements that belong together go as one text with numbered
    /// parameters. sqlx takes a number that one of them leaves out for a parameter without a name;
    /// leave none out, or only the first of the first.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction, Fault> {
        Ok(self.inner.writer.begin_with("begin immediate").await?)
    }

    pub(crate) fn writer(&self) -> &SqlitePool {
        &self.inner.writer
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.inner.readers
    }

    pub(crate) fn now(&self) -> UnixMs {
        self.inner.clock.now()
    }

    pub(crate) fn instance(&self) -> &str {
        self.inner.instance.id()
    }

    /// Whether the process with this name lives.
    pub(crate) fn is_alive(&self, owner: &str) -> bool {
        self.inner.instance.is_alive(owner)
    }

    /// Whether a turn that has no end yet still runs somewhere.
    pub(crate) fn is_running(&self, turn: &TurnId, owner: &str) -> bool {
        self.is_alive(owner) && !self.given_up().contains(turn)
    }

    pub(crate) fn given_up(&self) -> MutexGuard<'_, HashSet<TurnId>> {
        self.inner.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn unsaid(&self) -> MutexGuard<'_, Unsaid> {
        self.inner.unsaid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a fault in the reader's words; damage is remembered for the next start.
    pub(crate) fn explain<T>(&self, result: Result<T, Fault>) -> Result<T, StoreError> {
        result.map_err(|fault| {
            if fault.is_damage() {
                self.suspect();
            }
            fault.tell(&self.inner.path)
        })
    }

    /// The next start checks the whole file and saves what it can.
    fn suspect(&self) {
        files::mark(&Instance::suspicion(&crate::open::run_folder(&self.inner.path)));
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.inner.path).finish_non_exhaustive()
    }
}
