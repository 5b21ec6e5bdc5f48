//! The memory of the core in a process of its own, without the model.

use super::Figure;
use super::core::{message, open, turn};
use super::model::Model;
use anyhow::Context;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const TURNS: usize = 200;

pub(crate) fn figures() -> anyhow::Result<[Figure; 2]> {
    let (model, home) = (Model::start()?, tempfile::tempdir()?);
    let mut resident = Command::new(std::env::current_exe()?)
        .args(["bench", "--resident"])
        .arg(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut orders = resident.stdin.take().context("no way to the resident")?;
    let mut reports = BufReader::new(resident.stdout.take().context("no way from the resident")?);
    let id = resident.id();
    writeln!(orders, "{}", model.base_url())?;
    let idle = resident_megabytes(id, &mut reports)?;
    writeln!(orders, "turns")?;
    let busy = resident_megabytes(id, &mut reports)?;
    drop(orders);
    anyhow::ensure!(resident.wait()?.success(), "the resident failed");
    Ok([Figure::at_most("memory_idle", idle, "MB", 25.0), Figure::at_most("memory_after_200_turns", busy, "MB", 30.0)])
}

/// Waits for the resident to be ready, then looks at it from outside.
fn resident_megabytes(id: u32, reports: &mut impl BufRead) -> anyhow::Result<f64> {
    let mut line = String::new();
    anyhow::ensure!(reports.read_line(&mut line)? > 0, "the resident ended early");
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = kilobytes.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1000.0)
}

/// The other side: an app that is idle, then makes turns, and says when it is done with each.
pub(crate) async fn reside(home: &Path) -> anyhow::Result<()> {
    let mut orders = std::io::stdin().lines();
    let base_url = orders.next().context("no model was named")??;
    let app = open(home, &base_url).await?;
    app.session_list().await?;
    crate::screen::say("idle")?;
    while let Some(order) = orders.next().transpose()? {
        if order == "turns" {
            for _ in 0..TURNS {
                turn(&app, message(None, "text-20")).await?;
            }
            crate::screen::say("done")?;
        }
    }
    app.close().await;
    Ok(())
}
