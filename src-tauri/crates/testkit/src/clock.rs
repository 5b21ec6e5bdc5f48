//! A clock that moves only when a test says so.

use jiff::tz::TimeZone;
use namma_core::BoxFuture;
use namma_core::ports::Clock;
use namma_protocol::UnixMs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Starts where it is told; `sleep` ends when [`ManualClock::advance`] has passed it.
pub struct ManualClock {
    now: watch::Sender<i64>,
    zone: Mutex<TimeZone>,
}

impl ManualClock {
    /// `2026-03-01T08:00:00Z` is 1772352000000.
    pub fn at(now: UnixMs) -> Self {
        Self { now: watch::Sender::new(now.0), zone: Mutex::new(TimeZone::UTC) }
    }

    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now += i64::try_from(by.as_millis()).unwrap_or(i64::MAX));
    }

    /// Moves the clock to any moment, also back.
    pub fn set(&self, now: UnixMs) {
        self.now.send_replace(now.0);
    }

    pub fn set_zone(&self, zone: TimeZone) {
        *self.zone.lock().unwrap_or_else(PoisonError::into_inner) = zone;
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::at(UnixMs(1_772_352_000_000))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> UnixMs {
        UnixMs(*self.now.borrow())
    }

    fn zone(&self) -> TimeZone {
        self.zone.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        let until = self.now().0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX));
        let mut now = self.now.subscribe();
        Box::pin(async move {
            // The sender lives as long as `self`, so this ends only by time.
            if now.wait_for(|now| *now >= until).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
