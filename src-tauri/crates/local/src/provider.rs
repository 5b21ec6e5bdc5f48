use crate::server::ServerSettings;
use crate::servers::{Lease, LocalServers};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use namma_core::BoxFuture;
use namma_core::ports::{ModelEvent, ModelRequest, ModelStream, Provider, ProviderError};

/// A model on our shelf behind the core's Provider port. Its server starts with the first question;
/// a turn that is stopped meanwhile stops waiting, and the server is ready for the next one.
pub struct ManagedLocal {
    servers: LocalServers,
    settings: ServerSettings,
    label: String,
}

impl ManagedLocal {
    /// Starts nothing yet. The model is the one that a request names.
    pub fn new(servers: LocalServers, settings: ServerSettings, label: String) -> Self {
        Self { servers, settings, label }
    }
}

impl Provider for ManagedLocal {
    fn label(&self) -> &str {
        &self.label
    }

    fn stream(&self, request: ModelRequest) -> BoxFuture<'_, Result<ModelStream, ProviderError>> {
        Box::pin(async move {
            let lease = self.servers.lease(&request.model, &self.settings).await;
            let lease = lease.map_err(|error| error.to_provider_error())?;
            let provider = lease.ready(|_| ()).await?;
            let request = ModelRequest { model: lease.model().to_owned(), ..request };
            match provider.stream(request).await {
                Ok(stream) => Ok(held(stream, lease)),
                Err(error) => Err(lease.explain(error).await),
            }
        })
    }
}

/// The same stream, which holds its server and tells when that ended.
fn held(stream: ModelStream, lease: Lease) -> ModelStream {
    unfold(Some((stream, lease)), |state| async {
        let (mut stream, lease) = state?;
        match stream.next().await? {
            Ok(event) => {
                if matches!(event, ModelEvent::Stop(_)) {
                    lease.answered();
                }
                Some((Ok(event), Some((stream, lease))))
            }
            Err(error) => {
                drop(stream);
                Some((Err(lease.explain(error).await), None))
            }
        }
    })
    .boxed()
}
