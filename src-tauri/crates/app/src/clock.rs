#![allow(clippy::disallowed_methods, reason = "the one place where the program looks at the real clock")]

use jiff::tz::TimeZone;
use namma_core::BoxFuture;
use namma_core::ports::Clock;
use namma_protocol::UnixMs;
use std::time::Duration;

/// The clock of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> UnixMs {
        UnixMs(jiff::Timestamp::now().as_millisecond())
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
