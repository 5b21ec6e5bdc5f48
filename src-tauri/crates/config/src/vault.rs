//! The vault of the operating system, where keys of vendors are kept.
//!
//! Nothing here ever writes a key into a file. Without a vault the answer is a typed error that
//! says what to do, and an environment variable does instead.

mod keyring;
mod memory;

pub use keyring::Keyring;
pub use memory::MemoryVault;

use crate::Secret;
use namma_protocol::{ApiError, ErrorCode};
use std::future::Future;
use std::pin::Pin;

/// A boxed answer, so that the vault can be a trait object.
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, VaultError>> + Send + 'a>>;

/// Keeps secrets by name. The real one is [`Keyring`], the fake is [`MemoryVault`].
pub trait SecretStore: Send + Sync + 'static {
    /// The secret of that name, `None` when there is none. May raise the system's unlock prompt.
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret>>;

    /// Keeps a secret under a name, in place of an older one.
    fn set<'a>(&'a self, name: &'a str, secret: Secret) -> Answer<'a, ()>;

    /// Forgets a secret. Forgetting one that is not there is fine.
    fn delete<'a>(&'a self, name: &'a str) -> Answer<'a, ()>;

    /// Whether the vault can be used. Never raises a prompt.
    fn status(&self) -> Answer<'_, VaultStatus>;
}

/// A vault that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VaultStatus {
    Ready,
    /// It will ask to be unlocked when it is used.
    Locked,
}

/// Why the vault could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// There is no vault on this computer or in this session.
    #[error("there is no vault for keys in this session: {cause}")]
    Unavailable { cause: String },
    /// It is there, locked, and was not unlocked.
    #[error("the vault for keys is locked: {cause}")]
    Locked { cause: String },
    /// It did not answer; mostly its prompt is waiting.
    #[error("the vault for keys did not answer within {seconds} s")]
    TimedOut { seconds: u64 },
    /// It answered, and would not.
    #[error("the vault for keys refused: {cause}")]
    Refused { cause: String },
}

impl VaultError {
    /// What to do about it, as a full sentence.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } if cfg!(target_os = "linux") => {
                "Install gnome-keyring or KWallet and sign in again, or set an environment variable with the key and \
                 name it in `provider.api_key_env`."
            }
            Self::Unavailable { .. } => {
                "Set an environment variable with the key and name it in `provider.api_key_env`."
            }
            Self::Locked { .. } if cfg!(target_os = "linux") => {
                "Unlock the keyring, in Passwords and Keys (seahorse) or KWalletManager, and try again, or set an \
                 environment variable with the key and name it in `provider.api_key_env`."
            }
            Self::Locked { .. } => "Unlock the vault of the system and try again.",
            Self::TimedOut { .. } => "Answer the unlock prompt, which may be behind another window, and try again.",
            Self::Refused { .. } => "Set an environment variable with the key and name it in `provider.api_key_env`.",
        }
    }
}

impl From<&VaultError> for ApiError {
    fn from(error: &VaultError) -> Self {
        ApiError::new(ErrorCode::VaultUnavailable, error.to_string()).hint(error.hint())
    }
}

impl From<VaultError> for ApiError {
    fn from(error: VaultError) -> Self {
        Self::from(&error)
    }
}
