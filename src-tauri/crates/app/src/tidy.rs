use crate::builder::App;
use namma_store::DAY_MS;
use std::sync::PoisonError;

impl App {
    /// Gives the disk back what deleted chats and files took. For a moment in which nobody waits; does
    /// nothing more than once a day.
    pub async fn tidy(&self) {
        let now = self.inner.clock.now().0;
        {
            let mut tidied = self.inner.tidied.lock().unwrap_or_else(PoisonError::into_inner);
            if tidied.is_some_and(|before| now - before < DAY_MS) {
                return;
            }
            *tidied = Some(now);
        }
        if let Err(error) = self.inner.store.maintain().await {
            tracing::warn!(%error, "the database could not be tidied");
        }
    }
}
