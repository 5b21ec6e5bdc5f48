//! The audit log: append-only by triggers, chained by hash, never purged.
//!
//! The hash of a row is SHA-256 of the hash before it (32 zero bytes for the first) followed by
//! the row's fields as one JSON list in the order of [`canonical`]. Whoever changes, removes or
//! swaps rows with another program breaks the chain at that row.

use crate::fault::Fault;
use crate::store::Store;
use namma_core::BoxFuture;
use namma_core::ports::{AuditEntry, AuditLog, StoreError};
use namma_protocol::UnixMs;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

/// An audit entry read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    /// Counts up from 1 without gaps.
    pub seq: i64,
    pub at: i64,
    pub session_id: String,
    pub turn_id: String,
    pub call_id: String,
    pub phase: String,
    pub trust: String,
    pub taint: i64,
    pub tool: String,
    pub input: String,
    pub input_hash: String,
    pub verdict: String,
    pub stage: i64,
    pub code: String,
    pub approver: Option<String>,
    pub approval_ms: Option<i64>,
    pub sandbox: Option<String>,
    pub duration_ms: Option<i64>,
    pub result_hash: Option<String>,
    pub result_bytes: Option<i64>,
    /// In hex.
    pub hash: String,
}

/// What [`Store::audit_verify_chain`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainReport {
    /// Rows that were checked.
    pub rows: i64,
    /// The first row that does not follow from the one before; `None` when the chain is whole.
    pub broken_at: Option<i64>,
}

/// Rows read at a time when the chain is checked.
const PAGE: i64 = 1000;

impl AuditLog for Store {
    fn record<'a>(&'a self, entry: &'a AuditEntry) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.explain(self.record_chained(entry).await) })
    }
}

impl Store {
    /// The newest entries first, at most `limit`, not older than `since`.
    pub async fn audit_list(&self, limit: u32, since: Option<UnixMs>) -> Result<Vec<AuditRow>, StoreError> {
        let listed = async {
            let rows = sqlx::query(
                "select seq, at, session_id, turn_id, call_id, phase, trust, taint, tool, input, input_hash,
                   verdict, stage, code, approver, approval_ms, sandbox, duration_ms, result_hash, result_bytes, hash
                 from audit
                 where at >= ?
                 order by seq desc
                 limit ?",
            )
            .bind(since.map_or(i64::MIN, |since| since.0))
            .bind(i64::from(limit))
            .fetch_all(self.readers())
            .await?;
            rows.iter().map(read_row).collect()
        };
        self.explain(listed.await)
    }

    /// Follows the chain from the first row to the last.
    pub async fn audit_verify_chain(&self) -> Result<ChainReport, StoreError> {
        let verified = async {
            let mut hash = vec![0; 32];
            let mut rows = 0;
            loop {
                let page = self.page_after(rows).await?;
                for row in &page {
                    hash = chained(&hash, row)?;
                    if row.seq != rows + 1 || row.hash != hex::encode(&hash) {
                        return Ok(ChainReport { rows, broken_at: Some(row.seq) });
                    }
                    rows += 1;
                }
                if (page.len() as i64) < PAGE {
                    return Ok(ChainReport { rows, broken_at: None });
                }
            }
        };
        self.explain(verified.await)
    }

    async fn page_after(&self, seq: i64) -> Result<Vec<AuditRow>, Fault> {
        let rows = sqlx::query(
            "select seq, at, session_id, turn_id, call_id, phase, trust, taint, tool, input, input_hash,
               verdict, stage, code, approver, approval_ms, sandbox, duration_ms, result_hash, result_bytes, hash
             from audit
             where seq > ?
             order by seq
             limit ?",
        )
        .bind(seq)
        .bind(PAGE)
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(read_row).collect()
    }

