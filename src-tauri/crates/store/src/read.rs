//! Reading turns back, whole and in order.

use crate::attached::read_list;
use crate::fault::{Fault, failed, not_found};
use crate::store::Store;
use crate::turns::{mode_of, text_of};
use namma_core::ports::{Entry, NewTurn, StoredCall, StoredTurn, micros};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{SessionId, StepTitle, ToolCall, ToolCallId, TurnId, TurnOutcome, UnixMs, Usage};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use std::collections::HashMap;

impl Store {
    pub(crate) async fn read_turns(
        &self,
        session: &SessionId,
        before: Option<&TurnId>,
        limit: u32,
    ) -> Result<Vec<StoredTurn>, Fault> {
        // A turn of this process has an end, or runs, or was given up.
        let row = sqlx::query(
            "select key, exists (
               select 1 from turns where session_key = sessions.key and finished_at is null and owner <> ?2
             )
             from sessions
             where id = ?1 and deleted_at is null",
        )
        .bind(session.as_str())
        .bind(self.instance())
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else { return Ok(Vec::new()) };
        let session_key: i64 = row.try_get(0)?;
        let may_have_dead_turns = row.try_get(1)? || !self.given_up().is_empty();
        if may_have_dead_turns {
            self.close_dead_turns_of(session_key).await?;
        }
        // One snapshot for the queries that follow.
        let mut snapshot = self.readers().begin().await?;
        let page = find_page(&mut snapshot, session_key, before, limit).await?;
        let mut entries = read_entries(&mut snapshot, page).await?;
        let rows = sqlx::query(
            "select t.key, t.id, t.trust, t.mode, t.model, t.started_at, t.finished_at, t.outcome,
               t.input_tokens, t.output_tokens, t.cached_tokens, t.reasoning_tokens, m.text,
               t.outcome_text, t.cache_write_tokens, t.cost_nanos, m.attachments
             from turns t
             join messages m on m.turn_key = t.key and m.position = 0
             where t.session_key = ? and t.ordinal >= ? and t.ordinal < ?
             order by t.ordinal",
        )
        .bind(page.session_key)
        .bind(page.start)
        .bind(page.end)
        .fetch_all(&mut *snapshot)
        .await?;
        let mut turns = Vec::with_capacity(rows.len());
        for row in rows {
            let of_turn = entries.remove(&row.try_get::<i64, _>(0)?).unwrap_or_default();
            turns.push(read_turn(&row, session, of_turn)?);
        }
        Ok(turns)
    }
}

/// Ordinals from `start` up to, without, `end`.
#[derive(Clone, Copy)]
struct Page {
    session_key: i64,
    start: i64,
    end: i64,
}

/// The last `limit` turns before `before`, or the last of all.
async fn find_page(
    connection: &mut SqliteConnection,
    session_key: i64,
    before: Option<&TurnId>,
    limit: u32,
) -> Result<Page, Fault> {
    let row = sqlx::query(
        "with before (ordinal) as (
           select case when ?2 is null then ?4
             else (select ordinal from turns where id = ?2 and session_key = ?1) end
         )
         select (select ordinal from before), (
           select min(ordinal)
           from (
             select ordinal
             from turns
             where session_key = ?1 and ordinal < (select ordinal from before)
             order by ordinal desc
             limit ?3
           )
         )",
    )
    .bind(session_key)
    .bind(before.map(TurnId::as_str))
    .bind(i64::from(limit))
    .bind(i64::MAX)
    .fetch_one(connection)
    .await?;
    let end: Option<i64> = row.try_get(0)?;
    let end = end.ok_or_else(|| not_found(format!("turn `{}` in this chat", before.map_or("", TurnId::as_str))))?;
    // No turn before it is a page with nothing in it.
    let start: Option<i64> = row.try_get(1)?;
    Ok(Page { session_key, start: start.unwrap_or(end), end })
}

fn read_turn(row: &SqliteRow, session: &SessionId, entries: Vec<Entry>) -> Result<StoredTurn, Fault> {
    Ok(StoredTurn {
        turn: NewTurn {
            turn_id: TurnId(row.try_get(1)?),
            session_id: session.clone(),
            user_text: row.try_get(12)?,
            attachments: read_list(row, 16)?,
            mode: mode_of(row.try_get(3)?),
            model: row.try_get(4)?,
            trust: Trust::parse(row.try_get(2)?),
            started_at: UnixMs(row.try_get(5)?),
        },
        usage: Usage {
            input_tokens: count(row, 8)?,
            output_tokens: count(row, 9)?,
            cached_tokens: count(row, 10)?,
            cache_write_tokens: count(row, 14)?,
            reasoning_tokens: count(row, 11)?,
        },
        cost_micros: row.try_get::<Option<i64>, _>(15)?.map(|nanos| micros(nanos.max(0).cast_unsigned())),
        outcome: read_outcome(row, &entries)?,
        entries,
        finished_at: row.try_get::<Option<i64>, _>(6)?.map(UnixMs),
    })
}

/// Its text is kept once: in the outcome only when it is not that of the last message.
fn read_outcome(row: &SqliteRow, entries: &[Entry]) -> Result<Option<TurnOutcome>, Fault> {
    let Some(json) = row.try_get::<Option<String>, _>(7)? else { return Ok(None) };
    let mut outcome: TurnOutcome = serde_json::from_str(&json)?;
    let last = entries.iter().rev().find_map(|entry| match entry {
        Entry::Assistant { text, .. } => Some(text.clone()),
        Entry::Result { .. } | Entry::User { .. } | Entry::ContinuedWith { .. } => None,
    });
    let own: Option<String> = row.try_get(13)?;
    *text_of(&mut outcome) = own.or(last).unwrap_or_default();
    Ok(Some(outcome))
}

