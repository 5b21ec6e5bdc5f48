//! Messages that wait for the running turn.
//!
//! A message stays stored until a turn carries it: taking it out marks it, and the turn that
//! begins with its text removes it in its own transaction. If the program dies in between, the
//! message is back in the queue at the next look; it is never lost and never doubled.

use crate::attached::{list_json, read_list};
use crate::fault::{Fault, not_found};
use crate::store::Store;
use crate::turns::{mode_of, mode_word};
use namma_core::ports::{NewTurn, StoreError};
use namma_protocol::{Attachment, Mode, QueuedId, QueuedMessage, SessionId, ThinkLevel, UnixMs};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

/// A waiting message with all it needs to become a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedTurn {
    pub queued_id: QueuedId,
    pub session_id: SessionId,
    pub text: String,
    pub attachments: Vec<Attachment>,
    pub mode: Mode,
    /// Another model than the configured one.
    pub model: Option<String>,
    /// Another level of thinking than the chat's.
    pub think: Option<ThinkLevel>,
    /// The person said to go on over the limits of the day and the month.
    pub allow_spending: bool,
    pub queued_at: UnixMs,
}

impl From<QueuedTurn> for QueuedMessage {
    fn from(queued: QueuedTurn) -> Self {
        Self { queued_id: queued.queued_id, text: queued.text, attachments: queued.attachments }
    }
}

impl Store {
    pub async fn queue_push(&self, queued: &QueuedTurn) -> Result<(), StoreError> {
        let pushed = async {
            sqlx::query(
                "insert into queued_messages (id, session_id, text, mode, model, queued_at, attachments, think,
                   allow_spending)
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )
            .bind(queued.queued_id.as_str())
            .bind(queued.session_id.as_str())
            .bind(&queued.text)
            .bind(mode_word(queued.mode))
            .bind(&queued.model)
            .bind(queued.queued_at.0)
            .bind(list_json(&queued.attachments)?)
            .bind(queued.think.map(ThinkLevel::as_str))
            .bind(queued.allow_spending)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(pushed.await)
    }

    /// What waits in a session, first come first.
    pub async fn queue_list(&self, session: &SessionId) -> Result<Vec<QueuedTurn>, StoreError> {
        let listed = async {
            let rows = waiting(self.readers(), session).await?;
            let free = rows.iter().filter(|row| self.is_free(row));
            free.map(read_queued).collect()
        };
        self.explain(listed.await)
    }

    /// Takes a message out for good: the person changed their mind.
    pub async fn queue_remove(&self, queued: &QueuedId) -> Result<(), StoreError> {
        let removed = async {
            let changed = sqlx::query("delete from queued_messages where id = ?")
                .bind(queued.as_str())
                .execute(self.writer())
                .await?;
            if changed.rows_affected() == 0 {
                return Err(not_found(format!("waiting message `{queued}`")));
            }
            Ok(())
        };
        self.explain(removed.await)
    }

    /// The next message, for a turn that begins with its text right away. It leaves the queue when
    /// that turn is stored; give it back with [`Store::queue_return`] when no turn begins.
    pub async fn queue_pop(&self, session: &SessionId) -> Result<Option<QueuedTurn>, StoreError> {
        self.explain(self.take_first(session, |_| true).await)
    }

    /// One particular waiting message, as [`Store::queue_pop`] takes the first. `None` when it no
    /// longer waits.
    pub async fn queue_take(&self, session: &SessionId, id: &QueuedId) -> Result<Option<QueuedTurn>, StoreError> {
        self.explain(self.take_first(session, |queued| queued.queued_id == *id).await)
    }

    async fn take_first(
        &self,
        session: &SessionId,
        fits: impl Fn(&QueuedTurn) -> bool,
    ) -> Result<Option<QueuedTurn>, Fault> {
        // Nearly always there is nothing, and a look needs no lock.
        if waiting(self.readers(), session).await?.is_empty() {
            return Ok(None);
        }
        let mut transaction = self.begin().await?;
        let rows = waiting(&mut *transaction, session).await?;
        for row in rows.iter().filter(|row| self.is_free(row)) {
            let queued = read_queued(row)?;
            if !fits(&queued) {
                continue;
            }
            sqlx::query("update queued_messages set taken_by = ? where id = ?")
                .bind(self.instance())
                .bind(queued.queued_id.as_str())
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            return Ok(Some(queued));
        }
        Ok(None)
    }

    /// The popped message waits again, at its old place.
    pub async fn queue_return(&self, queued: &QueuedId) -> Result<(), StoreError> {
        let returned = async {
            sqlx::query("update queued_messages set taken_by = null where id = ? and taken_by = ?")
                .bind(queued.as_str())
                .bind(self.instance())
                .execute(self.writer())
                .await?;
            Ok(())
        };
        self.explain(returned.await)
    }

    /// Waiting, or taken by a program that died with it in its hands.
    fn is_free(&self, row: &SqliteRow) -> bool {
        match row.try_get::<Option<String>, _>("taken_by") {
            Ok(Some(owner)) => !self.is_alive(&owner),
            Ok(None) => true,
            Err(_) => false,
        }
    }
}

/// Called by the turn that begins: the message it carries leaves the queue.
pub(crate) async fn leave(connection: &mut SqliteConnection, turn: &NewTurn, instance: &str) -> Result<(), Fault> {
    sqlx::query(
        "delete from queued_messages
         where key = (
           select min(key)
           from queued_messages
           where session_id = ? and taken_by = ? and text = ? and attachments is ?
         )",
    )
    .bind(turn.session_id.as_str())
    .bind(instance)
    .bind(&turn.user_text)
    .bind(list_json(&turn.attachments)?)
    .execute(connection)
    .await?;
    Ok(())
}

async fn waiting<'c>(
    executor: impl sqlx::SqliteExecutor<'c>,
    session: &SessionId,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    sqlx::query(
        "select id, session_id, text, mode, model, queued_at, taken_by, attachments, think, allow_spending
         from queued_messages
         where session_id = ?
         order by key",
    )
    .bind(session.as_str().to_owned())
    .fetch_all(executor)
    .await
}

fn read_queued(row: &SqliteRow) -> Result<QueuedTurn, Fault> {
    Ok(QueuedTurn {
        queued_id: QueuedId(row.try_get(0)?),
        session_id: SessionId(row.try_get(1)?),
        text: row.try_get(2)?,
        mode: mode_of(row.try_get(3)?),
        model: row.try_get(4)?,
        queued_at: UnixMs(row.try_get(5)?),
        attachments: read_list(row, 7)?,
        think: row.try_get::<Option<&str>, _>(8)?.and_then(ThinkLevel::of),
        allow_spending: row.try_get(9)?,
    })
}
