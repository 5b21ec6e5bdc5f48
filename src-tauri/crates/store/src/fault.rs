use namma_core::ports::StoreError;
use std::path::Path;

/// What can go wrong inside, before it is told in the reader's words.
#[derive(Debug)]
pub(crate) enum Fault {
    Sql(sqlx::Error),
    Told(StoreError),
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Told(StoreError::Failed(format!("a row could not be read: {error}")))
    }
}

impl Fault {
    /// The fault as the port's error. `path` is the database's.
    pub(crate) fn tell(self, path: &Path) -> StoreError {
        match self {
            Self::Told(error) => error,
            Self::Sql(error) => tell_sql(&error, path),
        }
    }

    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Told(error) => matches!(error, StoreError::Damaged { .. }),
            Self::Sql(error) => matches!(primary_code(error), Some(CORRUPT | NOT_A_DATABASE)),
        }
    }
}

/// There is no such thing.
pub(crate) fn not_found(what: impl Into<String>) -> Fault {
    Fault::Told(StoreError::NotFound { what: what.into() })
}

pub(crate) fn failed(why: impl Into<String>) -> Fault {
    Fault::Told(StoreError::Failed(why.into()))
}

pub(crate) fn unwritable(path: &Path, cause: &std::io::Error) -> StoreError {
    StoreError::Unwritable { path: path.display().to_string(), cause: cause.to_string() }
}

// Primary result codes of SQLite.
const PERMISSION: u32 = 3;
const READ_ONLY: u32 = 8;
const INPUT_OUTPUT: u32 = 10;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CANNOT_OPEN: u32 = 14;
const NOT_A_DATABASE: u32 = 26;

fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    code.parse::<u32>().ok().map(|extended| extended & 0xff)
}

fn tell_sql(error: &sqlx::Error, path: &Path) -> StoreError {
    let path = path.display().to_string();
    let cause = match error.as_database_error() {
        Some(database) => database.message().to_owned(),
        None => error.to_string(),
    };
    match primary_code(error) {
        Some(CORRUPT | NOT_A_DATABASE) => StoreError::Damaged { path, cause },
        Some(PERMISSION | READ_ONLY | INPUT_OUTPUT | FULL | CANNOT_OPEN) => StoreError::Unwritable { path, cause },
        _ => StoreError::Failed(cause),
    }
}