/// The entries of each turn of the page, in order, without the message that began it.
async fn read_entries(connection: &mut SqliteConnection, page: Page) -> Result<HashMap<i64, Vec<Entry>>, Fault> {
    let continuations = read_continuations(connection, page).await?;
    let mut calls = read_calls(connection, page).await?;
    let rows = sqlx::query(
        "select m.turn_key, m.position, m.key, m.role, m.text, m.thinking, m.stopped, m.taint, m.attachments
         from messages m
         join turns t on t.key = m.turn_key
         where t.session_key = ? and t.ordinal >= ? and t.ordinal < ? and m.position > 0",
    )
    .bind(page.session_key)
    .bind(page.start)
    .bind(page.end)
    .fetch_all(connection)
    .await?;
    let mut placed: HashMap<i64, Vec<(i64, Entry)>> = calls.results;
    for (turn_key, position, entry) in continuations {
        placed.entry(turn_key).or_default().push((position, entry));
    }
    for row in rows {
        let text: String = row.try_get(4)?;
        let entry = match row.try_get::<&str, _>(3)? {
            "user" => Entry::User { text, attachments: read_list(&row, 8)? },
            "assistant" => Entry::Assistant {
                text,
                thinking: row.try_get(5)?,
                calls: calls.by_message.remove(&row.try_get::<i64, _>(2)?).unwrap_or_default(),
                stopped: row.try_get(6)?,
                taint: TaintSet(count(&row, 7)?),
            },
            other => return Err(failed(format!("a message has the unknown role `{other}`"))),
        };
        placed.entry(row.try_get(0)?).or_default().push((row.try_get(1)?, entry));
    }
    let in_order = placed.into_iter().map(|(turn_key, mut entries)| {
        entries.sort_by_key(|(position, _)| *position);
        (turn_key, entries.into_iter().map(|(_, entry)| entry).collect())
    });
    Ok(in_order.collect())
}

async fn read_continuations(connection: &mut SqliteConnection, page: Page) -> Result<Vec<(i64, i64, Entry)>, Fault> {
    let rows = sqlx::query(
        "select c.turn_key, c.position, c.label, c.model, c.reasons
         from turns t
         join continuations c on c.turn_key = t.key
         where t.session_key = ? and t.ordinal >= ? and t.ordinal < ?",
    )
    .bind(page.session_key)
    .bind(page.start)
    .bind(page.end)
    .fetch_all(connection)
    .await?;
    let entries = rows.iter().map(|row| {
        let entry = Entry::ContinuedWith {
            label: row.try_get(2)?,
            model: row.try_get(3)?,
            reasons: serde_json::from_str(row.try_get(4)?)?,
        };
        Ok((row.try_get(0)?, row.try_get(1)?, entry))
    });
    entries.collect()
}

struct Calls {
    by_message: HashMap<i64, Vec<StoredCall>>,
    /// By turn, with the place of each.
    results: HashMap<i64, Vec<(i64, Entry)>>,
}

async fn read_calls(connection: &mut SqliteConnection, page: Page) -> Result<Calls, Fault> {
    let rows = sqlx::query(
        "select c.turn_key, c.message_key, c.id, c.name, c.input, c.broken_arguments, c.title_doing,
           c.title_done, c.started_at, c.result_position, c.outcome, c.fact, c.duration_ms, c.approvals, c.taint
         from tool_calls c
         join turns t on t.key = c.turn_key
         where t.session_key = ? and t.ordinal >= ? and t.ordinal < ?
         order by c.message_key, c.ordinal",
    )
    .bind(page.session_key)
    .bind(page.start)
    .bind(page.end)
    .fetch_all(connection)
    .await?;
    let mut calls = Calls { by_message: HashMap::new(), results: HashMap::new() };
    for row in rows {
        calls.by_message.entry(row.try_get(1)?).or_default().push(read_call(&row)?);
        if let Some(position) = row.try_get::<Option<i64>, _>(9)? {
            calls.results.entry(row.try_get(0)?).or_default().push((position, read_result(&row)?));
        }
    }
    Ok(calls)
}

fn read_call(row: &SqliteRow) -> Result<StoredCall, Fault> {
    Ok(StoredCall {
        call: ToolCall {
            id: ToolCallId(row.try_get(2)?),
            name: row.try_get(3)?,
            input: serde_json::from_str(row.try_get(4)?)?,
        },
        broken_arguments: row.try_get(5)?,
        title: StepTitle { doing: row.try_get(6)?, done: row.try_get(7)? },
        started_at: UnixMs(row.try_get(8)?),
    })
}

fn read_result(row: &SqliteRow) -> Result<Entry, Fault> {
    Ok(Entry::Result {
        call_id: ToolCallId(row.try_get(2)?),
        outcome: serde_json::from_str(row.try_get(10)?)?,
        fact: row.try_get(11)?,
        duration_ms: count(row, 12)?,
        approvals: serde_json::from_str(row.try_get(13)?)?,
        taint: TaintSet(count(row, 14)?),
        whole: None,
    })
}

/// A number that fits `u32` because a `u32` was written; a damaged one is cut, not refused.
pub(crate) fn count(row: &SqliteRow, column: usize) -> Result<u32, sqlx::Error> {
    let number: i64 = row.try_get(column)?;
    Ok(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
}
