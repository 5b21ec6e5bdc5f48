use sqlx::pool::PoolOptions;
use sqlx::sqlite::{Sqlite, SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::Path;
use std::time::Duration;

/// Readers beside the one writer. Each is a thread with a cache of its own.
const READERS: u32 = 3;

/// Another process holds the write lock for milliseconds; five seconds mean that it hangs.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A checkpoint (passive, by the commit that crosses the mark) costs two flushes, so it comes
/// once in some hundred turns. Pages of 4 KiB.
const CHECKPOINT_PAGES: &str = "2000";

/// What the `-wal` file is cut to after a checkpoint: twice the mark.
const JOURNAL_LIMIT_BYTES: &str = "16777216";

/// `synchronous = NORMAL`: with WAL a committed transaction lives in the page cache of the system,
/// so it survives the death of the process at any instant, `kill -9` included, and the file is
/// sound after a power cut. A power cut may undo the last moments before it. `FULL` would close
/// that gap with a flush for each message, 5 to 30 ms on a laptop's disk, more than the whole
/// budget of a turn.
fn common(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Normal)
        .statement_cache_capacity(64)
        .disable_statement_logging()
}

pub(crate) fn writer_options(path: &Path) -> SqliteConnectOptions {
    common(path)
        .create_if_missing(false)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        .pragma("journal_size_limit", JOURNAL_LIMIT_BYTES)
        // Deleted chats do not linger in the free parts of pages that are written anyway.
        .pragma("secure_delete", "fast")
}

pub(crate) fn reader_options(path: &Path) -> SqliteConnectOptions {
    common(path).read_only(true)
}

/// The one writer of this process.
pub(crate) async fn writer_pool(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    quiet_pool(1).connect_with(writer_options(path)).await
}

/// Readers are opened when they are first needed.
pub(crate) fn reader_pool(path: &Path) -> SqlitePool {
    quiet_pool(READERS).connect_lazy_with(reader_options(path))
}

fn quiet_pool(size: u32) -> PoolOptions<Sqlite> {
    PoolOptions::new()
        .max_connections(size)
        .min_connections(0)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_release(|connection, _| Box::pin(is_usable(connection)))
}

/// SQLite ends a transaction by itself when the disk is full. sqlx goes on counting it, and such a
/// connection would refuse every transaction from then on.
async fn is_usable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        // Only waits until the rollback of a dropped transaction is done.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

#[cfg(test)]
mod tests {
    use super::{writer_options, writer_pool};
    use sqlx::ConnectOptions;

    #[tokio::test]
    async fn a_write_that_found_no_room_does_not_spoil_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.db");
        let mut made = writer_options(&path).create_if_missing(true).connect().await.unwrap();
        sqlx::raw_sql("create table notes (text text) strict").execute(&mut made).await.unwrap();
        let pool = writer_pool(&path).await.unwrap();
        sqlx::raw_sql("pragma max_page_count = 8").execute(&pool).await.unwrap();
        let mut transaction = pool.begin_with("begin immediate").await.unwrap();
        let insert = "insert into notes values (hex(zeroblob(100000)))";
        let error = sqlx::raw_sql(insert).execute(&mut *transaction).await.unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        drop(transaction);
        for _ in 0..2 {
            let mut transaction = pool.begin_with("begin immediate").await.unwrap();
            sqlx::raw_sql(insert).execute(&mut *transaction).await.unwrap();
            transaction.commit().await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_dropped_transaction_leaves_its_connection_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.db");
        writer_options(&path).create_if_missing(true).connect().await.unwrap();
        let pool = writer_pool(&path).await.unwrap();
        sqlx::raw_sql("create temp table mark (x) ").execute(&pool).await.unwrap();
        drop(pool.begin_with("begin immediate").await.unwrap());
        sqlx::raw_sql("select x from mark").execute(&pool).await.unwrap();
    }
}
