//! The schema, forward only.
//!
//! To change it: a new file in `migrations/` and a line in [`MIGRATIONS`]. A released file is
//! never edited; its checksum in the database would tell.

use crate::fault::{Fault, failed};
use crate::{files, open};
use namma_core::ports::StoreError;
use namma_protocol::UnixMs;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};
use std::path::Path;

pub(crate) struct Migration {
    pub(crate) version: i64,
    pub(crate) sql: &'static str,
}

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: include_str!("../migrations/0001_first.sql") },
    Migration { version: 2, sql: include_str!("../migrations/0002_brains.sql") },
    Migration { version: 3, sql: include_str!("../migrations/0003_books.sql") },
    Migration { version: 4, sql: include_str!("../migrations/0004_memory.sql") },
];

/// The newest schema this program knows.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Copies of the database from before a migration, newest kept.
const BACKUPS_KEPT: usize = 3;

/// `pragma user_version` repeats the version, so that it can be told from the file's header.
pub(crate) async fn version(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query("pragma user_version").fetch_one(connection).await?.try_get(0)
}

/// Brings the schema up to date, all of it or nothing. The caller holds the exclusive lock of the
/// folder, so that two programs do not do this at once; the transaction guards against programs
/// without that lock.
pub(crate) async fn migrate(connection: &mut SqliteConnection, path: &Path, now: UnixMs) -> Result<(), Fault> {
    migrate_by(MIGRATIONS, connection, path, now).await
}

async fn migrate_by(
    migrations: &[Migration],
    connection: &mut SqliteConnection,
    path: &Path,
    now: UnixMs,
) -> Result<(), Fault> {
    let newest = migrations.last().map_or(0, |migration| migration.version);
    let found = version(connection).await?;
    if found >= newest {
        return Ok(());
    }
    if found > 0 {
        check_applied(migrations, connection, found).await?;
        back_up(connection, path, found, now).await?;
    }
    let mut transaction = sqlx::Connection::begin_with(connection, "begin immediate").await?;
    let found = version(&mut transaction).await?;
    for migration in migrations.iter().filter(|migration| migration.version > found) {
        apply(&mut transaction, migration, now).await?;
    }
    transaction.commit().await?;
    tracing::info!(version = newest, "database schema updated");
    Ok(())
}

async fn apply(connection: &mut SqliteConnection, migration: &Migration, now: UnixMs) -> Result<(), Fault> {
    if migration.version == 1 {
        let create = "
            create table schema_versions (
              version integer primary key,
              checksum text not null,
              applied_at integer not null
            ) strict";
        sqlx::raw_sql(create).execute(&mut *connection).await?;
    }
    sqlx::raw_sql(migration.sql).execute(&mut *connection).await?;
    sqlx::query("insert into schema_versions (version, checksum, applied_at) values (?, ?, ?)")
        .bind(migration.version)
        .bind(checksum(migration.sql))
        .bind(now.0)
        .execute(&mut *connection)
        .await?;
    let stamp = format!("pragma user_version = {}", migration.version);
    sqlx::raw_sql(AssertSqlSafe(stamp)).execute(connection).await?;
    Ok(())
}

/// What was applied is what we know under that number.
async fn check_applied(migrations: &[Migration], connection: &mut SqliteConnection, found: i64) -> Result<(), Fault> {
    let rows = sqlx::query(
        "select version, checksum
         from schema_versions
         order by version",
    )
    .fetch_all(connection)
    .await?;
    for migration in migrations.iter().filter(|migration| migration.version <= found) {
        let applied = rows.iter().find(|row| row.try_get::<i64, _>(0).is_ok_and(|v| v == migration.version));
        let same =
            applied.is_some_and(|row| row.try_get::<String, _>(1).is_ok_and(|sum| sum == checksum(migration.sql)));
        if !same {
            return Err(failed(format!("schema version {} is not the one this program knows", migration.version)));
        }
    }
    Ok(())
}

fn checksum(sql: &str) -> String {
    hex::encode(Sha256::digest(sql.replace("\r\n", "\n").as_bytes()))
}

