//! `namma audit`: what tools did and were refused.

use crate::arguments::Audit;
use crate::exit::Exit;
use crate::screen::{note, plain, say, say_json};
use crate::{host, words};
use namma_app::{AuditRow, ChainReport};
use namma_core::ports::DeclineAll;
use namma_protocol::UnixMs;
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct Report {
    /// The newest first.
    rows: Vec<AuditRow>,
    chain: ChainReport,
}

pub(crate) async fn audit(audit: Audit) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let read = app.audit(audit.limit).await;
    app.close().await;
    let (rows, chain) = read?;
    let exit = if chain.broken_at.is_none() { Exit::Done } else { Exit::Failed };
    if audit.output.json {
        say_json(&Report { rows, chain })?;
        return Ok(exit);
    }
    for row in rows.iter().rev() {
        say(&plain(&line(row)))?;
    }
    match chain.broken_at {
        None => note(&format!("{}, the chain is whole", words::count(rows_in(chain), "row"))),
        Some(at) => {
            note(&format!("namma: the chain is broken at row {at}"));
            note("  Somebody or something changed the audit log outside the program.");
        }
    }
    Ok(exit)
}

fn rows_in(chain: ChainReport) -> usize {
    usize::try_from(chain.rows).unwrap_or(0)
}

fn line(row: &AuditRow) -> String {
    let approver = row.approver.as_deref().map(|name| format!(" by {name}")).unwrap_or_default();
    format!(
        "{:>6}  {}  {:<8} {:<11} {}{approver}  {} {}",
        row.seq,
        words::moment(UnixMs(row.at)),
        row.phase,
        row.verdict,
        row.code,
        row.tool,
        words::first_line(&row.input, 120),
    )
}
