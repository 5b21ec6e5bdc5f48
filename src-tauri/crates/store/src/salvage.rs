//! A damaged file: a copy of it is kept, and what can be read goes into a fresh one.

mod mend;

use crate::fault::Fault;
use crate::{connect, files, migrations, open, search};
use namma_core::ports::StoreError;
use namma_protocol::UnixMs;
use serde::Serialize;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row, SqliteConnection};
use std::path::{Path, PathBuf};

/// What was found, kept and saved. A host shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryReport {
    pub at: UnixMs,
    pub cause: String,
    /// The damaged file as it was found.
    pub kept: PathBuf,
    pub tables: Vec<TableRecovery>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableRecovery {
    pub table: String,
    /// Rows that were saved.
    pub saved: u64,
    /// No part of the table was unreadable.
    pub complete: bool,
}

impl RecoveryReport {
    /// Everything could be read.
    pub fn is_complete(&self) -> bool {
        self.tables.iter().all(|table| table.complete)
    }

    /// The report in one sentence for a person.
    pub fn sentence(&self) -> String {
        let saved = |name: &str| self.tables.iter().find(|table| table.table == name).map_or(0, |table| table.saved);
        let (chats, messages) = (saved("sessions"), saved("messages"));
        let lost = if self.is_complete() { "Nothing seems to be missing." } else { "Some of it could not be read." };
        format!(
            "The database was damaged ({}). {chats} chats with {messages} messages were saved. {lost} \
             The damaged file was kept as `{}`.",
            self.cause,
            self.kept.display()
        )
    }
}

/// Parents before children. Search tables are made anew from the messages and facts.
const TABLES: &[&str] = &[
    "sessions",
    "turns",
    "attached_files",
    "messages",
    "tool_calls",
    "whole_results",
    "continuations",
    "partials",
    "queued_messages",
    "drafts",
    "settings",
    "usage",
    "connections",
    "facts",
    "fact_sources",
    "fact_tellings",
    "memory_ops",
    "audit",
];

/// Unreadable ranges after which the rest of a table is given up.
const PATIENCE: u32 = 20_000;

/// Saves what can be saved and puts a sound file in place of the damaged one. The caller is alone
/// with the file.
pub(crate) async fn salvage(path: &Path, cause: &str, now: UnixMs) -> Result<RecoveryReport, StoreError> {
    tracing::warn!("the database is damaged, saving what can be read");
    let kept = files::beside(path, &format!(".damaged-{}", open::file_stamp(now)));
    let source = files::beside(path, ".salvage");
    let fresh = files::beside(path, ".fresh");
    for leftover in [&source, &fresh] {
        remove_database(leftover)?;
    }
    for copy in [&kept, &source] {
        files::copy(path, copy)?;
        files::copy(&files::beside(path, "-wal"), &files::beside(copy, "-wal"))?;
    }
    let saved = fill(&fresh, &source, now).await;
    let tables = saved.map_err(|fault| fault.tell(path))?;
    // The journal goes first: SQLite would apply it to whatever file has the name.
    files::remove(&files::beside(path, "-wal"))?;
    files::remove(&files::beside(path, "-shm"))?;
    files::rename(&fresh, path)?;
    remove_database(&source)?;
    let report = RecoveryReport { at: now, cause: cause.to_owned(), kept, tables };
    tracing::warn!(complete = report.is_complete(), "a damaged database was replaced by what could be read");
    Ok(report)
}

fn remove_database(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        files::remove(&files::beside(path, suffix))?;
    }
    Ok(())
}

async fn fill(fresh: &Path, source: &Path, now: UnixMs) -> Result<Vec<TableRecovery>, Fault> {
    files::ensure_private_file(fresh)?;
    let mut connection = connect::writer_options(fresh).foreign_keys(false).connect().await?;
    migrations::migrate(&mut connection, fresh, now).await?;
    // The pages of the fresh file are looked at below.
    sqlx::query("pragma wal_checkpoint(truncate)").fetch_all(&mut connection).await?;
    // Reads on where the schema is odd.
    sqlx::raw_sql("pragma writable_schema = on").execute(&mut connection).await?;
    mend::header(fresh, source)?;
    if !attach(&mut connection, source).await? {
        mend::schema(fresh, source)?;
        attach(&mut connection, source).await?;
    }
    let mut tables = Vec::new();
    for table in TABLES {
        tables.push(save_table(&mut connection, table).await?);
    }
    detach(&mut connection).await;
    sqlx::raw_sql("pragma writable_schema = off").execute(&mut connection).await?;
    adopt_orphans(&mut connection).await?;
    search::rebuild(&mut connection).await?;
    search::rebuild_facts(&mut connection).await?;
    connection.close().await?;
    Ok(tables)
}

/// True when the damaged file can be asked for its tables.
async fn attach(connection: &mut SqliteConnection, source: &Path) -> Result<bool, Fault> {
    let Some(name) = source.to_str() else {
        return Err(crate::fault::failed("the path of the database is not Unicode"));
    };
    let attached = sqlx::query("attach database ? as damaged").bind(name.to_owned()).execute(&mut *connection).await;
    if attached.is_ok() && columns(connection, "damaged", TABLES[0]).await.is_ok_and(|columns| !columns.is_empty()) {
        return Ok(true);
    }
    detach(connection).await;
    Ok(false)
}

async fn detach(connection: &mut SqliteConnection) {
    if let Err(error) = sqlx::raw_sql("detach database damaged").execute(connection).await {
        tracing::debug!(%error, "the damaged database was not attached");
    }
}