/// A sound copy beside the database, named after the version and the time.
async fn back_up(connection: &mut SqliteConnection, path: &Path, found: i64, now: UnixMs) -> Result<(), Fault> {
    let suffix = format!(".backup-v{found}-{}", open::file_stamp(now));
    copy_into(connection, &files::beside(path, &suffix)).await?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let prefix = format!("{}.backup-", path.file_name().unwrap_or_default().to_string_lossy());
    let backups = files::list(folder, &prefix, "");
    for old in backups.iter().rev().skip(BACKUPS_KEPT) {
        files::remove(old)?;
    }
    Ok(())
}

/// A consistent copy of the whole database, made while others read and write.
pub(crate) async fn copy_into(connection: &mut SqliteConnection, to: &Path) -> Result<(), Fault> {
    let Some(name) = to.to_str() else {
        return Err(Fault::Told(StoreError::Unwritable {
            path: to.display().to_string(),
            cause: "the name is not Unicode".to_owned(),
        }));
    };
    files::ensure_private_file(to)?;
    sqlx::query("vacuum into ?").bind(name.to_owned()).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, Migration, migrate, migrate_by, version};
    use crate::connect::writer_options;
    use namma_protocol::UnixMs;
    use sqlx::{ConnectOptions, Row, SqliteConnection};
    use std::path::{Path, PathBuf};

    const KNOWN: i64 = super::SCHEMA_VERSION;
    const NOTES: Migration = Migration {
        version: KNOWN + 1,
        sql: "create table notes (text text) strict; insert into notes values ('new')",
    };
    const BROKEN: Migration =
        Migration { version: KNOWN + 2, sql: "create table more (x text) strict; drop table missing" };

    fn with(more: &[Migration]) -> Vec<Migration> {
        MIGRATIONS.iter().chain(more).map(|one| Migration { version: one.version, sql: one.sql }).collect()
    }

    async fn database(folder: &Path) -> (PathBuf, SqliteConnection) {
        let path = folder.join("namma.db");
        let mut connection = writer_options(&path).create_if_missing(true).connect().await.unwrap();
        migrate(&mut connection, &path, UnixMs(1)).await.unwrap();
        sqlx::raw_sql("insert into settings values ('kept', '1', 1)").execute(&mut connection).await.unwrap();
        (path, connection)
    }

    fn backups(folder: &Path) -> usize {
        let names = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name());
        let ours = format!(".backup-v{KNOWN}-");
        names.filter(|name| name.to_string_lossy().contains(&ours)).count()
    }

    async fn tables(connection: &mut SqliteConnection) -> i64 {
        let count = "select count(*) from sqlite_schema where name in ('notes', 'more')";
        sqlx::query(count).fetch_one(connection).await.unwrap().get(0)
    }

    #[tokio::test]
    async fn an_upgrade_keeps_what_is_there_and_a_copy_from_before() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut connection) = database(folder.path()).await;
        assert_eq!(backups(folder.path()), 0, "a new file needs none");
        migrate_by(&with(&[NOTES]), &mut connection, &path, UnixMs(2)).await.unwrap();
        assert_eq!((version(&mut connection).await.unwrap(), backups(folder.path())), (KNOWN + 1, 1));
        let kept = sqlx::query("select value from settings").fetch_one(&mut connection).await.unwrap();
        assert_eq!(kept.get::<String, _>(0), "1");
        migrate_by(&with(&[NOTES]), &mut connection, &path, UnixMs(3)).await.unwrap();
        assert_eq!(backups(folder.path()), 1, "once");
    }

    #[tokio::test]
    async fn an_upgrade_that_fails_halfway_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut connection) = database(folder.path()).await;
        migrate_by(&with(&[NOTES, BROKEN]), &mut connection, &path, UnixMs(2)).await.unwrap_err();
        assert_eq!((version(&mut connection).await.unwrap(), tables(&mut connection).await), (KNOWN, 0));
        assert_eq!(backups(folder.path()), 1);
    }
}
