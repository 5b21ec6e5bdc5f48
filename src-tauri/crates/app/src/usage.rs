//! What the models cost, in tokens and in money.

use crate::builder::App;
use namma_core::ports::micros;
use namma_protocol::{ApiError, UnixMs, Usage, UsageOfDay};
use namma_store::{DAY_MS, UsageOfDay as Stored};

impl App {
    /// By day and model over the last `days` days, today included, the newest day first.
    pub async fn usage(&self, days: u32) -> Result<Vec<Stored>, ApiError> {
        self.inner.store.usage(days).await.map_err(|error| error.to_api_error())
    }

    /// The same for the interface.
    pub async fn usage_by_day(&self, days: u32) -> Result<Vec<UsageOfDay>, ApiError> {
        let count = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        let stored = self.usage(days).await?;
        let of_days = stored.into_iter().map(|one| UsageOfDay {
            day: UnixMs(one.day * DAY_MS),
            model: one.model,
            turns: count(one.turns),
            usage: Usage {
                input_tokens: count(one.input_tokens),
                output_tokens: count(one.output_tokens),
                cached_tokens: count(one.cached_tokens),
                cache_write_tokens: count(one.cache_write_tokens),
                reasoning_tokens: count(one.reasoning_tokens),
            },
            cost_micros: micros(one.cost_nanos.max(0).cast_unsigned()),
        });
        Ok(of_days.collect())
    }
}
