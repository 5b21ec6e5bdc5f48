//! What the person had remembered, for the person: no turn is told, and nothing asks.

use crate::builder::App;
use namma_core::ports::{Fact, Memory, StoreError};
use namma_protocol::{ApiError, FactId};

impl App {
    /// The facts that fit a query best, at most `limit`; without one the pinned, then the newest.
    pub async fn memory_facts(&self, query: Option<&str>, limit: u32) -> Result<Vec<Fact>, ApiError> {
        self.inner.store.facts(query, limit).await.map_err(api)
    }

    /// Forgets facts for good, and says how many there were.
    ///
    /// # Errors
    /// When one of them does not exist: then all of them stay.
    pub async fn memory_forget(&self, facts: &[FactId]) -> Result<u32, ApiError> {
        let found = self.inner.store.look_up(facts).await.map_err(api)?;
        if let Some(missing) = facts.iter().find(|id| !found.iter().any(|fact| fact.id == **id)) {
            return Err(api(StoreError::NotFound { what: format!("fact `{missing}`") }));
        }
        self.inner.store.forget(facts).await.map_err(api)
    }
}

fn api(error: StoreError) -> ApiError {
    error.to_api_error()
}
