//! `namma bench`: this program against its budgets, on this computer.
//!
//! The model is a thread of this process that answers at once, so what is measured is our own
//! work. Every figure has a home of its own in a temporary folder; nothing of the person is
//! touched. To add a figure: a function in the file of its kind and a line in its `figures`.

#![allow(clippy::disallowed_methods, reason = "a benchmark starts this program anew and fills temporary folders")]

mod core;
mod memory;
mod model;
mod search;
mod start;
mod turns;
mod writes;

use crate::arguments::Bench;
use crate::exit::Exit;
use crate::screen::{note, say, say_json};
use serde::Serialize;

/// One measured figure.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
    budget: f64,
    ok: bool,
}

impl Figure {
    /// A figure that should be small.
    fn at_most(name: &'static str, value: f64, unit: &'static str, budget: f64) -> Self {
        Self { name, value: rounded(value), unit, budget, ok: value <= budget }
    }

    /// A figure that should be large.
    fn at_least(name: &'static str, value: f64, unit: &'static str, budget: f64) -> Self {
        Self { name, value: rounded(value), unit, budget, ok: value >= budget }
    }
}

pub(crate) async fn bench(bench: Bench) -> anyhow::Result<Exit> {
    if let Some(home) = &bench.resident {
        memory::reside(home).await?;
        return Ok(Exit::Done);
    }
    let mut figures = Vec::new();
    let wanted = |name: &str| bench.only.as_deref().is_none_or(|only| name == only);
    if wanted("start") {
        note("measuring the start of the program");
        figures.extend(start::figures()?);
    }
    if wanted("turns") {
        note("measuring turns");
        figures.extend(turns::figures().await?);
    }
    if wanted("memory") {
        note("measuring memory");
        figures.extend(memory::figures()?);
    }
    if wanted("write") {
        note("measuring 20,000 turns written one after the other");
        figures.extend(writes::figures().await?);
    }
    if wanted("search") {
        note("measuring the search among 100,000 messages");
        figures.extend(search::figures().await?);
    }
    let exit = if figures.iter().all(|figure| figure.ok) { Exit::Done } else { Exit::Failed };
    if bench.output.json {
        say_json(&figures)?;
    } else {
        for figure in &figures {
            let mark = if figure.ok { "ok  " } else { "MISS" };
            let Figure { name, value, unit, budget, .. } = figure;
            say(&format!("{mark}  {name:<34} {value:>9} {unit:<8} (budget {budget})"))?;
        }
    }
    Ok(exit)
}

/// The value below which `share` of the samples lie.
fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let last = samples.len().saturating_sub(1);
    let at = (last as f64 * share).round() as usize;
    samples.get(at).copied().unwrap_or(f64::NAN)
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_samples() {
        let mut samples = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!(percentile(&mut samples, 0.5), 3.0);
        assert_eq!(percentile(&mut samples, 0.95), 5.0);
        assert!(percentile(&mut [], 0.5).is_nan(), "nothing measured is no figure");
    }

    #[test]
    fn a_figure_that_was_not_measured_is_never_within_its_budget() {
        assert!(!Figure::at_most("x", f64::NAN, "ms", 5.0).ok);
        assert!(!Figure::at_least("x", f64::NAN, "turns/s", 5.0).ok);
    }
}
