#![allow(clippy::disallowed_methods, reason = "our own folders are made here, before any tool exists")]

use crate::{ConfigError, Environment};
use std::path::{Path, PathBuf};

/// Where everything lives. `NAMMA_HOME` moves it all into one folder; otherwise the folders of the
/// platform are used (XDG on Linux).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    data: PathBuf,
    config: PathBuf,
    cache: PathBuf,
    home: Option<PathBuf>,
    /// Set when `NAMMA_HOME` is: such a home has its own entries in the vault.
    moved: bool,
}

impl Paths {
    /// Finds the folders; makes none.
    ///
    /// # Errors
    /// [`ConfigError::NoHome`] when there is neither `NAMMA_HOME` nor a home folder.
    pub fn find(environment: &Environment) -> Result<Self, ConfigError> {
        let home = directories::BaseDirs::new().map(|base| base.home_dir().to_owned());
        if let Some(root) = environment.get("NAMMA_HOME") {
            let root = expand(&root, home.as_deref());
            let root =
                std::path::absolute(&root).map_err(|source| ConfigError::Folder { path: root.into(), source })?;
            let (data, config, cache) = (root.clone(), root.clone(), root.join("cache"));
            return Ok(Self { data, config, cache, home, moved: true });
        }
        let folders = directories::ProjectDirs::from("", "", "namma").ok_or(ConfigError::NoHome)?;
        Ok(Self {
            data: folders.data_dir().to_owned(),
            config: folders.config_dir().to_owned(),
            cache: folders.cache_dir().to_owned(),
            home,
            moved: false,
        })
    }

    /// Makes the folders, readable by their owner only.
    ///
    /// # Errors
    /// [`ConfigError::Folder`] when one cannot be made.
    pub fn prepare(&self) -> Result<(), ConfigError> {
        for folder in [&self.data, &self.config, &self.cache, &self.run_dir(), &self.logs_dir()] {
            make_private(folder).map_err(|source| ConfigError::Folder { path: folder.clone(), source })?;
        }
        Ok(())
    }

    pub fn data_dir(&self) -> &Path {
        &self.data
    }

    pub fn config_dir(&self) -> &Path {
        &self.config
    }

    pub fn cache_dir(&self) -> &Path {
        &self.cache
    }

    /// The one database.
    pub fn database(&self) -> PathBuf {
        self.data.join("namma.db")
    }

    /// Locks and sockets of running programs.
    pub fn run_dir(&self) -> PathBuf {
        self.data.join("run")
    }

    pub fn logs_dir(&self) -> PathBuf {
        self.data.join("logs")
    }

    /// The person's settings, differences only.
    pub fn overlay(&self) -> PathBuf {
        self.config.join("config.local.yaml")
    }

    /// Where a person may keep keys of vendors in clear, if they must.
    pub fn key_files(&self) -> Vec<PathBuf> {
        let at_home = self.home.as_ref().map(|home| home.join(".env"));
        std::iter::once(self.config.join(".env")).chain(at_home).collect()
    }

    /// The person's own table of models.
    pub fn models(&self) -> PathBuf {
        self.config.join("models.yaml")
    }

    /// Models that run here: what was downloaded, and the list of all that are known.
    pub fn models_dir(&self) -> PathBuf {
        self.data.join("models")
    }

    /// The person's own additions to the catalogue of models.
    pub fn local_models(&self) -> PathBuf {
        self.config.join("local-models.yaml")
    }

    /// A path or pattern with `~` replaced by the home folder.
    pub fn expand_home(&self, pattern: &str) -> String {
        expand(pattern, self.home.as_deref())
    }

    /// Under which name this home keeps its entries in the vault of the system.
    pub fn vault_name(&self) -> String {
        if self.moved { format!("namma-agent:{}", self.data.display()) } else { "namma-agent".into() }
    }
}

fn expand(pattern: &str, home: Option<&Path>) -> String {
    let Some(home) = home else { return pattern.to_owned() };
    match pattern.strip_prefix('~') {
        Some("") => home.display().to_string(),
        Some(rest) if rest.starts_with('/') => format!("{}{rest}", home.display()),
        _ => pattern.to_owned(),
    }
}

#[cfg(unix)]
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mode = std::fs::metadata(folder)?.permissions().mode();
    let is_shared = mode & 0o1000 != 0 || folder.parent().is_none();
    let is_home = directories::BaseDirs::new().is_some_and(|base| base.home_dir() == folder);
    if is_shared || is_home {
        // `NAMMA_HOME` names a folder that is not ours alone: /tmp, the whole home.
        return Ok(());
    }
    if mode & 0o077 != 0
        && let Err(error) = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
    {
        // Somebody else owns the folder, a mounted volume for example. It works, so go on.
        tracing::warn!(%error, "others may read a folder of ours, and its permissions cannot be changed");
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    // The profile of a Windows user is private already.
    std::fs::DirBuilder::new().recursive(true).create(folder)
}
