//! How commands are confined. In order of strength: bubblewrap, Landlock, limits only.
//!
//! Every command runs below a launcher, which is our own program started again
//! (`sandbox-exec`): it applies limits, starts the confined command, and leaves no process
//! behind, however the command, the call or the app ends. What each level promises is in
//! [`Sandbox::describe`] and in `docs/SECURITY.md`; a level never claims more than it does.

mod bubblewrap;
mod folders;
mod landlock;
mod launcher;
mod processes;

pub use launcher::sandbox_exec_if_asked;

pub(crate) use launcher::{ASKED, KEEP, KeepPlan};
pub(super) use launcher::{Report, SUPERVISE};

use crate::gate::secrets::Secrets;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What keeps a command in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confinement {
    /// Its own view of files, processes and network.
    Bubblewrap { program: PathBuf },
    /// Kernel rules on files and TCP, in our own view of the computer.
    Landlock,
    /// Nothing but limits of size and time.
    LimitsOnly,
}

impl Confinement {
    /// What works on this computer, strongest first, each tried out when it is asked for.
    pub fn available() -> impl Iterator<Item = Self> {
        let bubblewrap =
            std::iter::once_with(|| bubblewrap::find_working().map(|program| Self::Bubblewrap { program }));
        let landlock = std::iter::once_with(|| landlock::works().then_some(Self::Landlock));
        bubblewrap.chain(landlock).flatten().chain([Self::LimitsOnly])
    }
}

/// May commands reach the network?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    Denied,
    Allowed,
}

/// How commands are confined on this computer.
#[derive(Clone, Debug)]
pub struct Sandbox {
    launcher: PathBuf,
    home: PathBuf,
    writable: Vec<PathBuf>,
    hidden: Vec<PathBuf>,
    network: Network,
    found: Arc<OnceLock<Confinement>>,
}

/// All that the launcher needs to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) command: String,
    pub(super) cwd: PathBuf,
    pub(super) home: PathBuf,
    pub(super) writable: Vec<PathBuf>,
    pub(super) hidden: Vec<PathBuf>,
    pub(super) network: Network,
    pub(super) confinement: Confinement,
    pub(super) cpu_seconds: u64,
}

impl Sandbox {
    /// The strongest confinement that works here. `launcher` is a program of ours that calls
    /// [`sandbox_exec_if_asked`] first of all. What works is tried out at the first use, which
    /// takes some 20 ms, and remembered.
    pub fn detect(launcher: impl Into<PathBuf>) -> Self {
        Self {
            launcher: launcher.into(),
            home: std::env::home_dir().unwrap_or_else(|| PathBuf::from("/nonexistent")),
            writable: Vec::new(),
            hidden: Vec::new(),
            network: Network::Denied,
            found: Arc::default(),
        }
    }

    /// One particular confinement, for a computer where the strongest gets in the way.
    #[must_use]
    pub fn confined_by(mut self, confinement: Confinement) -> Self {
        self.found = Arc::new(OnceLock::from(confinement));
        self
    }

    /// The home folder, when it is not that of the account.
    #[must_use]
    pub fn at_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = home.into();
        self
    }

    /// Folders commands may write to, beside their working folder.
    #[must_use]
    pub fn writing_to(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.writable.extend(folders);
        self
    }

    /// Files and folders commands cannot see: our own data.
    #[must_use]
    pub fn hiding(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        self.hidden.extend(paths);
        self
    }

    #[must_use]
    pub fn with_network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// What confines commands here. Blocks for a moment at the first call.
    pub fn confinement(&self) -> &Confinement {
        self.found.get_or_init(|| Confinement::available().next().unwrap_or(Confinement::LimitsOnly))
    }

    /// What is promised, in one line for approvals and the doctor.
    pub fn describe(&self) -> String {
        let network = match (self.network, self.confinement()) {
            (Network::Allowed, _) => "with network",
            (Network::Denied, Confinement::Landlock) => "no TCP connections",
            (Network::Denied, _) => "no network",
        };
        match self.confinement() {
            Confinement::Bubblewrap { .. } => {
                format!("bubblewrap: reads the system but no keys, writes only to its folder, {network}")
            }
            Confinement::Landlock => {
                format!("Landlock: reads the system but no keys, writes only to its folder, {network}")
            }
            Confinement::LimitsOnly => "no OS sandbox: the command can do all that this account can do".into(),
        }
    }

    pub(super) fn launcher(&self) -> &Path {
        &self.launcher
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    pub(super) fn secrets(&self) -> Secrets {
        Secrets { home: self.home.clone(), hidden: self.hidden.clone() }
    }

    pub(super) fn plan(&self, command: &str, cwd: &Path, timeout: Duration) -> Plan {
        Plan {
            command: command.into(),
            cwd: cwd.into(),
            home: self.home.clone(),
            writable: self.writable.clone(),
            hidden: self.hidden.clone(),
            network: self.network,
            confinement: self.confinement().clone(),
            // On every core all the time, and a little.
            cpu_seconds: timeout.as_secs().saturating_add(1).saturating_mul(2),
        }
    }
}
