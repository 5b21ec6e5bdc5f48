//! How many threads answer fastest is found by trying: on a machine that others use, or on one
//! whose cores differ, no rule is right.

use crate::download::blocking;
use crate::error::LocalError;
use crate::server::{Server, ServerSettings};
use crate::shelf::{Measured, Shelf, ShelvedModel};
use namma_core::ports::{Clock, ProviderError};
use std::path::Path;
use std::time::Duration;

/// More threads must be this much faster; otherwise the cores are left to everything else.
const WORTH_IT: f64 = 0.9;

/// The cores that we may use.
pub(crate) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// What was measured before, if it was this file on a machine with as many cores.
pub(crate) fn remembered(model: &ShelvedModel) -> Option<u32> {
    let is_same = |measured: &Measured| measured.cores == cores() && measured.bytes == model.bytes;
    model.measured.filter(is_same).map(|measured| measured.threads)
}

/// Tries one number of threads after the other, each in a server of its own, and remembers the
/// best. `tell` hears what is tried.
pub(crate) async fn measure(
    shelf: &Shelf,
    launcher: &Path,
    model: &ShelvedModel,
    settings: &ServerSettings,
    clock: &dyn Clock,
    tell: &(dyn Fn(u32) + Sync),
) -> Result<u32, LocalError> {
    let mut tried = Vec::new();
    for threads in candidates(cores()) {
        tell(threads);
        let server = Server::start(launcher, model, settings, threads, clock).await?;
        let took = server.trial(clock).await;
        server.stop(clock).await;
        // One that is too slow says nothing of the next number.
        let Some(took) = took? else { continue };
        tried.push((threads, took));
        if best(&tried) != Some(threads) {
            break;
        }
    }
    let threads = best(&tried).ok_or_else(too_slow)?;
    tracing::info!(threads, cores = cores(), "measured how many threads answer fastest");
    let (shelf, name) = (shelf.clone(), model.name.clone());
    let measured = Measured { cores: cores(), bytes: model.bytes, threads };
    blocking(move || shelf.note_measured(&name, measured)).await?;
    Ok(threads)
}

fn too_slow() -> LocalError {
    LocalError::Server(ProviderError::LocalServer {
        what: "is too slow with this model, however many threads it uses".into(),
        log: String::new(),
        may_start_again: false,
        hint: "Choose a smaller model, or set `local_model.threads` to use it all the same.".into(),
    })
}

/// One, two, four and so on, and all of them.
fn candidates(cores: u32) -> Vec<u32> {
    let mut candidates: Vec<u32> = std::iter::successors(Some(1u32), |threads| threads.checked_mul(2))
        .take_while(|threads| *threads < cores)
        .collect();
    candidates.push(cores.max(1));
    candidates
}

/// The number that is clearly faster than every smaller one.
fn best(tried: &[(u32, Duration)]) -> Option<u32> {
    let first = tried.first()?;
    let mut best = *first;
    for trial in &tried[1..] {
        if trial.1.as_secs_f64() < best.1.as_secs_f64() * WORTH_IT {
            best = *trial;
        }
    }
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cores_are_tried_after_the_powers_of_two() {
        for (cores, tried) in [(1, vec![1]), (2, vec![1, 2]), (6, vec![1, 2, 4, 6]), (8, vec![1, 2, 4, 8])] {
            assert_eq!(candidates(cores), tried);
        }
    }

    #[test]
    fn more_threads_must_be_clearly_faster() {
        let took = |times: &[u64]| -> Vec<(u32, Duration)> {
            let threads = [1, 2, 4, 8];
            times.iter().zip(threads).map(|(ms, threads)| (threads, Duration::from_millis(*ms))).collect()
        };
        assert_eq!(best(&took(&[1000, 2400])), Some(1), "they wait for each other");
        assert_eq!(best(&took(&[1000, 950])), Some(1), "not worth a core");
        assert_eq!(best(&took(&[1000, 550, 300, 290])), Some(4));
        assert_eq!(best(&[]), None);
    }
}
