//! Writes `config.local.yaml`: whole or not at all, readable by its owner only.

#![allow(clippy::disallowed_methods, reason = "the one place that writes settings")]

use crate::{ConfigError, paths::make_private};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const HEADER: &str = "\
# Your settings: only what differs from the defaults. Settings rewrites this file and keeps the
# comments above the first setting. `namma config get` shows everything that can stand here.
";

/// Held while the overlay is read, changed and written: the app and the command line may do so at
/// the same time. Released when dropped, also by a crash.
pub(crate) struct OverlayLock(#[expect(dead_code, reason = "held, not read")] File);

impl OverlayLock {
    pub(crate) fn take(overlay: &Path) -> Result<Self, ConfigError> {
        let path = overlay.with_extension("lock");
        let take = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                make_private(folder)?;
            }
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        take().map(Self).map_err(|source| ConfigError::Write { path: overlay.to_owned(), source })
    }
}

/// Replaces the overlay. On any error the old file stays as it was.
pub(crate) fn write(overlay: &Path, settings: Option<&Value>) -> Result<(), ConfigError> {
    replace(overlay, settings).map_err(|source| ConfigError::Write { path: overlay.to_owned(), source })
}

fn replace(overlay: &Path, settings: Option<&Value>) -> io::Result<()> {
    // People keep such files in a repository and link them here: write through the link.
    let target = std::fs::canonicalize(overlay).unwrap_or_else(|_| overlay.to_owned());
    let folder = target.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let mut text = comments(&target);
    if let Some(settings) = settings {
        text.push('\n');
        text.push_str(&serde_saphyr::to_string(settings).map_err(io::Error::other)?);
    }
    let mut file = tempfile::Builder::new().prefix(".config.").suffix(".tmp").tempfile_in(&folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    sync_folder(&folder)
}

/// The comments above the first setting, or ours.
fn comments(target: &Path) -> String {
    // A file that cannot be read was refused before; a new one gets our header.
    let text = std::fs::read_to_string(target).unwrap_or_default();
    let text = text.trim_start_matches('\u{feff}');
    let kept: Vec<&str> =
        text.lines().map(str::trim_end).take_while(|line| line.is_empty() || line.starts_with('#')).collect();
    let kept = kept.join("\n");
    if kept.trim().is_empty() { HEADER.to_owned() } else { format!("{}\n", kept.trim_end()) }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
