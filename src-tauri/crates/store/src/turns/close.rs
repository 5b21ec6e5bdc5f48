use super::{Message, Place, insert_message, touch_running_turn};
use crate::fault::Fault;
use crate::search;
use crate::store::Store;
use namma_core::ports::{Spent, StoreError};
use namma_core::trust::TaintSet;
use namma_protocol::{ToolOutcome, TurnId, TurnOutcome, UnixMs, Usage};
use serde_json::json;
use sqlx::{Row, SqliteConnection};

impl Store {
    /// Closes every turn whose process is dead, and names them.
    pub(crate) async fn close_dead_turns(&self) -> Result<Vec<TurnId>, StoreError> {
        let closed = async {
            let rows = sqlx::query(
                "select id, owner
                 from turns indexed by turns_running
                 where finished_at is null
                 order by key",
            )
            .fetch_all(self.writer())
            .await?;
            self.close_those_dead(rows).await
        };
        self.explain(closed.await)
    }

    /// The same for one session, cheap when there is nothing to close.
    pub(crate) async fn close_dead_turns_of(&self, session_key: i64) -> Result<(), Fault> {
        let rows = running_turns(self.readers(), session_key).await?;
        self.close_those_dead(rows).await?;
        Ok(())
    }

    /// Before a new turn: whatever lives in the session refuses it, whatever is dead is closed.
    pub(super) async fn close_or_refuse(
        &self,
        connection: &mut SqliteConnection,
        session_key: i64,
    ) -> Result<(), Fault> {
        for row in running_turns(&mut *connection, session_key).await? {
            let turn = TurnId(row.try_get(0)?);
            if self.is_running(&turn, &row.try_get::<String, _>(1)?) {
                return Err(StoreError::Busy.into());
            }
            close_interrupted(connection, &turn).await?;
        }
        Ok(())
    }

    async fn close_those_dead(&self, rows: Vec<sqlx::sqlite::SqliteRow>) -> Result<Vec<TurnId>, Fault> {
        let mut closed = Vec::new();
        for row in rows {
            let turn = TurnId(row.try_get(0)?);
            if self.is_running(&turn, &row.try_get::<String, _>(1)?) {
                continue;
            }
            let mut transaction = self.begin().await?;
            // Another process may have closed it between our look and our lock.
            if close_interrupted(&mut transaction, &turn).await? {
                closed.push(turn);
            }
            transaction.commit().await?;
        }
        Ok(closed)
    }
}

async fn running_turns<'c>(
    executor: impl sqlx::SqliteExecutor<'c>,
    session_key: i64,
) -> Result<Vec<sqlx::sqlite::SqliteRow>, sqlx::Error> {
    sqlx::query(
        "select id, owner
         from turns
         where session_key = ? and finished_at is null",
    )
    .bind(session_key)
    .fetch_all(executor)
    .await
}

/// Closes the books of a turn nobody runs any more: open calls get the result "interrupted", the
/// text that had arrived becomes a stopped message. Returns false when it had ended already.
async fn close_interrupted(connection: &mut SqliteConnection, turn: &TurnId) -> Result<bool, Fault> {
    let row = sqlx::query(
        "select coalesce(p.text, ''), max(t.touched_at, coalesce(p.saved_at, 0)), coalesce(t.spent, '[]')
         from turns t
         left join partials p on p.turn_key = t.key
         where t.id = ? and t.finished_at is null",
    )
    .bind(turn.as_str())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(false) };
    let text: String = row.try_get(0)?;
    let at = UnixMs(row.try_get(1)?);
    let spent: Vec<Spent> = serde_json::from_str(row.try_get(2)?)?;
    let mut place = touch_running_turn(connection, turn, at, &[]).await?;
    place = close_calls(connection, place).await?;
    if !text.trim().is_empty() {
        let (text, taint) = (text.as_str(), TaintSet::CLEAN);
        let message = Message { role: "assistant", text, thinking: "", stopped: true, taint, attachments: &[] };
        insert_message(connection, place, &message, &search::prepare(text)).await?;
    }
    write_end(connection, place, &TurnOutcome::Interrupted { text }, &spent).await?;
    Ok(true)
}

