use crate::store::Store;
use namma_core::ports::{Entry, NewTurn, SessionStore, StoreError};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{Mode, SessionId, TurnId, TurnOutcome};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What it cost to store turns of two kilobytes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteCost {
    /// One write: the slowest of begin, append and finish counts by itself.
    pub p50_us: u64,
    pub p99_us: u64,
    pub worst_us: u64,
    pub payload_bytes: u64,
    /// The file and its journal afterwards.
    pub file_bytes: u64,
}

/// Stores `turns` turns of two kilobytes each, as the engine does.
pub async fn measure_writes(store: &Store, turns: u32) -> Result<WriteCost, StoreError> {
    let mut dice = super::Dice(0x2545_f491_4f6c_dd1d);
    let mut costs = Vec::new();
    let mut payload_bytes = 0;
    let before = bytes(store).await?;
    for number in 0..turns {
        let turn = NewTurn {
            turn_id: TurnId::fresh(),
            session_id: SessionId(format!("ses_writes_{}", number / 50)),
            user_text: kilobyte(&mut dice),
            attachments: Vec::new(),
            mode: Mode::Agent,
            model: "bench".to_owned(),
            trust: Trust::Owner,
            started_at: store.now(),
        };
        let text = kilobyte(&mut dice);
        payload_bytes += (turn.user_text.len() + text.len()) as u64;
        let answer = Entry::Assistant {
            text: text.clone(),
            thinking: String::new(),
            calls: Vec::new(),
            stopped: false,
            taint: TaintSet::CLEAN,
        };
        let start = Instant::now();
        store.begin_turn(&turn).await?;
        let begun = Instant::now();
        store.append(&turn.turn_id, &[answer], &[]).await?;
        let appended = Instant::now();
        let end = TurnOutcome::Answered { text };
        store.finish_turn(&turn.turn_id, &end, &[], turn.started_at).await?;
        costs.extend([begun - start, appended - begun, appended.elapsed()]);
    }
    let file_bytes = bytes(store).await?.saturating_sub(before);
    costs.sort();
    Ok(WriteCost {
        p50_us: at(&costs, 50),
        p99_us: at(&costs, 99),
        worst_us: at(&costs, 100),
        payload_bytes,
        file_bytes,
    })
}

fn kilobyte(dice: &mut super::Dice) -> String {
    let mut text = dice.talk();
    while text.len() < 1000 {
        text.push(' ');
        text.push_str(&dice.talk());
    }
    text.truncate(1000);
    text
}

async fn bytes(store: &Store) -> Result<u64, StoreError> {
    let statistics = store.statistics().await?;
    Ok(statistics.file_bytes + statistics.journal_bytes)
}

/// The percentile of sorted costs, in microseconds.
fn at(costs: &[Duration], percent: usize) -> u64 {
    let index = (costs.len() * percent / 100).min(costs.len().saturating_sub(1));
    costs.get(index).map_or(0, |cost| cost.as_micros() as u64)
}
