use super::{Answer, SecretStore, VaultError, VaultStatus};
use crate::Secret;
use keyring_core::api::CredentialStoreApi;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

#[cfg(target_os = "macos")]
use apple_native_keyring_store::keychain::Store;
#[cfg(windows)]
use windows_native_keyring_store::Store;
#[cfg(all(unix, not(target_os = "macos")))]
use zbus_secret_service_keyring_store::Store;

/// The vault of the operating system: Secret Service on Linux, Keychain on macOS, Credential
/// Manager on Windows.
///
/// The system's calls block, for ever while an unlock prompt waits. Each therefore has a thread of
/// its own, one at a time, and a time limit. After the limit the thread is left to the prompt: once
/// that is answered, the next call goes through. A blocking thread of the runtime would instead
/// keep the program from ending.
///
/// Each call connects anew, so a vault that was installed, started or restarted since is seen.
#[derive(Debug)]
pub struct Keyring {
    name: String,
    limit: Duration,
    one_at_a_time: Arc<Semaphore>,
}

impl Keyring {
    /// The entries kept under this name ([`crate::Paths::vault_name`]).
    pub fn new(name: impl Into<String>) -> Self {
        Self::with_limit(name, Duration::from_secs(5))
    }

    /// The same with another limit for one call.
    pub fn with_limit(name: impl Into<String>, limit: Duration) -> Self {
        Self { name: name.into(), limit, one_at_a_time: Arc::new(Semaphore::new(1)) }
    }

    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
    ) -> Result<T, VaultError> {
        let turn = Arc::clone(&self.one_at_a_time).acquire_owned();
        let answer = async {
            let turn = turn.await.map_err(|_| refused("the program is ending"))?;
            in_thread(turn, work)?.await.map_err(|_| refused("its thread failed"))?
        };
        let seconds = self.limit.as_secs();
        tokio::time::timeout(self.limit, answer).await.unwrap_or(Err(VaultError::TimedOut { seconds }))
    }

    fn entry(&self, name: &str) -> impl FnOnce() -> Result<keyring_core::Entry, VaultError> + Send + 'static {
        let (service, user) = (self.name.clone(), name.to_owned());
        move || {
            let store = Store::new().map_err(|error| VaultError::Unavailable { cause: words(&error) })?;
            store.build(&service, &user, None).map_err(failed)
        }
    }
}

impl SecretStore for Keyring {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret>> {
        let entry = self.entry(name);
        Box::pin(self.call(move || match entry()?.get_password() {
            Ok(text) => Ok(Some(Secret::new(text))),
            Err(keyring_core::Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(error)),
        }))
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret) -> Answer<'a, ()> {
        let entry = self.entry(name);
        Box::pin(self.call(move || entry()?.set_password(secret.expose()).map_err(failed)))
    }

    fn delete<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        let entry = self.entry(name);
        Box::pin(self.call(move || match entry()?.delete_credential() {
            Ok(()) | Err(keyring_core::Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(error)),
        }))
    }

    fn status(&self) -> Answer<'_, VaultStatus> {
        Box::pin(self.call(probe))
    }
}

fn in_thread<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce() -> Result<T, VaultError> + Send + 'static,
) -> Result<oneshot::Receiver<Result<T, VaultError>>, VaultError> {
    let (send, receive) = oneshot::channel();
    let run = move || {
        let answer = work();
        drop(turn);
        // The caller may have stopped waiting.
        let _ = send.send(answer);
    };
    std::thread::Builder::new().name("vault".into()).spawn(run).map_err(|error| refused(&error.to_string()))?;
    Ok(receive)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn probe() -> Result<VaultStatus, VaultError> {
    use secret_service::{EncryptionType, Error, blocking::SecretService};
    let unavailable = |error: Error| VaultError::Unavailable { cause: error.to_string() };
    let service = SecretService::connect(EncryptionType::Plain).map_err(unavailable)?;
    match service.get_default_collection().and_then(|collection| collection.is_locked()) {
        Ok(false) => Ok(VaultStatus::Ready),
        // No keyring was made yet: the first use asks for its password, as for a locked one.
        Ok(true) | Err(Error::NoResult | Error::Locked) => Ok(VaultStatus::Locked),
        Err(error) => Err(unavailable(error)),
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn probe() -> Result<VaultStatus, VaultError> {
    Store::new().map(|_| VaultStatus::Ready).map_err(|error| VaultError::Unavailable { cause: words(&error) })
}

fn failed(error: keyring_core::Error) -> VaultError {
    use keyring_core::Error;
    match error {
        Error::NoStorageAccess(_) => VaultError::Locked { cause: words(&error) },
        Error::PlatformFailure(_) | Error::NoDefaultStore => VaultError::Unavailable { cause: words(&error) },
        // These hold what was stored, or entries: say which, never what.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => refused("the entry is not text"),
        Error::Ambiguous(_) => refused("there are several entries of that name"),
        Error::TooLong(_, most) => refused(&format!("the key is longer than {most} bytes")),
        other => refused(&words(&other)),
    }
}

fn refused(cause: &str) -> VaultError {
    VaultError::Refused { cause: cause.to_owned() }
}

/// The innermost cause, which is the one that says something.
fn words(error: &keyring_core::Error) -> String {
    use keyring_core::Error;
    match error {
        Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => cause.to_string(),
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::Ambiguous(_) => "unexpected entry".into(),
        other => other.to_string(),
    }
}
