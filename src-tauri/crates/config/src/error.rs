use namma_protocol::{ApiError, ErrorCode};
use std::fmt;
use std::path::PathBuf;

/// Why the configuration could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("could not find your home folder")]
    NoHome,
    #[error("could not make the folder {}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("could not read {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("could not write {}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    /// Settings that are wrong, at least one, in the order they are written.
    #[error("{}", first(problems))]
    Invalid { problems: Vec<Problem> },
    /// A setting that was asked for does not exist.
    #[error("there is no setting `{key}`")]
    UnknownKey { key: String, suggestion: Option<String> },
    /// A key of a vendor where none may stand.
    #[error("`{key}` would keep a key in a file in clear")]
    SecretRefused { key: String },
}

impl ConfigError {
    /// What to do about it, as a full sentence.
    pub fn hint(&self) -> String {
        match self {
            Self::NoHome => "Set NAMMA_HOME to a folder of your choice.".into(),
            Self::Folder { source, .. } | Self::Read { source, .. } | Self::Write { source, .. } => {
                format!("The system says: {source}. Check that the disk has space and that you own the folder.")
            }
            Self::Invalid { problems } => problems.first().map_or_else(String::new, |problem| problem.hint.clone()),
            Self::UnknownKey { suggestion: Some(known), .. } => format!("Use `{known}` instead."),
            Self::UnknownKey { suggestion: None, .. } => "Run `namma config get` to see all settings.".into(),
            Self::SecretRefused { .. } => SECRET_HINT.into(),
        }
    }

    /// The same as a list, for a report of everything that is wrong.
    pub fn problems(self) -> Vec<Problem> {
        match self {
            Self::Invalid { problems } => problems,
            other => {
                let hint = other.hint();
                let place = match &other {
                    Self::Folder { path, .. } | Self::Read { path, .. } | Self::Write { path, .. } => {
                        Some(Place::File { path: path.clone(), line: None })
                    }
                    Self::NoHome | Self::Invalid { .. } | Self::UnknownKey { .. } | Self::SecretRefused { .. } => None,
                };
                vec![Problem { place, key: String::new(), message: other.to_string(), hint }]
            }
        }
    }
}

pub(crate) const SECRET_HINT: &str = "Paste the key under Settings, Providers, which keeps it in the vault of the \
     system, or set an environment variable and name it in `provider.api_key_env`.";

impl From<&ConfigError> for ApiError {
    fn from(error: &ConfigError) -> Self {
        let code = match error {
            ConfigError::NoHome | ConfigError::Folder { .. } | ConfigError::Read { .. } | ConfigError::Write { .. } => {
                ErrorCode::StorageUnavailable
            }
            ConfigError::Invalid { .. } => ErrorCode::ConfigInvalid,
            ConfigError::UnknownKey { .. } | ConfigError::SecretRefused { .. } => ErrorCode::InvalidInput,
        };
        ApiError::new(code, error.to_string()).hint(error.hint())
    }
}

impl From<ConfigError> for ApiError {
    fn from(error: ConfigError) -> Self {
        Self::from(&error)
    }
}

/// One thing that is wrong with the configuration. Never holds a value that may be a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: Option<Place>,
    /// The dotted key; empty when the file as a whole is meant.
    pub key: String,
    /// Lower case, no full stop.
    pub message: String,
    /// A full sentence with an action.
    pub hint: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    File { path: PathBuf, line: Option<u64> },
    Variable { name: String },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line: Some(line) } => write!(f, "{}:{line}", path.display()),
            Self::File { path, line: None } => write!(f, "{}", path.display()),
            Self::Variable { name } => write!(f, "environment variable {name}"),
        }
    }
}

fn first(problems: &[Problem]) -> String {
    match problems {
        [] => "the configuration is not valid".into(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
