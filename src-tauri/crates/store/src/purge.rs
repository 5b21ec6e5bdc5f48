use crate::fault::Fault;
use crate::store::Store;
use namma_core::ports::StoreError;
use sqlx::Row;

/// How long a deleted session can be restored: 30 days.
pub const KEEP_DELETED_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Messages removed in one transaction, so that writers never wait long.
const BATCH: i64 = 200;

impl Store {
    /// One short batch, for the start of the program.
    pub(crate) async fn purge_some(&self) -> Result<(), StoreError> {
        let finished = self.finish_forgetting().await;
        self.explain(finished)?;
        let purged = self.purge_batch().await;
        self.explain(purged)?;
        self.purge_some_files().await;
        Ok(())
    }

    /// True when there may be more. A list of files that cannot be read keeps all of them, and is no
    /// reason to leave the rest undone.
    async fn purge_some_files(&self) -> bool {
        let purged = self.purge_files().await;
        self.explain(purged).unwrap_or_else(|error| {
            tracing::warn!(%error, "attached files that nothing names could not be removed");
            false
        })
    }

    /// Work for idle moments: removes what was deleted long ago, tidies the search index, gives
    /// free pages back to the disk and folds the journal.
    pub async fn maintain(&self) -> Result<(), StoreError> {
        let maintained = async {
            while self.purge_batch().await? {}
            while self.purge_some_files().await {}
            // A bounded piece of merging; the full `optimize` would hold the lock for seconds.
            sqlx::query("insert into messages_words (messages_words, rank) values ('merge', 500)")
                .execute(self.writer())
                .await?;
            sqlx::query("pragma incremental_vacuum(2000)").fetch_all(self.writer()).await?;
            sqlx::query("pragma optimize").fetch_all(self.writer()).await?;
            sqlx::query("pragma wal_checkpoint(passive)").fetch_all(self.writer()).await?;
            Ok(())
        };
        self.explain(maintained.await)
    }

    /// Removes some of what was deleted long ago. True when there may be more.
    async fn purge_batch(&self) -> Result<bool, Fault> {
        let before = self.now().0 - KEEP_DELETED_MS;
        if due(self.writer(), before).await?.is_none() {
            return Ok(false);
        }
        let mut transaction = self.begin().await?;
        // Looked up again under the lock: it may have been restored.
        let Some((session_key, id)) = due(&mut *transaction, before).await? else { return Ok(false) };
        let rows = sqlx::query(
            "select m.key, m.turn_key
             from messages m
             join turns t on t.key = m.turn_key
             where t.session_key = ?
             order by m.key desc
             limit ?",
        )
        .bind(session_key)
        .bind(BATCH)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            let key: i64 = row.try_get(0)?;
            for delete in [
                "delete from messages_words where rowid = ?",
                "delete from messages_trigrams where rowid = ?",
                "delete from messages where key = ?",
            ] {
                sqlx::query(delete).bind(key).execute(&mut *transaction).await?;
            }
        }
        if (rows.len() as i64) < BATCH {
            sqlx::query("delete from drafts where scope = ?").bind(&id).execute(&mut *transaction).await?;
            sqlx::query("delete from queued_messages where session_id = ?")
                .bind(&id)
                .execute(&mut *transaction)
                .await?;
            // Turns, calls and partial texts go with it.
            sqlx::query("delete from sessions where key = ?").bind(session_key).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

async fn due<'c>(executor: impl sqlx::SqliteExecutor<'c>, before: i64) -> Result<Option<(i64, String)>, Fault> {
    let row = sqlx::query("select key, id from sessions where deleted_at < ? limit 1")
        .bind(before)
        .fetch_optional(executor)
        .await?;
    row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose()
}
