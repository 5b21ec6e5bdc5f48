//! Forgetting for good: the fact, its place in the index, and every mention in every chat; then the
//! pages of the file and of its journal. A turn that runs meanwhile may still say it: what it stores
//! from then on goes through [`Store::unsaid`].

use super::{journal, quote};
use crate::fault::Fault;
use crate::store::Store;
use crate::{search, title};
use namma_protocol::{FactId, TurnId, UnixMs};
use serde_json::Value;
use sqlx::{Row, SqliteConnection};

/// A fact that goes.
struct Going {
    key: i64,
    sentence: String,
}

impl Store {
    pub(super) async fn forget_stored(&self, ids: &[FactId]) -> Result<u32, Fault> {
        let now = self.now();
        let mut connection = self.writer().acquire().await?;
        // The usual `fast` leaves pages that become free as they were.
        sqlx::query("pragma secure_delete = on").fetch_all(&mut *connection).await?;
        let forgotten = self.forget_in(&mut connection, ids, now).await;
        sqlx::query("pragma secure_delete = fast").fetch_all(&mut *connection).await?;
        forgotten
    }

    async fn forget_in(&self, connection: &mut SqliteConnection, ids: &[FactId], now: UnixMs) -> Result<u32, Fault> {
        let mut transaction = sqlx::Connection::begin_with(&mut *connection, "begin immediate").await?;
        let mut going: Vec<Going> = Vec::new();
        for id in ids {
            let fact = find(&mut transaction, id).await?;
            going.extend(fact.filter(|fact| going.iter().all(|one| one.key != fact.key)));
        }
        // A longer one may hold a shorter one, which would take its middle out of it.
        going.sort_by_key(|fact| std::cmp::Reverse(fact.sentence.len()));
        for fact in &going {
            for turn_key in turns_that_say(&mut transaction, &fact.sentence).await? {
                clean_turn(&mut transaction, turn_key, &fact.sentence).await?;
            }
            sqlx::query("delete from facts_words where rowid = ?").bind(fact.key).execute(&mut *transaction).await?;
            sqlx::query("delete from facts where key = ?").bind(fact.key).execute(&mut *transaction).await?;
        }
        let gone = u32::try_from(going.len()).unwrap_or(u32::MAX);
        if gone > 0 {
            journal(&mut transaction, now, "forgot", gone).await?;
            sqlx::query("update memory_ops set leaves_traces = 1 where key = last_insert_rowid()")
                .execute(&mut *transaction)
                .await?;
            let running = running_turns(&mut transaction).await?;
            self.unsaid().note(going.into_iter().map(|fact| fact.sentence), &running);
        }
        transaction.commit().await?;
        if gone > 0 {
            leave_no_trace(connection).await?;
        }
        Ok(gone)
    }

    /// Ends what a program that died in the middle of forgetting had begun.
    pub(crate) async fn finish_forgetting(&self) -> Result<(), Fault> {
        let row = sqlx::query("select exists (select 1 from memory_ops where leaves_traces = 1)")
            .fetch_one(self.readers())
            .await?;
        if row.try_get(0)? {
            let mut connection = self.writer().acquire().await?;
            leave_no_trace(&mut connection).await?;
        }
        Ok(())
    }
}