/// Gives each open call its one result.
pub(super) async fn close_calls(connection: &mut SqliteConnection, mut place: Place) -> Result<Place, Fault> {
    if !place.has_open_calls {
        return Ok(place);
    }
    let open = sqlx::query(
        "select key
         from tool_calls
         where turn_key = ? and outcome is null
         order by key",
    )
    .bind(place.turn_key)
    .fetch_all(&mut *connection)
    .await?;
    let outcome = serde_json::to_string(&ToolOutcome::Interrupted)?;
    for row in open {
        sqlx::query(
            "update tool_calls
             set result_position = ?, outcome = ?, duration_ms = max(0, ? - started_at), approvals = '[]', taint = 0
             where key = ?",
        )
        .bind(place.position)
        .bind(&outcome)
        .bind(place.at.0)
        .bind(row.try_get::<i64, _>(0)?)
        .execute(&mut *connection)
        .await?;
        place.position += 1;
    }
    Ok(place)
}

/// Closes the books of a turn: how it ended, when its chat last changed, what each model used.
pub(super) async fn write_end(
    connection: &mut SqliteConnection,
    place: Place,
    outcome: &TurnOutcome,
    spent: &[Spent],
) -> Result<(), Fault> {
    let mut bare = outcome.clone();
    let text = std::mem::take(text_of(&mut bare));
    let usage = spent.iter().fold(Usage::default(), |sum, one| sum.plus(one.usage));
    let cost = spent.iter().filter_map(|one| one.cost_nanos).reduce(u64::saturating_add);
    sqlx::query(
        "update turns
         set finished_at = ?2, outcome = ?3, spent = null,
           input_tokens = ?4, output_tokens = ?5, cached_tokens = ?6, reasoning_tokens = ?7,
           cache_write_tokens = ?8, cost_nanos = ?9,
           outcome_text = nullif(?10, coalesce((
             select text
             from messages
             where turn_key = ?1 and role = 'assistant'
             order by position desc
             limit 1
           ), ''))
         where key = ?1;
         update sessions
         set updated_at = max(updated_at, ?2)
         where key = (select session_key from turns where key = ?1)",
    )
    .bind(place.turn_key)
    .bind(place.at.0)
    .bind(serde_json::to_string(&bare)?)
    .bind(i64::from(usage.input_tokens))
    .bind(i64::from(usage.output_tokens))
    .bind(i64::from(usage.cached_tokens))
    .bind(i64::from(usage.reasoning_tokens))
    .bind(i64::from(usage.cache_write_tokens))
    .bind(cost.map(stored))
    .bind(text)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "insert into usage (day, model, turns, input_tokens, output_tokens, cached_tokens, reasoning_tokens,
           cost_nanos, cache_write_tokens)
         select ?2 / 86400000, coalesce(value ->> 0, (select model from turns where key = ?1)), 1,
           value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
         from json_each(?3)
         where true
         on conflict (day, model) do update set
           turns = turns + 1,
           input_tokens = input_tokens + excluded.input_tokens,
           output_tokens = output_tokens + excluded.output_tokens,
           cached_tokens = cached_tokens + excluded.cached_tokens,
           reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
           cost_nanos = cost_nanos + excluded.cost_nanos,
           cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens",
    )
    .bind(place.turn_key)
    .bind(place.at.0)
    .bind(by_model(spent))
    .execute(connection)
    .await?;
    Ok(())
}

/// Rows of the table `usage`. A turn in which no model answered counts for the one that was asked.
fn by_model(spent: &[Spent]) -> String {
    if spent.is_empty() {
        return json!([[null, 0, 0, 0, 0, 0, 0]]).to_string();
    }
    let rows = spent.iter().map(|Spent { model, usage, cost_nanos }| {
        json!([
            model,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_tokens,
            usage.reasoning_tokens,
            stored(cost_nanos.unwrap_or(0)),
            usage.cache_write_tokens,
        ])
    });
    serde_json::Value::from_iter(rows).to_string()
}

fn stored(nanos: u64) -> i64 {
    i64::try_from(nanos).unwrap_or(i64::MAX)
}

/// Every end of a turn has the text that had arrived.
pub(crate) fn text_of(outcome: &mut TurnOutcome) -> &mut String {
    match outcome {
        TurnOutcome::Answered { text }
        | TurnOutcome::Cancelled { text }
        | TurnOutcome::LimitReached { limit: _, text }
        | TurnOutcome::Failed { error: _, text }
        | TurnOutcome::Interrupted { text } => text,
    }
}
