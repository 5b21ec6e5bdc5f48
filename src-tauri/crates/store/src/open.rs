use crate::fault::Fault;
use crate::liveness::{self, Instance};
use crate::salvage::{self, RecoveryReport};
use crate::store::{Opened, Store};
use crate::{connect, files, migrations};
use namma_core::ports::{Clock, StoreError};
use namma_protocol::{TurnId, UnixMs};
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the store needs from its host.
#[derive(Clone)]
pub struct OpenOptions {
    pub clock: Arc<dyn Clock>,
}

impl OpenOptions {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock }
    }
}

/// The open store and what a person should hear about how it was found.
#[derive(Debug)]
pub struct OpenOutcome {
    pub store: Store,
    /// The file was damaged: what could be saved is open, the rest is in a copy. Must be shown.
    pub recovery: Option<RecoveryReport>,
    /// Turns that were cut off when their program died, now closed.
    pub interrupted: Vec<TurnId>,
}

/// A file up to this size is checked at every start; it takes a few milliseconds.
const ALWAYS_CHECKED_BYTES: u64 = 1 << 20;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Where `pragma user_version` stands in the header, big-endian.
const VERSION_IN_HEADER: std::ops::Range<usize> = 60..64;

impl Store {
    /// Opens the database, creating folder and file when they are missing.
    ///
    /// Fails with [`StoreError::Newer`] before anything is touched, and with
    /// [`StoreError::Damaged`] only when nothing could be done about the damage.
    pub async fn open(path: &Path, options: &OpenOptions) -> Result<OpenOutcome, StoreError> {
        let run = run_folder(path);
        refuse_newer(path, &files::read_header(path)?)?;
        files::ensure_folder(path.parent().unwrap_or(Path::new(".")))?;
        files::ensure_folder(&run)?;
        let door = lock_door(&run, Door::Shared).await?;
        let opening = Opening { path, run: &run, clock: &options.clock };
        match opening.attempt().await? {
            Attempt::Open(outcome) => Ok(*outcome),
            Attempt::NeedsRoom(_) => {
                // New, old or damaged: alone behind the door, look again and do what is needed.
                drop(door);
                let _door = lock_door(&run, Door::Exclusive).await?;
                opening.alone().await
            }
        }
    }
}

/// `run/` beside the database holds the lock files.
pub(crate) fn run_folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new(".")).join("run")
}

/// A time for file names: `20270131T120501Z`.
pub(crate) fn file_stamp(at: UnixMs) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(time) => time.strftime("%Y%m%dT%H%M%SZ").to_string(),
        Err(_) => at.0.to_string(),
    }
}

struct Opening<'a> {
    path: &'a Path,
    run: &'a Path,
    clock: &'a Arc<dyn Clock>,
}

enum Attempt {
    Open(Box<OpenOutcome>),
    /// It must be created, migrated or saved, which nobody else may watch.
    NeedsRoom(Need),
}

enum Need {
    Schema,
    Salvage { cause: String },
}