async fn find(connection: &mut SqliteConnection, id: &FactId) -> Result<Option<Going>, Fault> {
    let row = sqlx::query("select key, sentence from facts where id = ?")
        .bind(id.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    row.map(|row| Ok(Going { key: row.try_get(0)?, sentence: row.try_get(1)? })).transpose()
}

/// The turns in which anything may hold the sentence: those with its most telling word, or, where it
/// has none that the database can compare whatever its letters, all of them.
async fn turns_that_say(connection: &mut SqliteConnection, sentence: &str) -> Result<Vec<i64>, Fault> {
    let plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let telling = sentence.split_whitespace().filter(plain).max_by_key(|word| word.len());
    let pattern = format!("%{}%", telling.unwrap_or_default());
    let rows = sqlx::query(
        "select turn_key from messages where text like ?1 or thinking like ?1
         union
         select turn_key from tool_calls
         where input like ?1 or broken_arguments like ?1 or outcome like ?1 or fact like ?1 or approvals like ?1
           or title_doing like ?1 or title_done like ?1
         union
         select c.turn_key from whole_results w join tool_calls c on c.key = w.call_key where w.content like ?1
         union
         select turn_key from partials where text like ?1
         union
         select key from turns where outcome like ?1 or outcome_text like ?1",
    )
    .bind(pattern)
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

async fn running_turns(connection: &mut SqliteConnection) -> Result<Vec<TurnId>, Fault> {
    let rows = sqlx::query("select id from turns where finished_at is null").fetch_all(connection).await?;
    rows.iter().map(|row| Ok(TurnId(row.try_get(0)?))).collect()
}

/// Takes a sentence out of everything that is kept of a turn.
async fn clean_turn(connection: &mut SqliteConnection, turn_key: i64, sentence: &str) -> Result<(), Fault> {
    clean_messages(connection, turn_key, sentence).await?;
    clean_calls(connection, turn_key, sentence).await?;
    let partial = sqlx::query("select text from partials where turn_key = ?")
        .bind(turn_key)
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(text) = partial.and_then(|row| quote::without(row.try_get(0).ok()?, sentence)) {
        sqlx::query("update partials set text = ? where turn_key = ?")
            .bind(text)
            .bind(turn_key)
            .execute(&mut *connection)
            .await?;
    }
    let row = sqlx::query("select outcome, outcome_text from turns where key = ?")
        .bind(turn_key)
        .fetch_one(&mut *connection)
        .await?;
    let outcome = json_without(row.try_get(0)?, sentence)?;
    let text = row.try_get::<Option<String>, _>(1)?.map(|text| kept(text, sentence));
    sqlx::query("update turns set outcome = ?, outcome_text = ? where key = ?")
        .bind(outcome)
        .bind(text)
        .bind(turn_key)
        .execute(&mut *connection)
        .await?;
    clean_title(connection, turn_key).await
}

async fn clean_messages(connection: &mut SqliteConnection, turn_key: i64, sentence: &str) -> Result<(), Fault> {
    let rows = sqlx::query("select key, text, thinking, screen from messages where turn_key = ?")
        .bind(turn_key)
        .fetch_all(&mut *connection)
        .await?;
    for row in rows {
        let key: i64 = row.try_get(0)?;
        if let Some(thinking) = quote::without(row.try_get(2)?, sentence) {
            sqlx::query("update messages set thinking = ? where key = ?")
                .bind(thinking)
                .bind(key)
                .execute(&mut *connection)
                .await?;
        }
        let Some(text) = quote::without(row.try_get(1)?, sentence) else { continue };
        sqlx::query("update messages set text = ? where key = ?")
            .bind(&text)
            .bind(key)
            .execute(&mut *connection)
            .await?;
        for delete in ["delete from messages_words where rowid = ?", "delete from messages_trigrams where rowid = ?"] {
            sqlx::query(delete).bind(key).execute(&mut *connection).await?;
        }
        if row.try_get::<&str, _>(3)? != "quarantined" {
            search::index(connection, key, &search::prepare(&text)).await?;
        }
    }
    Ok(())
}

async fn clean_calls(connection: &mut SqliteConnection, turn_key: i64, sentence: &str) -> Result<(), Fault> {
    let rows = sqlx::query(
        "select c.key, c.input, c.broken_arguments, c.outcome, c.fact, c.approvals, c.title_doing, c.title_done,
           w.content
         from tool_calls c
         left join whole_results w on w.call_key = c.key
         where c.turn_key = ?",
    )
    .bind(turn_key)
    .fetch_all(&mut *connection)
    .await?;
    for row in rows {
        let key: i64 = row.try_get(0)?;
        let text = |column: usize| -> Result<Option<String>, sqlx::Error> {
            Ok(row.try_get::<Option<String>, _>(column)?.map(|text| kept(text, sentence)))
        };
        sqlx::query(
            "update tool_calls
             set input = ?2, broken_arguments = ?3, outcome = ?4, fact = ?5, approvals = ?6, title_doing = ?7,
               title_done = ?8
             where key = ?1",
        )
        .bind(key)
        .bind(json_without(row.try_get(1)?, sentence)?)
        .bind(text(2)?)
        .bind(json_without(row.try_get(3)?, sentence)?)
        .bind(text(4)?)
        .bind(json_without(row.try_get(5)?, sentence)?)
        .bind(text(6)?)
        .bind(text(7)?)
        .execute(&mut *connection)
        .await?;
        if let Some(whole) = text(8)? {
            sqlx::query("update whole_results set content = ? where call_key = ?")
                .bind(whole)
                .bind(key)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

/// A title that was made from the first message is made from what is left of it.
async fn clean_title(connection: &mut SqliteConnection, turn_key: i64) -> Result<(), Fault> {
    let row = sqlx::query(
        "select s.key, m.text
         from turns t
         join sessions s on s.key = t.session_key
         join messages m on m.turn_key = t.key and m.position = 0
         where t.key = ?
           and t.ordinal = 1
           and s.title_source = 'question'",
    )
    .bind(turn_key)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(()) };
    sqlx::query("update sessions set title = ? where key = ?")
        .bind(title::from_question(row.try_get(1)?))
        .bind(row.try_get::<i64, _>(0)?)
        .execute(connection)
        .await?;
    Ok(())
}

fn kept(text: String, sentence: &str) -> String {
    quote::without(&text, sentence).unwrap_or(text)
}

fn json_without(json: Option<String>, sentence: &str) -> Result<Option<String>, Fault> {
    let Some(json) = json else { return Ok(None) };
    let mut value: Value = serde_json::from_str(&json)?;
    Ok(Some(if quote::take_out_of(&mut value, sentence) > 0 { value.to_string() } else { json }))
}

/// The words are in merged-away parts of the index, in free pages and in the journal.
async fn leave_no_trace(connection: &mut SqliteConnection) -> Result<(), Fault> {
    const MERGES: [[&str; 2]; 2] = [
        [
            "insert into messages_words (messages_words, rank) values ('merge', -200)",
            "insert into messages_words (messages_words, rank) values ('merge', 200)",
        ],
        [
            "insert into messages_trigrams (messages_trigrams, rank) values ('merge', -200)",
            "insert into messages_trigrams (messages_trigrams, rank) values ('merge', 200)",
        ],
    ];
    // In pieces, so that other writers need not wait for the whole.
    for [begin, go_on] in MERGES {
        sqlx::query(begin).execute(&mut *connection).await?;
        loop {
            let before = changes(connection).await?;
            sqlx::query(go_on).execute(&mut *connection).await?;
            // As the documentation of FTS5 says: less than two changes are no work.
            if changes(connection).await? - before < 2 {
                break;
            }
        }
    }
    sqlx::query("pragma incremental_vacuum").fetch_all(&mut *connection).await?;
    let folded = sqlx::query("pragma wal_checkpoint(truncate)").fetch_one(&mut *connection).await?;
    if folded.try_get::<i64, _>(0)? != 0 {
        tracing::warn!("another program reads the database; the journal is cut when it is done");
        return Ok(());
    }
    sqlx::query("update memory_ops set leaves_traces = 0 where leaves_traces = 1").execute(connection).await?;
    Ok(())
}

async fn changes(connection: &mut SqliteConnection) -> Result<i64, Fault> {
    Ok(sqlx::query("select total_changes()").fetch_one(connection).await?.try_get(0)?)
}
