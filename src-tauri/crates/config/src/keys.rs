//! Where the key of a vendor comes from.

use crate::{Environment, Secret, SecretStore, VaultError};
use namma_protocol::{ApiError, ErrorCode};

/// The key of a connection: the vault's entry, else the environment variable, else none, which is
/// right for local servers. The vault is not touched when no entry is named.
///
/// # Errors
/// [`KeyProblem`] when a key is named and cannot be had.
pub async fn resolve_key(
    entry: Option<&str>,
    variable: Option<&str>,
    vault: &dyn SecretStore,
    environment: &Environment,
) -> Result<Option<Secret>, KeyProblem> {
    let in_vault = match entry {
        Some(entry) => vault.get(entry).await.map(|key| key.filter(|key| !key.expose().is_empty())),
        None => Ok(None),
    };
    if let Ok(Some(key)) = in_vault {
        return Ok(Some(key));
    }
    if let Some(variable) = variable
        && let Some(text) = environment.key(variable)
    {
        if let Err(error) = &in_vault {
            tracing::warn!(%error, "the vault cannot be used, so the key of the environment is");
        }
        return Secret::from_pasted(&text)
            .map(Some)
            .ok_or_else(|| KeyProblem::NotAKey { variable: variable.to_owned() });
    }
    match (in_vault, entry, variable) {
        (Err(source), ..) => Err(KeyProblem::Vault { source }),
        (Ok(_), Some(entry), _) => Err(KeyProblem::NotInVault { entry: entry.to_owned() }),
        (Ok(_), None, Some(variable)) => Err(KeyProblem::NotInEnvironment { variable: variable.to_owned() }),
        (Ok(_), None, None) => Ok(None),
    }
}

/// Why there is no key although one is named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    #[error("could not fetch the key: {source}")]
    Vault { source: VaultError },
    #[error("the vault has no key named `{entry}`")]
    NotInVault { entry: String },
    #[error("the environment variable {variable} is not set")]
    NotInEnvironment { variable: String },
    #[error("what is in the environment variable {variable} cannot be a key")]
    NotAKey { variable: String },
}

impl From<&KeyProblem> for ApiError {
    fn from(problem: &KeyProblem) -> Self {
        let (code, hint) = match problem {
            KeyProblem::Vault { source } => (ErrorCode::VaultUnavailable, source.hint()),
            KeyProblem::NotInVault { .. } => (
                ErrorCode::KeyMissing,
                "Paste the key again under Settings, Providers, or run `namma connection set NAME --url ADDRESS --key`.",
            ),
            KeyProblem::NotInEnvironment { .. } => (
                ErrorCode::KeyMissing,
                "Set the variable or write it into `.env` in your home folder, and start again; or paste the key under Settings, Providers.",
            ),
            KeyProblem::NotAKey { .. } => {
                (ErrorCode::KeyMissing, "Set the variable to the key alone, without spaces or line breaks.")
            }
        };
        ApiError::new(code, problem.to_string()).hint(hint)
    }
}

impl From<KeyProblem> for ApiError {
    fn from(problem: KeyProblem) -> Self {
        Self::from(&problem)
    }
}
