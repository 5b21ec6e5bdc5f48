//! Writing turns: begin, append, finish. Closing those whose process died is in `close.rs`,
//! reading in `read.rs`.

mod close;

pub(crate) use close::text_of;

use crate::attached::list_json;
use crate::fault::{Fault, failed, not_found};
use crate::search::{self, Prepared};
use crate::store::Store;
use crate::{queue, title};
use namma_core::BoxFuture;
use namma_core::attached;
use namma_core::ports::{Entry, NewTurn, SessionStore, Spent, StoreError, StoredCall, StoredTurn};
use namma_core::trust::TaintSet;
use namma_protocol::{Attachment, FileId, SessionId, TurnId, TurnOutcome, UnixMs};
use sqlx::{Row, SqliteConnection};

impl SessionStore for Store {
    fn begin_turn<'a>(&'a self, turn: &'a NewTurn) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.explain(self.begin_turn_stored(turn).await) })
    }

    fn append<'a>(
        &'a self,
        turn: &'a TurnId,
        entries: &'a [Entry],
        spent: &'a [Spent],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.explain(self.append_stored(turn, entries, spent).await) })
    }

    fn save_partial<'a>(&'a self, turn: &'a TurnId, text: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.explain(self.save_partial_stored(turn, text).await) })
    }

    fn finish_turn<'a>(
        &'a self,
        turn: &'a TurnId,
        outcome: &'a TurnOutcome,
        spent: &'a [Spent],
        at: UnixMs,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let finished = self.finish_turn_stored(turn, outcome, spent, at).await;
            if finished.is_err() {
                // It runs no more, whatever the disk says: the next turn of the chat closes it.
                self.given_up().insert(turn.clone());
            }
            self.explain(finished)
        })
    }

    fn turns<'a>(
        &'a self,
        session: &'a SessionId,
        before: Option<&'a TurnId>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<StoredTurn>, StoreError>> {
        Box::pin(async move { self.explain(self.read_turns(session, before, limit).await) })
    }

    fn attached_bytes<'a>(&'a self, file: &'a FileId) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>> {
        Box::pin(self.file_bytes(file))
    }
}

