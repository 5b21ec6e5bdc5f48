//! Files that the person attached, kept once for each content.

use crate::fault::Fault;
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::{Attachment, FileId};
use sha2::{Digest, Sha256};
use sqlx::Row;

/// How long a file is kept that no message, draft or waiting message names: a day. It may just have
/// been attached, and its draft not be stored yet.
pub const KEEP_UNNAMED_MS: i64 = 24 * 60 * 60 * 1000;

/// Files removed in one transaction.
const BATCH: i64 = 50;

/// What is known of a kept file without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    pub media_type: String,
    pub size_bytes: u32,
}

impl Store {
    /// Keeps the bytes. The same bytes are kept once, however often they are attached.
    pub async fn file_keep(&self, bytes: &[u8], media_type: &str) -> Result<FileId, StoreError> {
        let id = FileId(hex::encode(Sha256::digest(bytes)));
        let kept = async {
            let renewed = sqlx::query("update attached_files set kept_at = ? where id = ?")
                .bind(self.now().0)
                .bind(id.as_str())
                .execute(self.writer())
                .await?;
            if renewed.rows_affected() == 0 {
                sqlx::query(
                    "insert into attached_files (id, media_type, kept_at, bytes)
                     values (?, ?, ?, ?)
                     on conflict (id) do update set kept_at = excluded.kept_at",
                )
                .bind(id.as_str())
                .bind(media_type)
                .bind(self.now().0)
                .bind(bytes)
                .execute(self.writer())
                .await?;
            }
            Ok(id.clone())
        };
        self.explain(kept.await)
    }

    /// `None` when there is no such file.
    pub async fn file_facts(&self, file: &FileId) -> Result<Option<FileFacts>, StoreError> {
        let read = async {
            let row = sqlx::query("select media_type, length(bytes) from attached_files where id = ?")
                .bind(file.as_str())
                .fetch_optional(self.readers())
                .await?;
            row.map(|row| Ok(FileFacts { media_type: row.try_get(0)?, size_bytes: crate::read::count(&row, 1)? }))
                .transpose()
        };
        self.explain(read.await)
    }

    /// Its bytes; `None` when there is no such file.
    pub async fn file_bytes(&self, file: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        let read = async {
            let row = sqlx::query("select bytes from attached_files where id = ?")
                .bind(file.as_str())
                .fetch_optional(self.readers())
                .await?;
            row.map(|row| Ok(row.try_get(0)?)).transpose()
        };
        self.explain(read.await)
    }

    /// Removes some files that nothing names any more. True when there may be more.
    pub(crate) async fn purge_files(&self) -> Result<bool, Fault> {
        let before = self.now().0 - KEEP_UNNAMED_MS;
        // Nearly always there is nothing, and a look needs no lock.
        if unnamed(self.readers(), before).await?.is_empty() {
            return Ok(false);
        }
        let mut transaction = self.begin().await?;
        let rows = unnamed(&mut *transaction, before).await?;
        for row in &rows {
            sqlx::query("delete from attached_files where key = ?")
                .bind(row.try_get::<i64, _>(0)?)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok((rows.len() as i64) == BATCH)
    }
}

async fn unnamed<'c>(
    executor: impl sqlx::SqliteExecutor<'c>,
    before: i64,
) -> Result<Vec<sqlx::sqlite::SqliteRow>, sqlx::Error> {
    sqlx::query(
        "select key
         from attached_files
         where kept_at < ? and id not in (
           select a.value ->> 'fileId'
           from messages m, json_each(m.attachments) a
           where m.attachments is not null
           union
           select a.value ->> 'fileId'
           from drafts d, json_each(d.attachments) a
           where d.attachments is not null
           union
           select a.value ->> 'fileId'
           from queued_messages q, json_each(q.attachments) a
           where q.attachments is not null
         )
         limit ?",
    )
    .bind(before)
    .bind(BATCH)
    .fetch_all(executor)
    .await
}

/// The column of a list; null when there is nothing in it.
pub(crate) fn list_json(attachments: &[Attachment]) -> Result<Option<String>, Fault> {
    if attachments.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::to_string(attachments)?))
}

/// Reads what [`list_json`] wrote.
pub(crate) fn read_list(row: &sqlx::sqlite::SqliteRow, column: usize) -> Result<Vec<Attachment>, Fault> {
    match row.try_get::<Option<&str>, _>(column)? {
        Some(list) => Ok(serde_json::from_str(list)?),
        None => Ok(Vec::new()),
    }
}