impl Opening<'_> {
    /// Opens a file that is sound and up to date; changes no schema.
    async fn attempt(&self) -> Result<Attempt, StoreError> {
        let header = files::read_header(self.path)?;
        refuse_newer(self.path, &header)?;
        match header.as_deref() {
            None | Some([]) => return Ok(Attempt::NeedsRoom(Need::Schema)),
            Some(bytes) if bytes.len() < files::HEADER_BYTES || !bytes.starts_with(MAGIC) => {
                return Ok(needs_salvage("the header is not that of a database"));
            }
            Some(_) => {}
        }
        self.refuse_newer_in_journal().await?;
        files::ensure_private_file(self.path)?;
        let neighbours = liveness::neighbours(self.run);
        let mark = Instance::suspicion(self.run);
        let suspicious = !neighbours.dead.is_empty() || mark.exists();
        let instance = Instance::begin(self.run)?;
        match self.connect(instance, suspicious).await {
            Ok(Some(store)) => match settle(&store).await {
                Ok(interrupted) => {
                    for dead in &neighbours.dead {
                        files::remove(dead)?;
                    }
                    files::remove(&mark)?;
                    Ok(Attempt::Open(Box::new(OpenOutcome { store, recovery: None, interrupted })))
                }
                Err(StoreError::Damaged { cause, .. }) => {
                    // Its connections would tidy up the journal of the file that takes its place.
                    store.close().await;
                    Ok(needs_salvage(cause))
                }
                Err(other) => Err(other),
            },
            Ok(None) => Ok(Attempt::NeedsRoom(Need::Schema)),
            Err(fault) if fault.is_damage() => match fault.tell(self.path) {
                StoreError::Damaged { cause, .. } => Ok(needs_salvage(cause)),
                other => Err(other),
            },
            Err(fault) => Err(fault.tell(self.path)),
        }
    }

    /// `None` when the schema is not up to date.
    async fn connect(&self, instance: Instance, suspicious: bool) -> Result<Option<Store>, Fault> {
        let writer = connect::writer_pool(self.path).await?;
        let mut connection = writer.acquire().await?;
        let version = migrations::version(&mut connection).await?;
        if version > migrations::SCHEMA_VERSION {
            return Err(Fault::Told(newer(self.path, version)));
        }
        if version < migrations::SCHEMA_VERSION {
            drop(connection);
            writer.close().await;
            return Ok(None);
        }
        if (suspicious || files::size(self.path) <= ALWAYS_CHECKED_BYTES)
            && let Err(fault) = quick_check(&mut connection, self.path).await
        {
            drop(connection);
            writer.close().await;
            return Err(fault);
        }
        drop(connection);
        let readers = connect::reader_pool(self.path);
        let (path, clock) = (self.path.to_owned(), Arc::clone(self.clock));
        Ok(Some(Store::new(Opened { path, clock, writer, readers, instance })))
    }

    /// Behind the exclusive door: does what is needed, then opens.
    async fn alone(&self) -> Result<OpenOutcome, StoreError> {
        let mut recovery = None;
        // Damage may show only after the schema was made, and the other way round; each happens once.
        for _ in 0..3 {
            match self.attempt().await? {
                Attempt::Open(mut outcome) => {
                    outcome.recovery = recovery;
                    return Ok(*outcome);
                }
                Attempt::NeedsRoom(Need::Schema) => {
                    if let Err(fault) = self.migrate().await {
                        if !fault.is_damage() {
                            return Err(fault.tell(self.path));
                        }
                        recovery = Some(self.salvage(fault.tell(self.path).to_string()).await?);
                    }
                }
                Attempt::NeedsRoom(Need::Salvage { cause }) => recovery = Some(self.salvage(cause).await?),
            }
        }
        Err(StoreError::Damaged {
            path: self.path.display().to_string(),
            cause: "it could not be made whole".to_owned(),
        })
    }

    async fn migrate(&self) -> Result<(), Fault> {
        files::ensure_private_file(self.path)?;
        let mut connection = connect::writer_options(self.path).connect().await?;
        let migrated = migrations::migrate(&mut connection, self.path, self.clock.now()).await;
        connection.close().await?;
        migrated
    }

    async fn salvage(&self, cause: String) -> Result<RecoveryReport, StoreError> {
        if liveness::neighbours(self.run).any_alive {
            let cause = format!("{cause}; close the other Namma Agent programs so that it can be repaired");
            return Err(StoreError::Damaged { path: self.path.display().to_string(), cause });
        }
        let report = salvage::salvage(self.path, &cause, self.clock.now()).await?;
        // What made us suspicious is dealt with.
        files::remove(&Instance::suspicion(self.run))?;
        Ok(report)
    }

    /// A newer program may have left its version in the journal only. A reader does not fold it.
    async fn refuse_newer_in_journal(&self) -> Result<(), StoreError> {
        if files::size(&files::beside(self.path, "-wal")) == 0 {
            return Ok(());
        }
        // Whatever else is wrong will be found by the writer.
        let Ok(mut connection) = connect::reader_options(self.path).connect().await else { return Ok(()) };
        let version = migrations::version(&mut connection).await.unwrap_or(0);
        if let Err(error) = connection.close().await {
            tracing::debug!(%error, "closing the first look failed");
        }
        if version > migrations::SCHEMA_VERSION {
            return Err(newer(self.path, version));
        }
        Ok(())
    }
}

/// The books are closed before anybody looks.
async fn settle(store: &Store) -> Result<Vec<TurnId>, StoreError> {
    let interrupted = store.close_dead_turns().await?;
    store.purge_some().await?;
    Ok(interrupted)
}

fn needs_salvage(cause: impl Into<String>) -> Attempt {
    Attempt::NeedsRoom(Need::Salvage { cause: cause.into() })
}

fn refuse_newer(path: &Path, header: &Option<Vec<u8>>) -> Result<(), StoreError> {
    let Some(header) = header else { return Ok(()) };
    if !header.starts_with(MAGIC) {
        return Ok(());
    }
    let Some(Ok(bytes)) = header.get(VERSION_IN_HEADER).map(<[u8; 4]>::try_from) else { return Ok(()) };
    let version = i64::from(u32::from_be_bytes(bytes));
    if version > migrations::SCHEMA_VERSION {
        return Err(newer(path, version));
    }
    Ok(())
}

fn newer(path: &Path, found: i64) -> StoreError {
    StoreError::Newer { path: path.display().to_string(), found, known: migrations::SCHEMA_VERSION }
}

async fn quick_check(connection: &mut SqliteConnection, path: &Path) -> Result<(), Fault> {
    let first: String = sqlx::query("pragma quick_check(1)").fetch_one(connection).await?.try_get(0)?;
    if first == "ok" {
        return Ok(());
    }
    Err(Fault::Told(StoreError::Damaged { path: path.display().to_string(), cause: first }))
}

#[derive(Clone, Copy)]
enum Door {
    Shared,
    Exclusive,
}

/// Everybody opens behind a shared lock; who changes the schema or saves a damaged file is alone.
async fn lock_door(run: &Path, door: Door) -> Result<File, StoreError> {
    let path = run.join("door");
    let waited = tokio::task::spawn_blocking(move || match door {
        Door::Shared => files::lock_shared(&path),
        Door::Exclusive => files::lock_exclusive(&path),
    });
    waited.await.map_err(|error| StoreError::Failed(error.to_string()))?
}
