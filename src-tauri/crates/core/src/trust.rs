//! How far a text or a caller is trusted. Set by the transport, carried with the data, and only
//! ever lowered.

use serde::{Deserialize, Serialize};

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The person at this computer.
    Owner,
    /// A paired person on a bridge.
    Trusted,
    /// Anybody else.
    Untrusted,
    /// Nobody: work that started by itself.
    Autonomous,
}

impl Trust {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Trusted => "trusted",
            Self::Untrusted => "untrusted",
            Self::Autonomous => "autonomous",
        }
    }

    /// Reads what [`Trust::as_str`] wrote; anything else is untrusted.
    pub fn parse(text: &str) -> Self {
        match text {
            "owner" => Self::Owner,
            "trusted" => Self::Trusted,
            "autonomous" => Self::Autonomous,
            _ => Self::Untrusted,
        }
    }
}

/// Where text from outside came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Taint {
    /// A page of the web.
    Web = 1,
    /// A file or document on this computer.
    Document = 1 << 1,
    /// The output of a command.
    Command = 1 << 2,
}

/// The sources of everything a turn has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaintSet(pub u32);

impl TaintSet {
    pub const CLEAN: Self = Self(0);

    #[must_use]
    pub fn with(self, taint: Taint) -> Self {
        Self(self.0 | taint as u32)
    }

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn is_clean(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, taint: Taint) -> bool {
        self.0 & taint as u32 != 0
    }
}

impl From<Taint> for TaintSet {
    fn from(taint: Taint) -> Self {
        Self::CLEAN.with(taint)
    }
}
