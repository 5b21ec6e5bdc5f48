use crate::fault::Fault;
use crate::files;
use crate::store::Store;
use namma_core::ports::StoreError;
use serde::Serialize;
use sqlx::Row;

/// What is in the database, for `namma doctor` and the settings page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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
    /// By model, the most used first.
    pub usage: Vec<UsageTotal>,
}

/// Tokens of one model over all days, deleted chats included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageTotal {
    pub model: String,
    pub turns: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cached_tokens: i64,
    pub reasoning_tokens: i64,
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
                usage: self.usage_totals().await?,
            })
        };
        self.explain(counted.await)
    }

    async fn usage_totals(&self) -> Result<Vec<UsageTotal>, Fault> {
        let rows = sqlx::query(
            "select model, sum(turns), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(reasoning_tokens)
             from usage
             group by model
             order by sum(turns) desc, model",
        )
        .fetch_all(self.readers())
        .await?;
        let totals = rows.iter().map(|row| {
            Ok(UsageTotal {
                model: row.try_get(0)?,
                turns: row.try_get(1)?,
                input_tokens: row.try_get(2)?,
                output_tokens: row.try_get(3)?,
                cached_tokens: row.try_get(4)?,
                reasoning_tokens: row.try_get(5)?,
            })
        });
        totals.collect()
    }
}
