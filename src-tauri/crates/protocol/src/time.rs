use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct UnixMs(#[specta(type = i32)] pub i64);