/// Copies the rows of a table, in halves around whatever cannot be read.
async fn save_table(connection: &mut SqliteConnection, table: &str) -> Result<TableRecovery, Fault> {
    let mut report = TableRecovery { table: table.to_owned(), saved: 0, complete: true };
    let ours = columns(connection, "main", table).await?;
    let Ok(theirs) = columns(connection, "damaged", table).await else {
        report.complete = false;
        return Ok(report);
    };
    let shared: Vec<String> = ours.into_iter().filter(|column| theirs.contains(column)).collect();
    if shared.is_empty() {
        // A file of an earlier version has no such table, so nothing of it is missing.
        report.complete = theirs.is_empty() && is_older(connection).await;
        return Ok(report);
    }
    let guard = lift_guard(connection, table).await?;
    let list = shared.join(", ");
    let copy = format!(
        "insert or ignore into main.{table} ({list})
         select {list}
         from damaged.{table}
         where rowid between ? and ?"
    );
    let mut patience = PATIENCE;
    let mut ranges = vec![rowids(connection, table).await];
    while let Some((low, high)) = ranges.pop() {
        let copied = sqlx::query(AssertSqlSafe(copy.clone())).bind(low).bind(high).execute(&mut *connection).await;
        match copied {
            Ok(done) => report.saved += done.rows_affected(),
            Err(_) => {
                report.complete = false;
                patience = patience.saturating_sub(1);
                if patience == 0 {
                    break;
                }
                if low < high {
                    let middle = low + (high - low) / 2;
                    // The lower half is on top: rows are dense below and endless emptiness is above.
                    ranges.push((middle + 1, high));
                    ranges.push((low, middle));
                }
            }
        }
    }
    if let Some(guard) = guard {
        sqlx::raw_sql(AssertSqlSafe(guard)).execute(connection).await?;
    }
    Ok(report)
}

/// Was the damaged file written by a program that knew fewer tables?
async fn is_older(connection: &mut SqliteConnection) -> bool {
    let version = sqlx::query("pragma damaged.user_version").fetch_one(connection).await;
    version.is_ok_and(|row| row.try_get::<i64, _>(0).is_ok_and(|version| version < crate::SCHEMA_VERSION))
}

async fn columns(connection: &mut SqliteConnection, schema: &str, table: &str) -> Result<Vec<String>, Fault> {
    let list = format!("pragma {schema}.table_info({table})");
    let rows = sqlx::query(AssertSqlSafe(list)).fetch_all(connection).await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

/// The rows to ask for. When the ends cannot be read, more than there can be.
async fn rowids(connection: &mut SqliteConnection, table: &str) -> (i64, i64) {
    let ends = format!("select coalesce(min(rowid), 0), coalesce(max(rowid), 0) from damaged.{table}");
    let read = async {
        let row = sqlx::query(AssertSqlSafe(ends)).fetch_one(connection).await?;
        Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?))
    };
    read.await.unwrap_or((0, 1 << 32))
}

/// The audit log refuses gaps, but a damaged one has them, and its chain must show them. Returns
/// what puts the guard back.
async fn lift_guard(connection: &mut SqliteConnection, table: &str) -> Result<Option<String>, Fault> {
    if table != "audit" {
        return Ok(None);
    }
    let row = sqlx::query("select sql from main.sqlite_schema where name = 'audit_grows_at_its_end'")
        .fetch_one(&mut *connection)
        .await?;
    sqlx::raw_sql("drop trigger audit_grows_at_its_end").execute(connection).await?;
    Ok(Some(row.try_get(0)?))
}

/// Rows whose parent was lost get one, so that nothing that was read disappears.
async fn adopt_orphans(connection: &mut SqliteConnection) -> Result<(), Fault> {
    let statements = [
        // A chat for turns that lost theirs.
        "insert into sessions (key, id, title, title_source, mode, model, created_at, updated_at)
         select session_key, 'ses_recovered_' || session_key, 'Recovered chat', 'person', 'agent', '',
           min(started_at), max(touched_at)
         from turns
         where session_key not in (select key from sessions)
         group by session_key",
        // A chat with a turn each for messages that lost theirs.
        "insert into sessions (id, title, title_source, mode, model, created_at, updated_at)
         select 'ses_recovered', 'Recovered messages', 'person', 'agent', '', min(created_at), max(created_at)
         from messages
         where turn_key not in (select key from turns)
         having count(*) > 0",
        "insert into turns (key, id, session_key, ordinal, trust, mode, model, started_at, touched_at, owner)
         select turn_key, 'turn_recovered_' || turn_key, (select key from sessions where id = 'ses_recovered'),
           turn_key, 'untrusted', 'agent', '', min(created_at), max(created_at), ''
         from messages
         where turn_key not in (select key from turns)
         group by turn_key",
        // A turn begins with a message.
        "insert into messages (turn_key, position, role, text, created_at)
         select key, 0, 'user', '', started_at
         from turns
         where key not in (select turn_key from messages where position = 0)",
        "delete from tool_calls where message_key not in (select key from messages)",
        "delete from tool_calls where turn_key not in (select key from turns)",
        // Their keys will be given to others.
        "delete from whole_results where call_key not in (select key from tool_calls)",
        "delete from continuations where turn_key not in (select key from turns)",
        "delete from partials where turn_key not in (select key from turns)",
        "delete from fact_sources
         where fact_key not in (select key from facts)
            or message_key not in (select key from messages)",
        "delete from fact_tellings
         where fact_key not in (select key from facts)
            or turn_key not in (select key from turns)",
    ];
    for statement in statements {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}
