use namma_core::ports::ProviderError;
use namma_protocol::{ApiError, ErrorCode};
use namma_providers::DownloadError;
use std::path::PathBuf;

/// Why a model could not be installed, removed or tried.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalError {
    #[error("there is no model `{name}` here")]
    NotFound { name: String },
    #[error("there is no file `{}`", path.display())]
    NoFile { path: PathBuf },
    #[error("could not {what} `{}`: {cause}", path.display())]
    Disk { what: &'static str, path: PathBuf, cause: String },
    #[error("`{}` is no model that can be run: {why}", path.display())]
    NotAModel { path: PathBuf, why: String },
    #[error("`{name}` needs {:.1} GB on the disk, and {:.1} GB are free", gigabytes(*needed_bytes), gigabytes(*free_bytes))]
    NoSpace { name: String, needed_bytes: u64, free_bytes: u64 },
    #[error("there is a model `{name}` already, at `{}`", path.display())]
    NameTaken { name: String, path: PathBuf },
    #[error("`{name}` cannot be the name of a model")]
    BadName { name: String },
    #[error("`{name}` is being installed by another program")]
    Busy { name: String },
    #[error("could not download `{name}`: {cause}")]
    Download { name: String, cause: DownloadError },
    #[error("what was downloaded is not `{name}`: {why}")]
    Mismatch { name: String, why: String },
    #[error("there is no program `llama-server` to run models with")]
    NoServer,
    #[error("the system could not start the model server: {cause}")]
    CannotStart { cause: String },
    #[error("could not find a free port for the model server: {cause}")]
    NoPort { cause: String },
    #[error("the program `{}` of `local_model.server` cannot be run", path.display())]
    BadServer { path: PathBuf },
    #[error("the chat template `{}` cannot be read", path.display())]
    NoTemplate { path: PathBuf },
    #[error("{0}")]
    Server(#[from] ProviderError),
}

impl LocalError {
    /// What to do about it, as a full sentence.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { .. } => "Run `namma model list` to see what is here and what can be installed.".into(),
            Self::NoFile { .. } => "Check the path; if the file was moved, remove the model and install it again.".into(),
            Self::Disk { .. } => "Check that the disk has space and that you own the folder, and try again.".into(),
            Self::NotAModel { .. } => "Choose a whole GGUF file of a chat model, of version 2 or 3.".into(),
            Self::NoSpace { .. } => "Free some space, or choose a smaller model.".into(),
            Self::NameTaken { .. } => "Give it another name with `--name`, or remove the other one first.".into(),
            Self::BadName { .. } => "Use letters, digits, dots, dashes and underscores.".into(),
            Self::Busy { .. } => "Wait until it is done there; then it is here, too.".into(),
            Self::Download { cause: DownloadError::Lost { .. }, .. } => {
                "Check the network and run it again: it goes on where it stopped.".into()
            }
            Self::Download { cause: DownloadError::Busy { .. }, .. } => {
                "Wait some minutes and run it again: it goes on where it stopped.".into()
            }
            Self::Download { cause: DownloadError::Refused { status: 401 | 403, .. }, .. } => {
                "It is not given to everybody: download the file yourself, with your account there, and install it by its path.".into()
            }
            Self::Download { .. } => "Check the address in the catalogue, or download the file yourself and install it by its path.".into(),
            Self::Mismatch { .. } => "The file was deleted. Try again; if it happens again, the catalogue is out of date or the file was changed.".into(),
            Self::NoServer => "Install llama.cpp (https://github.com/ggml-org/llama.cpp) or name its `llama-server` in `local_model.server`; or install Ollama or LM Studio.".into(),
            Self::CannotStart { .. } => "Close programs that you do not need, and ask again.".into(),
            Self::NoPort { .. } => "Close programs that hold many connections, and ask again.".into(),
            Self::BadServer { .. } => "Correct the path, or leave it empty to look on the search path.".into(),
            Self::NoTemplate { .. } => "Correct the path of the template.".into(),
            Self::Server(error) => error.to_api_error("").hint.unwrap_or_default(),
        }
    }

    pub(crate) fn disk(what: &'static str, path: impl Into<PathBuf>, error: &std::io::Error) -> Self {
        Self::Disk { what, path: path.into(), cause: error.to_string() }
    }

    /// The error of a turn that needed the model.
    pub(crate) fn to_provider_error(&self) -> ProviderError {
        match self {
            Self::Server(error) => error.clone(),
            Self::NotFound { name } => ProviderError::ModelNotFound { model: name.clone(), message: self.to_string() },
            other => ProviderError::LocalServer {
                what: format!("is not started: {other}"),
                log: String::new(),
                may_start_again: false,
                hint: other.hint(),
            },
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

impl From<&LocalError> for ApiError {
    fn from(error: &LocalError) -> Self {
        let code = match error {
            LocalError::NotFound { .. } | LocalError::NoFile { .. } => ErrorCode::NotFound,
            LocalError::Disk { .. } | LocalError::NoSpace { .. } => ErrorCode::StorageUnavailable,
            LocalError::NotAModel { .. }
            | LocalError::NameTaken { .. }
            | LocalError::BadName { .. }
            | LocalError::NoTemplate { .. } => ErrorCode::InvalidInput,
            LocalError::Busy { .. } => ErrorCode::Busy,
            LocalError::Download { cause: DownloadError::Lost { .. }, .. } => ErrorCode::Unreachable,
            LocalError::Download { cause: DownloadError::Busy { .. }, .. }
            | LocalError::CannotStart { .. }
            | LocalError::NoPort { .. } => ErrorCode::ServerFailed,
            LocalError::Download { .. } => ErrorCode::BadRequest,
            LocalError::Mismatch { .. } => ErrorCode::Malformed,
            LocalError::NoServer => ErrorCode::NotConfigured,
            LocalError::BadServer { .. } => ErrorCode::ConfigInvalid,
            LocalError::Server(error) => return error.to_api_error("the model server on this computer"),
        };
        Self::new(code, error.to_string()).hint(error.hint())
    }
}

impl From<LocalError> for ApiError {
    fn from(error: LocalError) -> Self {
        Self::from(&error)
    }
}
