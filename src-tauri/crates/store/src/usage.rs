use crate::store::Store;
use namma_core::ports::StoreError;
use serde::Serialize;
use sqlx::Row;

/// Tokens of one model on one day, deleted chats included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageOfDay {
    /// Days since 1970, in UTC.
    pub day: i64,
    pub model: String,
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

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;

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
        let first = self.now().0.div_euclid(DAY_MS) - i64::from(days) + 1;
        let read = async {
            let rows = sqlx::query(
                "select day, model, turns, input_tokens, output_tokens, cached_tokens, reasoning_tokens,
                   cache_write_tokens, cost_nanos
                 from usage
                 where day >= ?
                 order by day desc, turns desc, model",
            )
            .bind(first)
            .fetch_all(self.readers())
            .await?;
            let of_days = rows.iter().map(|row| {
                Ok(UsageOfDay {
                    day: row.try_get(0)?,
                    model: row.try_get(1)?,
                    turns: row.try_get(2)?,
                    input_tokens: row.try_get(3)?,
                    output_tokens: row.try_get(4)?,
                    cached_tokens: row.try_get(5)?,
                    reasoning_tokens: row.try_get(6)?,
                    cache_write_tokens: row.try_get(7)?,
                    cost_nanos: row.try_get(8)?,
                })
            });
            of_days.collect()
        };
        self.explain(read.await)
    }
}
