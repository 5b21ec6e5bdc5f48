//! What the models cost in tokens.

use crate::builder::App;
use namma_protocol::ApiError;
use namma_store::UsageOfDay;

impl App {
    /// Tokens by day and model over the last `days` days, today included, the newest day first.
    pub async fn usage(&self, days: u32) -> Result<Vec<UsageOfDay>, ApiError> {
        self.inner.store.usage(days).await.map_err(|error| error.to_api_error())
    }
}
