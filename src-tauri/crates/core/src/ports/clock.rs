use crate::BoxFuture;
use jiff::tz::TimeZone;
use namma_protocol::UnixMs;
use std::time::Duration;

/// Time, as the core sees it. Tests pass a manual one and never sleep.
pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> UnixMs;
    /// The person's zone, asked each time: it changes while the program runs.
    fn zone(&self) -> TimeZone;
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}
