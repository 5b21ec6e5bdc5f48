//! What may still be spent.

use crate::builder::App;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use namma_config::Config;
use namma_core::turn::Allowance;
use namma_protocol::{ApiError, UnixMs};
use namma_store::DAY_MS;

impl App {
    /// The allowance of a turn that starts now. A person who was told that the day or the month is
    /// used up, and said to go on, has both free for this turn.
    pub(crate) async fn allowance(&self, config: &Config, allow_more: bool) -> Result<Allowance, ApiError> {
        let spending = &config.spending;
        let turn = spending.per_turn();
        if allow_more {
            return Ok(Allowance { turn, ..Allowance::default() });
        }
        let now = self.inner.clock.now();
        let left = |limit: Option<u64>, first_day: i64| async move {
            let Some(limit) = limit else { return Ok(None) };
            let spent = self.inner.store.spent_since(first_day).await.map_err(|error| error.to_api_error())?;
            Ok::<_, ApiError>(Some(limit.saturating_sub(spent)))
        };
        let today = now.0.div_euclid(DAY_MS);
        Ok(Allowance {
            turn,
            day: left(spending.per_day(), today).await?,
            month: left(spending.per_month(), today - day_of_month(now)).await?,
        })
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
