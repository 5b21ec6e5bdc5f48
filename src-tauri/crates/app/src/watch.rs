//! What each request of a turn teaches about its connection.

use crate::builder::App;
use crate::connections::Connection;
use namma_core::BoxFuture;
use namma_core::ports::ProviderError;
use namma_core::turn::BrainWatch;

impl BrainWatch for App {
    fn answered<'a>(&'a self, connection: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(self.inner.health.forget(connection))
    }

    fn failed<'a>(&'a self, connection: &'a str, error: &'a ProviderError) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if matches!(error, ProviderError::KeyRefused { .. }) {
                // Another program may have put a new key into the vault: the next request looks.
                self.inner.providers.drop_one(connection);
            }
            // Removed meanwhile, or no connection at all: there is nothing to leave alone.
            let Ok(connection) = self.connection(connection) else { return };
            if !is_about_another_model(&connection, error) {
                self.inner.health.note(&connection.name, &connection.label(), error).await;
            }
        })
    }
}

/// The person named a model that the server has not. That says nothing of the connection's own.
fn is_about_another_model(connection: &Connection, error: &ProviderError) -> bool {
    matches!(error, ProviderError::ModelNotFound { model, .. } if connection.model.as_ref() != Some(model))
}
