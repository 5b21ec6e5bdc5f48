//! What the models cost, in tokens and in money.

use crate::builder::App;
use namma_core::ports::micros;
use namma_protocol::{ApiError, UnixMs, Usage, UsageOfDay};
use namma_store::{DAY_MS, UsageOfChat, UsageOfDay as Stored};

impl App {
    /// By day and model over the last `days` days, today included, the newest day first.
    pub async fn usage(&self, days: u32) -> Result<Vec<Stored>, ApiError> {
        self.inner.store.usage(days).await.map_err(|error| error.to_api_error())
    }

    /// By chat, the most expensive first.
    pub async fn usage_by_chat(&self, days: u32) -> Result<Vec<UsageOfChat>, ApiError> {
        self.inner.store.usage_by_chat(days).await.map_err(|error| error.to_api_error())
    }

    /// By day and model for the interface.
    pub async fn usage_by_day(&self, days: u32) -> Result<Vec<UsageOfDay>, ApiError> {
        let count = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        let stored = self.usage(days).await?;
        let of_days = stored.into_iter().map(|one| UsageOfDay {
            day: UnixMs(one.day * DAY_MS),
            model: one.model,
            turns: count(one.used.turns),
            usage: Usage {
                input_tokens: count(one.used.input_tokens),
                output_tokens: count(one.used.output_tokens),
                cached_tokens: count(one.used.cached_tokens),
                cache_write_tokens: count(one.used.cache_write_tokens),
                reasoning_tokens: count(one.used.reasoning_tokens),
            },
            cost_micros: micros(one.used.cost_nanos.max(0).cast_unsigned()),
        });
        Ok(of_days.collect())
    }
}