impl Store {
    async fn begin_turn_stored(&self, turn: &NewTurn) -> Result<(), Fault> {
        let prepared = search::prepare(&turn.user_text);
        let mut transaction = self.begin().await?;
        let (session_key, has_unfinished_turn) = ensure_session(&mut transaction, turn).await?;
        if has_unfinished_turn {
            self.close_or_refuse(&mut transaction, session_key).await?;
        }
        let inserted = sqlx::query(
            "insert into turns (id, session_key, ordinal, trust, mode, model, started_at, touched_at, owner)
             values (?1, ?2, (select coalesce(max(ordinal), 0) + 1 from turns where session_key = ?2),
                     ?3, ?4, ?5, ?6, ?6, ?7)",
        )
        .bind(turn.turn_id.as_str())
        .bind(session_key)
        .bind(turn.trust.as_str())
        .bind(mode_word(turn.mode))
        .bind(&turn.model)
        .bind(turn.started_at.0)
        .bind(self.instance())
        .execute(&mut *transaction)
        .await?;
        let turn_key = inserted.last_insert_rowid();
        let place = Place { turn_key, position: 0, at: turn.started_at, has_open_calls: false };
        insert_message(&mut transaction, place, &Message::user(&turn.user_text, &turn.attachments), &prepared).await?;
        queue::leave(&mut transaction, turn, self.instance()).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn append_stored(&self, turn: &TurnId, entries: &[Entry], spent: &[Spent]) -> Result<(), Fault> {
        let entries = self.unsaid().entries(turn, entries).into_owned();
        let prepared: Vec<Prepared> = entries.iter().map(|entry| search::prepare(searchable(entry))).collect();
        let now = self.now();
        let mut transaction = self.begin().await?;
        let mut place = touch_running_turn(&mut transaction, turn, now, spent).await?;
        for (entry, prepared) in entries.iter().zip(&prepared) {
            append_entry(&mut transaction, place, entry, prepared).await?;
            place.position += 1;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn save_partial_stored(&self, turn: &TurnId, text: &str) -> Result<(), Fault> {
        let text = self.unsaid().text(turn, text).into_owned();
        let saved = sqlx::query(
            "insert into partials (turn_key, text, saved_at)
             select key, ?2, ?3
             from turns
             where id = ?1 and finished_at is null
             on conflict (turn_key) do update set text = excluded.text, saved_at = excluded.saved_at",
        )
        .bind(turn.as_str())
        .bind(text)
        .bind(self.now().0)
        .execute(self.writer())
        .await?;
        if saved.rows_affected() == 0 {
            return Err(not_running(turn));
        }
        Ok(())
    }

    async fn finish_turn_stored(
        &self,
        turn: &TurnId,
        outcome: &TurnOutcome,
        spent: &[Spent],
        at: UnixMs,
    ) -> Result<(), Fault> {
        let outcome = &self.unsaid().outcome(turn, outcome);
        let mut transaction = self.begin().await?;
        let place = touch_running_turn(&mut transaction, turn, at, &[]).await?;
        // The engine answers every call; a finished turn with an open one would poison the chat.
        close::close_calls(&mut transaction, place).await?;
        close::write_end(&mut transaction, place, outcome, spent).await?;
        transaction.commit().await?;
        self.unsaid().ended(turn);
        Ok(())
    }
}

/// Where the next entry of a turn goes.
#[derive(Clone, Copy)]
struct Place {
    turn_key: i64,
    position: i64,
    at: UnixMs,
    has_open_calls: bool,
}

struct Message<'a> {
    role: &'static str,
    text: &'a str,
    thinking: &'a str,
    stopped: bool,
    taint: TaintSet,
    attachments: &'a [Attachment],
}

impl<'a> Message<'a> {
    fn user(text: &'a str, attachments: &'a [Attachment]) -> Self {
        Self { role: "user", text, thinking: "", stopped: false, taint: TaintSet::CLEAN, attachments }
    }
}

/// The chat of a turn, made when it is new, with its title and time, and whether a turn of it has no
/// end yet.
async fn ensure_session(connection: &mut SqliteConnection, turn: &NewTurn) -> Result<(i64, bool), Fault> {
    let row = sqlx::query(
        "insert into sessions (id, title, title_source, mode, model, created_at, updated_at)
         values (?1, ?2, 'question', ?3, ?4, ?5, ?5)
         on conflict (id) do update set
           title = case when title_source = 'none' then excluded.title else title end,
           title_source = case when title_source = 'none' then 'question' else title_source end,
           mode = excluded.mode,
           model = excluded.model,
           updated_at = max(updated_at, excluded.updated_at)
         returning key, deleted_at,
           exists (select 1 from turns where session_key = sessions.key and finished_at is null)",
    )
    .bind(turn.session_id.as_str())
    .bind(title::from_question(&attached::question(&turn.user_text, &turn.attachments)))
    .bind(mode_word(turn.mode))
    .bind(&turn.model)
    .bind(turn.started_at.0)
    .fetch_one(connection)
    .await?;
    if row.try_get::<Option<i64>, _>(1)?.is_some() {
        return Err(not_found(format!("chat `{}`: it was deleted", turn.session_id)));
    }
    Ok((row.try_get(0)?, row.try_get(2)?))
}

/// A sign of life of a running turn with what it has used, and the place of its next entry. That
/// entry takes the place of the text that was streaming.
async fn touch_running_turn(
    connection: &mut SqliteConnection,
    turn: &TurnId,
    at: UnixMs,
    spent: &[Spent],
) -> Result<Place, Fault> {
    let spent = if spent.is_empty() { None } else { Some(serde_json::to_string(spent)?) };
    let rows = sqlx::query(
        "delete from partials where turn_key = (select key from turns where id = ?1 and finished_at is null);
         update turns
         set touched_at = ?2, spent = coalesce(?3, spent)
         where id = ?1 and finished_at is null
         returning key,
           max((select coalesce(max(position), -1) from messages where turn_key = turns.key),
               (select coalesce(max(result_position), -1) from tool_calls where turn_key = turns.key),
               (select coalesce(max(position), -1) from continuations where turn_key = turns.key)),
           exists (select 1 from tool_calls where turn_key = turns.key and outcome is null)",
    )
    .bind(turn.as_str())
    .bind(at.0)
    .bind(spent)
    .fetch_all(connection)
    .await?;
    let row = rows.first().ok_or_else(|| not_running(turn))?;
    Ok(Place {
        turn_key: row.try_get(0)?,
        position: row.try_get::<i64, _>(1)? + 1,
        at,
        has_open_calls: row.try_get(2)?,
    })
}

fn not_running(turn: &TurnId) -> Fault {
    not_found(format!("running turn `{turn}`"))
}

fn searchable(entry: &Entry) -> &str {
    match entry {
        Entry::Assistant { text, .. } | Entry::User { text, .. } => text,
        Entry::Result { .. } | Entry::ContinuedWith { .. } => "",
    }
}

async fn append_entry(
    connection: &mut SqliteConnection,
    place: Place,
    entry: &Entry,
    prepared: &Prepared,
) -> Result<(), Fault> {
    match entry {
        Entry::User { text, attachments } => {
            insert_message(connection, place, &Message::user(text, attachments), prepared).await?;
        }
        Entry::Assistant { text, thinking, calls, stopped, taint } => {
            if text.trim().is_empty() && calls.is_empty() {
                return Err(failed("an assistant message without text and calls is not kept"));
            }
            let (stopped, taint) = (*stopped, *taint);
            let message = Message { role: "assistant", text, thinking, stopped, taint, attachments: &[] };
            let message_key = insert_message(connection, place, &message, prepared).await?;
            for (ordinal, call) in (0..).zip(calls) {
                insert_call(connection, (place.turn_key, message_key, ordinal), call).await?;
            }
        }
        Entry::Result { .. } => insert_result(connection, place, entry).await?,
        Entry::ContinuedWith { label, model, reasons } => {
            sqlx::query("insert into continuations (turn_key, position, label, model, reasons) values (?, ?, ?, ?, ?)")
                .bind(place.turn_key)
                .bind(place.position)
                .bind(label)
                .bind(model)
                .bind(serde_json::to_string(reasons)?)
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}

async fn insert_message(
    connection: &mut SqliteConnection,
    place: Place,
    message: &Message<'_>,
    prepared: &Prepared,
) -> Result<i64, Fault> {
    let rows = sqlx::query(
        "insert into messages (turn_key, position, role, text, thinking, stopped, taint, created_at, attachments)
         values (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         returning key;
         insert into messages_words (rowid, words) select last_insert_rowid(), ?1 where ?1 <> ''",
    )
    .bind(&prepared.words)
    .bind(place.turn_key)
    .bind(place.position)
    .bind(message.role)
    .bind(message.text)
    .bind(message.thinking)
    .bind(message.stopped)
    .bind(i64::from(message.taint.0))
    .bind(place.at.0)
    .bind(list_json(message.attachments)?)
    .fetch_all(&mut *connection)
    .await?;
    let row = rows.first().ok_or_else(|| failed("a stored message has no key"))?;
    let key = row.try_get(0)?;
    search::index_trigrams(connection, key, prepared).await?;
    Ok(key)
}

async fn insert_call(
    connection: &mut SqliteConnection,
    (turn_key, message_key, ordinal): (i64, i64, i64),
    stored: &StoredCall,
) -> Result<(), Fault> {
    sqlx::query(
        "insert into tool_calls (id, turn_key, message_key, ordinal, name, input, broken_arguments,
           title_doing, title_done, started_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(stored.call.id.as_str())
    .bind(turn_key)
    .bind(message_key)
    .bind(ordinal)
    .bind(&stored.call.name)
    .bind(serde_json::to_string(&stored.call.input)?)
    .bind(&stored.broken_arguments)
    .bind(&stored.title.doing)
    .bind(&stored.title.done)
    .bind(stored.started_at.0)
    .execute(connection)
    .await?;
    Ok(())
}

async fn insert_result(connection: &mut SqliteConnection, place: Place, entry: &Entry) -> Result<(), Fault> {
    let Entry::Result { call_id, outcome, fact, duration_ms, approvals, taint, whole } = entry else {
        return Ok(());
    };
    let written = sqlx::query(
        "update tool_calls
         set result_position = ?, outcome = ?, fact = ?, duration_ms = ?, approvals = ?, taint = ?
         where id = ? and turn_key = ? and outcome is null",
    )
    .bind(place.position)
    .bind(serde_json::to_string(outcome)?)
    .bind(fact)
    .bind(i64::from(*duration_ms))
    .bind(serde_json::to_string(approvals)?)
    .bind(i64::from(taint.0))
    .bind(call_id.as_str())
    .bind(place.turn_key)
    .execute(&mut *connection)
    .await?;
    if written.rows_affected() == 0 {
        return Err(failed(format!("call `{call_id}` is not open in this turn: each call gets one result")));
    }
    if let Some(whole) = whole {
        sqlx::query("insert into whole_results (call_key, content) select key, ? from tool_calls where id = ?")
            .bind(whole)
            .bind(call_id.as_str())
            .execute(connection)
            .await?;
    }
    Ok(())
}

pub(crate) fn mode_word(mode: namma_protocol::Mode) -> &'static str {
    match mode {
        namma_protocol::Mode::Agent => "agent",
        namma_protocol::Mode::Chat => "chat",
    }
}

/// Reads what [`mode_word`] wrote; what cannot be read may use no tools.
pub(crate) fn mode_of(word: &str) -> namma_protocol::Mode {
    match word {
        "agent" => namma_protocol::Mode::Agent,
        _ => namma_protocol::Mode::Chat,
    }
}
