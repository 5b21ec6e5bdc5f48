//! What happens inside, for whoever asks with `NAMMA_LOG`.

use namma_config::Environment;
use tracing_subscriber::EnvFilter;

/// Starts the log on standard error. Without `NAMMA_LOG` only faults are told: a person is told
/// of everything else by the events of a turn.
pub(crate) fn start(environment: &Environment) {
    let filter = environment.get("NAMMA_LOG").unwrap_or_else(|| "error".into());
    let filter = EnvFilter::try_new(&filter).unwrap_or_else(|_| EnvFilter::new("error"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process keeps the first log.
    let _ = log.with_ansi(crate::screen::may_colour(environment)).try_init();
}
