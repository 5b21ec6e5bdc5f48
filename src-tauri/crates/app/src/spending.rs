//! What was spent and what may still be.

use crate::builder::App;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use namma_config::Config;
use namma_core::turn::Allowance;
use namma_protocol::{ApiError, UnixMs};
use namma_store::DAY_MS;

/// What was spent in a time, in billionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpentOf {
    pub spent_nanos: u64,
    pub limit_nanos: Option<u64>,
}

impl App {
    /// What was spent today and this month, of UTC.
    pub async fn spent(&self) -> Result<[SpentOf; 2], ApiError> {
        let config = self.inner.config.get();
        let spending = &config.spending;
        let [today, month] = self.first_days();
        Ok([
            SpentOf { spent_nanos: self.spent_since(today).await?, limit_nanos: spending.per_day() },
            SpentOf { spent_nanos: self.spent_since(month).await?, limit_nanos: spending.per_month() },
        ])
    }

    /// The allowance of a turn that starts now. A person who was told that the day or the month is
    /// used up, and said to go on, has both free for this turn.
    pub(crate) async fn allowance(&self, config: &Config, allow_more: bool) -> Result<Allowance, ApiError> {
        let spending = &config.spending;
        let turn = spending.per_turn();
        if allow_more {
            return Ok(Allowance { turn, ..Allowance::default() });
        }
        let left = |limit: Option<u64>, first_day: i64| async move {
            let Some(limit) = limit else { return Ok(None) };
            Ok::<_, ApiError>(Some(limit.saturating_sub(self.spent_since(first_day).await?)))
        };
        let [today, month] = self.first_days();
        Ok(Allowance {
            turn,
            day: left(spending.per_day(), today).await?,
            month: left(spending.per_month(), month).await?,
        })
    }

    async fn spent_since(&self, day: i64) -> Result<u64, ApiError> {
        self.inner.store.spent_since(day).await.map_err(|error| error.to_api_error())
    }

    /// Today and the first of its month, in days since 1970.
    fn first_days(&self) -> [i64; 2] {
        let now = self.inner.clock.now();
        let today = now.0.div_euclid(DAY_MS);
        [today, today - day_of_month(now)]
    }
}

/// Days since the first of the month, in UTC.
fn day_of_month(now: UnixMs) -> i64 {
    let date = Timestamp::from_millisecond(now.0).map(|at| at.to_zoned(TimeZone::UTC).day());
    date.map_or(0, |day| i64::from(day) - 1)
}

#[cfg(test)]
mod tests {
    use super::day_of_month;
    use namma_protocol::UnixMs;

    #[test]
    fn the_month_begins_on_its_first_day() {
        // 2026-11-01T00:00:00Z and 2026-11-30T23:59:59Z
        assert_eq!(day_of_month(UnixMs(1_793_491_200_000)), 0);
        assert_eq!(day_of_month(UnixMs(1_793_491_200_000 + 30 * namma_store::DAY_MS - 1000)), 29);
    }
}
