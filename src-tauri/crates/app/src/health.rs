//! How the connections to models did last: one that keeps failing is left alone for a while, when
//! another can answer.

use crate::event_bus::EventBus;
use namma_core::ports::{Clock, ProviderError};
use namma_protocol::{Tag, UnixMs};
use namma_store::{ConnectionHealth, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use namma_store::ConnectionHealth as Health;

/// So many failures in a row, and others are asked first.
const PATIENCE: u32 = 3;

/// The first rest; it doubles with each failure after it, up to [`LONGEST_REST_MS`].
const FIRST_REST_MS: i64 = 60_000;
const LONGEST_REST_MS: i64 = 10 * 60_000;

/// Kept in the store, so that `namma doctor` and other programs see it.
pub(crate) struct HealthBook {
    store: Store,
    clock: Arc<dyn Clock>,
    bus: EventBus,
    known: Mutex<HashMap<String, Health>>,
}

impl HealthBook {
    /// What the store knows; nothing when it cannot say.
    pub(crate) async fn open(store: Store, clock: Arc<dyn Clock>, bus: EventBus) -> Self {
        let known = store.connection_health().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "how the connections did last could not be read");
            Vec::new()
        });
        let known = known.into_iter().map(|health| (health.name.clone(), health)).collect();
        Self { store, clock, bus, known: Mutex::new(known) }
    }

    /// How it did, if it did badly.
    pub(crate) fn of(&self, connection: &str) -> Option<Health> {
        self.known().get(connection).cloned()
    }

    /// How it did, if it is left alone now.
    pub(crate) fn rests(&self, connection: &str, now: UnixMs) -> Option<Health> {
        self.of(connection).filter(|health| health.rests_until.0 > now.0)
    }

    /// A new start: it answered, or the connection was changed or tested.
    pub(crate) async fn forget(&self, connection: &str) {
        if self.known().remove(connection).is_none() {
            return;
        }
        if let Err(error) = self.store.forget_connection_health(connection).await {
            tracing::warn!(%error, "that a connection works again could not be kept");
        }
        self.bus.data_changed([Tag::Provider]);
    }

    /// It failed, if that is the fault of the connection. `label` is its name for people.
    pub(crate) async fn note(&self, connection: &str, label: &str, error: &ProviderError) {
        // Nobody was asked, or it is not the connection's fault.
        if !error.is_transient() && !needs_the_person(error) {
            return;
        }
        let now = self.clock.now();
        let failures = self.of(connection).map_or(0, |health| health.failures).saturating_add(1);
        let rest = rest_ms(failures, needs_the_person(error));
        let rests_until = UnixMs(now.0 + rest);
        let error = error.to_api_error(label);
        let health = ConnectionHealth { name: connection.to_owned(), failures, error, failed_at: now, rests_until };
        self.known().insert(connection.to_owned(), health.clone());
        if let Err(error) = self.store.keep_connection_health(&health).await {
            tracing::warn!(%error, "how a connection did could not be kept");
        }
        self.bus.data_changed([Tag::Provider]);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Health>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asking again changes nothing until somebody does something.
fn needs_the_person(error: &ProviderError) -> bool {
    matches!(
        error,
        ProviderError::KeyRefused { .. } | ProviderError::NoCredit { .. } | ProviderError::ModelNotFound { .. }
    )
}

fn rest_ms(failures: u32, at_once: bool) -> i64 {
    let Some(beyond) = failures.checked_sub(if at_once { 1 } else { PATIENCE }) else { return 0 };
    FIRST_REST_MS.saturating_mul(1 << beyond.min(10)).min(LONGEST_REST_MS)
}

#[cfg(test)]
mod tests {
    use super::rest_ms;

    #[test]
    fn the_rest_begins_with_the_third_failure_and_grows_to_ten_minutes() {
        let rests: Vec<i64> = (1..=9).map(|failures| rest_ms(failures, false)).collect();
        assert_eq!(rests[..5], [0, 0, 60_000, 120_000, 240_000]);
        assert_eq!(rests[8], 600_000);
        assert_eq!(rest_ms(1, true), 60_000, "a refused key is not tried three times");
        assert_eq!(rest_ms(u32::MAX, true), 600_000);
    }
}
