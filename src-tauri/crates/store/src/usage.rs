use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::SessionId;
use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;

/// Turns, and the tokens and money they took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Used {
    pub turns: i64,
    /// Prompt tokens in all, cached ones included.
    pub input_tokens: i64,
    pub output_tokens: i64,
    /// Prompt tokens the vendor read from its cache.
    pub cached_tokens: i64,
    /// Output tokens spent on thinking.
    pub reasoning_tokens: i64,
    /// Prompt tokens the vendor wrote to its cache.
    pub cache_write_tokens: i64,
    /// In billionths of a US dollar; 0 without a known price.
    pub cost_nanos: i64,
}

/// What one model used on one day, in deleted chats too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageOfDay {
    /// Days since 1970, in UTC.
    pub day: i64,
    pub model: String,
    #[serde(flatten)]
    pub used: Used,
}

/// What one chat used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageOfChat {
    pub session_id: SessionId,
    pub title: String,
    #[serde(flatten)]
    pub used: Used,
}

impl Store {
    /// What was spent since the beginning of a UTC day (days since 1970), in billionths of a US
    /// dollar.
    pub async fn spent_since(&self, day: i64) -> Result<u64, StoreError> {
        let read = async {
            let row = sqlx::query("select coalesce(sum(cost_nanos), 0) from usage where day >= ?")
                .bind(day)
                .fetch_one(self.readers())
                .await?;
            Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0))
        };
        self.explain(read.await)
    }

    /// What was used on the last `days` days, today included: the newest day first, and of each day
    /// the most used model first.
    pub async fn usage(&self, days: u32) -> Result<Vec<UsageOfDay>, StoreError> {
        let read = async {
            let rows = sqlx::query(
                "select turns, input_tokens, output_tokens, cached_tokens, reasoning_tokens, cache_write_tokens,
                   cost_nanos, day, model
                 from usage
                 where day >= ?
                 order by day desc, turns desc, model",
            )
            .bind(self.first_day(days))
            .fetch_all(self.readers())
            .await?;
            let of_days = rows
                .iter()
                .map(|row| Ok(UsageOfDay { used: used(row)?, day: row.try_get("day")?, model: row.try_get("model")? }));
            of_days.collect()
        };
        self.explain(read.await)
    }

    /// What the chats that are not deleted used in turns of the last `days` days, today included:
    /// the most expensive first.
    pub async fn usage_by_chat(&self, days: u32) -> Result<Vec<UsageOfChat>, StoreError> {
        let read = async {
            let rows = sqlx::query(
                "select count(*) turns, sum(t.input_tokens) input_tokens, sum(t.output_tokens) output_tokens,
                   sum(t.cached_tokens) cached_tokens, sum(t.reasoning_tokens) reasoning_tokens,
                   sum(t.cache_write_tokens) cache_write_tokens, coalesce(sum(t.cost_nanos), 0) cost_nanos,
                   s.id, s.title
                 from turns t
                 join sessions s on s.key = t.session_key
                 where t.finished_at >= ? and s.deleted_at is null
                 group by s.key
                 order by 7 desc, sum(t.input_tokens + t.output_tokens) desc, s.key",
            )
            .bind(self.first_day(days) * DAY_MS)
            .fetch_all(self.readers())
            .await?;
            let of_chats = rows.iter().map(|row| {
                Ok(UsageOfChat {
                    used: used(row)?,
                    session_id: SessionId(row.try_get("id")?),
                    title: row.try_get("title")?,
                })
            });
            of_chats.collect()
        };
        self.explain(read.await)
    }

    /// The first of the last `days` days, in days since 1970.
    fn first_day(&self, days: u32) -> i64 {
        self.now().0.div_euclid(DAY_MS) - i64::from(days) + 1
    }
}

fn used(row: &SqliteRow) -> Result<Used, sqlx::Error> {
    Ok(Used {
        turns: row.try_get("turns")?,
        input_tokens: row.try_get("input_tokens")?,
        output_tokens: row.try_get("output_tokens")?,
        cached_tokens: row.try_get("cached_tokens")?,
        reasoning_tokens: row.try_get("reasoning_tokens")?,
        cache_write_tokens: row.try_get("cache_write_tokens")?,
        cost_nanos: row.try_get("cost_nanos")?,
    })
}
