//! The log: on stderr, and in a file of our own folder, because a desktop program has no terminal.

use crate::app_slot::Launch;
use std::fs::File;
use std::sync::Mutex;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::MakeWriterExt;

/// A larger file is begun anew; the old one is kept once.
const MOST_BYTES: u64 = 2 << 20;

pub(crate) fn start(launch: &Launch) {
    let level = launch.first_look().map_or("info", |config| config.logging.level.as_str());
    // Libraries are heard when they warn.
    let filter = EnvFilter::new(format!(
        "warn,namma={level},namma_app={level},namma_config={level},namma_core={level},namma_desktop={level},\
         namma_local={level},namma_providers={level},namma_store={level},namma_tools={level}"
    ));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    let started = match file(launch) {
        Some(file) => lines.with_writer(Mutex::new(file).and(std::io::stderr)).try_init(),
        None => lines.with_writer(std::io::stderr).try_init(),
    };
    if let Err(error) = started {
        tracing::debug!(error, "somebody else logs already");
    }
}

#[expect(clippy::disallowed_methods, reason = "the shell's own log, in our own folder")]
fn file(launch: &Launch) -> Option<File> {
    let paths = launch.paths.as_ref().ok()?;
    // What fails here is told again, with words, when the core opens.
    paths.prepare().ok()?;
    let path = paths.logs_dir().join("desktop.log");
    if path.metadata().is_ok_and(|facts| facts.len() > MOST_BYTES) {
        std::fs::rename(&path, path.with_extension("log.old")).ok()?;
    }
    File::options().create(true).append(true).open(path).ok()
}