    async fn record_chained(&self, entry: &AuditEntry) -> Result<(), Fault> {
        let mut transaction = self.begin().await?;
        let last = sqlx::query(
            "select seq, hash
             from audit
             order by seq desc
             limit 1",
        )
        .fetch_optional(&mut *transaction)
        .await?;
        let (seq, before): (i64, Vec<u8>) = match last {
            Some(row) => (row.try_get(0)?, row.try_get(1)?),
            None => (0, vec![0; 32]),
        };
        let row = row_of(seq + 1, entry);
        let hash = chained(&before, &row)?;
        sqlx::query(
            "insert into audit (seq, at, session_id, turn_id, call_id, phase, trust, taint, tool, input, input_hash,
               verdict, stage, code, approver, approval_ms, sandbox, duration_ms, result_hash, result_bytes, hash)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(row.seq)
        .bind(row.at)
        .bind(&row.session_id)
        .bind(&row.turn_id)
        .bind(&row.call_id)
        .bind(&row.phase)
        .bind(&row.trust)
        .bind(row.taint)
        .bind(&row.tool)
        .bind(&row.input)
        .bind(&row.input_hash)
        .bind(&row.verdict)
        .bind(row.stage)
        .bind(&row.code)
        .bind(&row.approver)
        .bind(row.approval_ms)
        .bind(&row.sandbox)
        .bind(row.duration_ms)
        .bind(&row.result_hash)
        .bind(row.result_bytes)
        .bind(hash)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}

fn row_of(seq: i64, entry: &AuditEntry) -> AuditRow {
    AuditRow {
        seq,
        at: entry.at.0,
        session_id: entry.session_id.0.clone(),
        turn_id: entry.turn_id.0.clone(),
        call_id: entry.call_id.0.clone(),
        phase: entry.phase.as_str().to_owned(),
        trust: entry.trust.as_str().to_owned(),
        taint: i64::from(entry.taint.0),
        tool: entry.tool.clone(),
        input: entry.input.clone(),
        input_hash: entry.input_hash.clone(),
        verdict: entry.verdict.clone(),
        stage: i64::from(entry.stage),
        code: entry.code.clone(),
        approver: entry.approver.clone(),
        approval_ms: entry.approval_ms.map(i64::from),
        sandbox: entry.sandbox.clone(),
        duration_ms: entry.duration_ms.map(i64::from),
        result_hash: entry.result_hash.clone(),
        result_bytes: entry.result_bytes.map(i64::from),
        hash: String::new(),
    }
}

/// The hash of a row that follows a row with the hash `before`.
fn chained(before: &[u8], row: &AuditRow) -> Result<Vec<u8>, Fault> {
    let mut sha = Sha256::new();
    sha.update(before);
    sha.update(canonical(row)?);
    Ok(sha.finalize().to_vec())
}

/// The fields that are chained, in an order that never changes; a new column gets its own list.
fn canonical(row: &AuditRow) -> Result<Vec<u8>, Fault> {
    let identity = (row.seq, row.at, &row.session_id, &row.turn_id, &row.call_id, &row.phase, &row.trust, row.taint);
    let call = (&row.tool, &row.input, &row.input_hash);
    let decision = (&row.verdict, row.stage, &row.code, &row.approver, row.approval_ms);
    let run = (&row.sandbox, row.duration_ms, &row.result_hash, row.result_bytes);
    Ok(serde_json::to_vec(&(identity, call, decision, run))?)
}

fn read_row(row: &SqliteRow) -> Result<AuditRow, Fault> {
    Ok(AuditRow {
        seq: row.try_get(0)?,
        at: row.try_get(1)?,
        session_id: row.try_get(2)?,
        turn_id: row.try_get(3)?,
        call_id: row.try_get(4)?,
        phase: row.try_get(5)?,
        trust: row.try_get(6)?,
        taint: row.try_get(7)?,
        tool: row.try_get(8)?,
        input: row.try_get(9)?,
        input_hash: row.try_get(10)?,
        verdict: row.try_get(11)?,
        stage: row.try_get(12)?,
        code: row.try_get(13)?,
        approver: row.try_get(14)?,
        approval_ms: row.try_get(15)?,
        sandbox: row.try_get(16)?,
        duration_ms: row.try_get(17)?,
        result_hash: row.try_get(18)?,
        result_bytes: row.try_get(19)?,
        hash: hex::encode(row.try_get::<&[u8], _>(20)?),
    })
}
