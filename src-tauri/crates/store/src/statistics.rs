use crate::files;
use crate::store::Store;
use namma_core::ports::StoreError;
use sqlx::Row;

/// How much is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    pub sessions: i64,
    pub deleted_sessions: i64,
    pub turns: i64,
    pub messages: i64,
    pub tool_calls: i64,
    pub audit_rows: i64,
    pub file_bytes: u64,
    pub journal_bytes: u64,
    pub schema_version: i64,
}

impl Store {
    pub async fn statistics(&self) -> Result<Statistics, StoreError> {
        let counted = async {
            let row = sqlx::query(
                "select
                   (select count(*) from sessions where deleted_at is null),
                   (select count(*) from sessions where deleted_at is not null),
                   (select count(*) from turns),
                   (select count(*) from messages),
                   (select count(*) from tool_calls),
                   (select count(*) from audit)",
            )
            .fetch_one(self.readers())
            .await?;
            Ok(Statistics {
                sessions: row.try_get(0)?,
                deleted_sessions: row.try_get(1)?,
                turns: row.try_get(2)?,
                messages: row.try_get(3)?,
                tool_calls: row.try_get(4)?,
                audit_rows: row.try_get(5)?,
                file_bytes: files::size(self.path()),
                journal_bytes: files::size(&files::beside(self.path(), "-wal")),
                schema_version: crate::SCHEMA_VERSION,
            })
        };
        self.explain(counted.await)
    }
}
