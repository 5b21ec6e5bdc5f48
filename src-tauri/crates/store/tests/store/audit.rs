use crate::support::{Home, START, execute, raw};
use namma_core::ports::{AuditEntry, AuditLog, AuditPhase};
use namma_core::trust::{Taint, TaintSet, Trust};
use namma_protocol::{SessionId, ToolCallId, TurnId, UnixMs};
use namma_store::{AuditRow, ChainReport, Store};

pub(crate) fn entry(number: i64) -> AuditEntry {
    AuditEntry {
        at: UnixMs(START.0 + number),
        session_id: SessionId::from("ses_1"),
        turn_id: TurnId::from("turn_1"),
        call_id: ToolCallId(format!("call_{number}")),
        phase: AuditPhase::Done,
        trust: Trust::Owner,
        taint: TaintSet::from(Taint::Web),
        tool: "write_file".to_owned(),
        input: "{\"path\":\"a\"}".to_owned(),
        input_hash: "ab".to_owned(),
        verdict: "succeeded".to_owned(),
        stage: 6,
        code: "policy_asked".to_owned(),
        approver: Some("desk".to_owned()),
        approval_ms: Some(u32::MAX),
        sandbox: None,
        duration_ms: Some(7),
        result_hash: Some("cd".to_owned()),
        result_bytes: Some(12),
    }
}

async fn filled(home: &Home, rows: i64) -> Store {
    let store = home.store().await;
    for number in 1..=rows {
        store.record(&entry(number)).await.unwrap();
    }
    store
}

#[tokio::test]
async fn an_entry_is_read_back_whole() {
    let home = Home::new();
    let store = filled(&home, 1).await;
    let rows = store.audit_list(10, None).await.unwrap();
    let expected = AuditRow {
        seq: 1,
        at: START.0 + 1,
        session_id: "ses_1".to_owned(),
        turn_id: "turn_1".to_owned(),
        call_id: "call_1".to_owned(),
        phase: "done".to_owned(),
        trust: "owner".to_owned(),
        taint: 1,
        tool: "write_file".to_owned(),
        input: "{\"path\":\"a\"}".to_owned(),
        input_hash: "ab".to_owned(),
        verdict: "succeeded".to_owned(),
        stage: 6,
        code: "policy_asked".to_owned(),
        approver: Some("desk".to_owned()),
        approval_ms: Some(i64::from(u32::MAX)),
        sandbox: None,
        duration_ms: Some(7),
        result_hash: Some("cd".to_owned()),
        result_bytes: Some(12),
        hash: rows[0].hash.clone(),
    };
    assert_eq!(rows, vec![expected]);
    assert_eq!(rows[0].hash.len(), 64);
}

#[tokio::test]
async fn entries_are_listed_newest_first_within_limit_and_time() {
    let home = Home::new();
    let store = filled(&home, 5).await;
    let seqs = |rows: Vec<AuditRow>| rows.into_iter().map(|row| row.seq).collect::<Vec<_>>();
    assert_eq!(seqs(store.audit_list(2, None).await.unwrap()), vec![5, 4]);
    assert_eq!(seqs(store.audit_list(9, Some(UnixMs(START.0 + 4))).await.unwrap()), vec![5, 4]);
}

#[tokio::test]
async fn the_chain_is_whole_over_restarts_and_two_programs() {
    let home = Home::new();
    drop(filled(&home, 3).await);
    let one = home.store().await;
    let two = home.store().await;
    one.record(&entry(4)).await.unwrap();
    two.record(&entry(5)).await.unwrap();
    one.record(&entry(6)).await.unwrap();
    assert_eq!(one.audit_verify_chain().await.unwrap(), ChainReport { rows: 6, broken_at: None });
}

#[tokio::test]
async fn rows_cannot_be_changed_removed_or_put_in_between() {
    let home = Home::new();
    let store = filled(&home, 3).await;
    let mut connection = raw(&home.path()).await;
    for refused in [
        "update audit set verdict = 'allow' where seq = 2",
        "delete from audit where seq = 3",
        "insert into audit select 9, at, session_id, turn_id, call_id, phase, trust, taint, tool, input, input_hash,
           verdict, stage, code, approver, approval_ms, sandbox, duration_ms, result_hash, result_bytes, hash
         from audit where seq = 1",
        "insert or replace into audit select 2, at, session_id, turn_id, call_id, phase, trust, taint, tool, input,
           input_hash, verdict, stage, code, approver, approval_ms, sandbox, duration_ms, result_hash, result_bytes,
           hash
         from audit where seq = 1",
    ] {
        let error = sqlx::raw_sql(refused).execute(&mut connection).await.unwrap_err().to_string();
        assert!(error.contains("the audit log"), "{error}");
    }
    assert_eq!(store.audit_verify_chain().await.unwrap(), ChainReport { rows: 3, broken_at: None });
}

#[tokio::test]
async fn a_changed_row_breaks_the_chain_there() {
    let home = Home::new();
    let store = filled(&home, 4).await;
    execute(
        &home.path(),
        "drop trigger audit_changes_nothing; update audit set input = '{\"path\":\"b\"}' where seq = 3",
    )
    .await;
    assert_eq!(store.audit_verify_chain().await.unwrap(), ChainReport { rows: 2, broken_at: Some(3) });
}

#[tokio::test]
async fn a_removed_row_breaks_the_chain_there() {
    let home = Home::new();
    let store = filled(&home, 4).await;
    execute(&home.path(), "drop trigger audit_keeps_rows; delete from audit where seq = 2").await;
    assert_eq!(store.audit_verify_chain().await.unwrap(), ChainReport { rows: 1, broken_at: Some(3) });
}
