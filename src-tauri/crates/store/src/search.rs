//! Finding messages.
//!
//! To support another language: its stop words in `search/stop_words.rs`; if it writes no spaces,
//! its letters in `search/scripts.rs`.

mod excerpt;
mod find;
mod prep;
mod question;
mod scripts;
mod stop_words;

pub(crate) use question::{Question, quoted};

use crate::fault::Fault;
use prep::{Kind, prep};
use sqlx::{Row, SqliteConnection};

/// A message as it goes into the index.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Prepared {
    pub(crate) words: String,
    trigrams: String,
}

/// Done before the write lock is taken: it is the costly part for a long message.
pub(crate) fn prepare(text: &str) -> Prepared {
    let mut prepared = Prepared { words: String::with_capacity(text.len().min(1 << 16)), ..Prepared::default() };
    prep(text, &mut |kind, token| {
        let target = if kind == Kind::Run { &mut prepared.trigrams } else { &mut prepared.words };
        if !target.is_empty() {
            target.push(' ');
        }
        target.push_str(token);
    });
    prepared
}

/// Adds a stored message to the index.
pub(crate) async fn index(connection: &mut SqliteConnection, key: i64, prepared: &Prepared) -> Result<(), Fault> {
    if !prepared.words.is_empty() {
        sqlx::query("insert into messages_words (rowid, words) values (?, ?)")
            .bind(key)
            .bind(&prepared.words)
            .execute(&mut *connection)
            .await?;
    }
    index_trigrams(connection, key, prepared).await
}

/// The part of the index that only scripts without spaces need.
pub(crate) async fn index_trigrams(
    connection: &mut SqliteConnection,
    key: i64,
    prepared: &Prepared,
) -> Result<(), Fault> {
    if !prepared.trigrams.is_empty() {
        sqlx::query("insert into messages_trigrams (rowid, words) values (?, ?)")
            .bind(key)
            .bind(&prepared.trigrams)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Adds a fact to its index.
pub(crate) async fn index_fact(connection: &mut SqliteConnection, key: i64, prepared: &Prepared) -> Result<(), Fault> {
    sqlx::query("insert into facts_words (rowid, words) values (?, ?)")
        .bind(key)
        .bind(&prepared.words)
        .execute(connection)
        .await?;
    Ok(())
}

/// Fills an empty index from the facts.
pub(crate) async fn rebuild_facts(connection: &mut SqliteConnection) -> Result<(), Fault> {
    let mut transaction = sqlx::Connection::begin(connection).await?;
    let rows =
        sqlx::query("select key, sentence from facts where status = 'active'").fetch_all(&mut *transaction).await?;
    for row in &rows {
        index_fact(&mut transaction, row.try_get(0)?, &prepare(row.try_get(1)?)).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Fills an empty index from the messages.
pub(crate) async fn rebuild(connection: &mut SqliteConnection) -> Result<(), Fault> {
    let mut after = 0;
    loop {
        let mut transaction = sqlx::Connection::begin(connection).await?;
        let rows = sqlx::query(
            "select key, text
             from messages
             where key > ? and screen <> 'quarantined'
             order by key
             limit 500",
        )
        .bind(after)
        .fetch_all(&mut *transaction)
        .await?;
        for row in &rows {
            after = row.try_get(0)?;
            index(&mut transaction, after, &prepare(row.try_get(1)?)).await?;
        }
        transaction.commit().await?;
        if rows.is_empty() {
            return Ok(());
        }
    }
}
