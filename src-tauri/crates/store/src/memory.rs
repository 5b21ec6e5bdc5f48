//! What the person wants kept: facts, where they were said, and who was told.
//!
//! Forgetting is in `memory/forget.rs`: it takes a fact out of every place that this store wrote it
//! to, and out of the file.

mod forget;
mod quote;
mod unsaid;

pub(crate) use unsaid::Unsaid;

use crate::fault::{Fault, failed};
use crate::read::count;
use crate::search::{self, Question, quoted};
use crate::store::Store;
use namma_core::BoxFuture;
use namma_core::ports::{Fact, Memory, NewFact, Remembered, StoreError};
use namma_core::trust::TaintSet;
use namma_protocol::{FactId, TurnId, UnixMs};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

impl Memory for Store {
    fn remember<'a>(&'a self, fact: NewFact<'a>) -> BoxFuture<'a, Result<Remembered, StoreError>> {
        Box::pin(async move { self.explain(self.remember_stored(fact).await) })
    }

    fn recall<'a>(
        &'a self,
        turn: &'a TurnId,
        query: Option<&'a str>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>> {
        Box::pin(async move {
            let found = self.facts(query, limit).await?;
            self.explain(self.note_telling(turn, &found).await)?;
            Ok(found)
        })
    }

    fn look_up<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>> {
        Box::pin(async move { self.explain(self.facts_of(facts).await) })
    }

    fn forget<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<u32, StoreError>> {
        Box::pin(async move { self.explain(self.forget_stored(facts).await) })
    }
}

impl Store {
    /// The facts that fit a query best, at most `limit`; without one the pinned, then the newest.
    /// Nobody counts as told.
    pub async fn facts(&self, query: Option<&str>, limit: u32) -> Result<Vec<Fact>, StoreError> {
        let question = query.map(Question::parse).filter(|question| !question.is_empty());
        let found = async {
            match question {
                Some(question) => self.facts_about(&question, limit).await,
                // A query of signs alone asks for nothing.
                None if query.is_some_and(|query| !query.trim().is_empty()) => Ok(Vec::new()),
                None => self.newest_facts(limit).await,
            }
        };
        self.explain(found.await)
    }

    async fn newest_facts(&self, limit: u32) -> Result<Vec<Fact>, Fault> {
        let rows = sqlx::query(
            "select id, sentence, learned_at, pinned, taint
             from facts
             where status = 'active'
             order by pinned desc, learned_at desc, key desc
             limit ?",
        )
        .bind(i64::from(limit))
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(read_fact).collect()
    }

    /// By the words of the index; what is written without spaces, by its pieces.
    async fn facts_about(&self, question: &Question, limit: u32) -> Result<Vec<Fact>, Fault> {
        let terms: Vec<String> = question.words.iter().map(|word| quoted(word)).collect();
        let mut found = Vec::new();
        if !terms.is_empty() {
            let rows = sqlx::query(
                "select f.id, f.sentence, f.learned_at, f.pinned, f.taint
                 from facts_words w
                 join facts f on f.key = w.rowid
                 where w.facts_words match ?
                   and f.status = 'active'
                 order by bm25(w.facts_words), f.pinned desc, f.learned_at desc, f.key desc
                 limit ?",
            )
            .bind(terms.join(" OR "))
            .bind(i64::from(limit))
            .fetch_all(self.readers())
            .await?;
            found = rows.iter().map(read_fact).collect::<Result<Vec<Fact>, Fault>>()?;
        }
        for run in question.trigrams.iter().chain(&question.short_runs) {
            let rows = sqlx::query(
                "select id, sentence, learned_at, pinned, taint
                 from facts
                 where status = 'active'
                   and instr(sentence, ?) > 0
                 order by pinned desc, learned_at desc, key desc
                 limit ?",
            )
            .bind(run)
            .bind(i64::from(limit))
            .fetch_all(self.readers())
            .await?;
            for row in &rows {
                let fact = read_fact(row)?;
                if !found.contains(&fact) {
                    found.push(fact);
                }
            }
        }
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn facts_of(&self, ids: &[FactId]) -> Result<Vec<Fact>, Fault> {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let row = sqlx::query(
                "select id, sentence, learned_at, pinned, taint
                 from facts
                 where id = ?
                   and status = 'active'",
            )
            .bind(id.as_str())
            .fetch_optional(self.readers())
            .await?;
            found.extend(row.as_ref().map(read_fact).transpose()?);
        }
        Ok(found)
    }

    async fn remember_stored(&self, new: NewFact<'_>) -> Result<Remembered, Fault> {
        let norm_key = quote::norm_key(new.sentence);
        let prepared = search::prepare(new.sentence);
        let now = self.now();
        let mut transaction = self.begin().await?;
        let inserted = sqlx::query(
            "insert into facts (id, sentence, learned_at, source, trust, taint, norm_key)
             values (?, ?, ?, 'user_said', ?, ?, ?)
             on conflict (scope, norm_key) where status = 'active' do nothing",
        )
        .bind(FactId::fresh().as_str())
        .bind(new.sentence)
        .bind(now.0)
        .bind(new.trust.as_str())
        .bind(i64::from(new.taint.0))
        .bind(&norm_key)
        .execute(&mut *transaction)
        .await?;
        let is_new = inserted.rows_affected() > 0;
        let row = sqlx::query(
            "select id, sentence, learned_at, pinned, taint, key
             from facts
             where scope = 'global'
               and norm_key = ?
               and status = 'active'",
        )
        .bind(&norm_key)
        .fetch_optional(&mut *transaction)
        .await?;
        let row = row.ok_or_else(|| failed("BUG: a fact that was just kept is not there"))?;
        let key: i64 = row.try_get(5)?;
        if is_new {
            search::index_fact(&mut transaction, key, &prepared).await?;
        }
        add_source(&mut transaction, key, new).await?;
        journal(&mut transaction, now, if is_new { "remembered" } else { "said_again" }, 1).await?;
        transaction.commit().await?;
        Ok(Remembered { fact: read_fact(&row)?, is_new })
    }

    async fn note_telling(&self, turn: &TurnId, told: &[Fact]) -> Result<(), Fault> {
        if told.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        for fact in told {
            sqlx::query(
                "update facts
                 set uses = uses + 1
                 where id = ?",
            )
            .bind(fact.id.as_str())
            .execute(&mut *transaction)
            .await?;
            // A call by hand belongs to no turn.
            sqlx::query(
                "insert into fact_tellings (fact_key, turn_key)
                 select f.key, t.key
                 from facts f
                 join turns t on t.id = ?
                 where f.id = ?
                 on conflict do nothing",
            )
            .bind(turn.as_str())
            .bind(fact.id.as_str())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// The message of the turn that says it in these words, or else the last one of the person.
async fn add_source(connection: &mut SqliteConnection, fact_key: i64, new: NewFact<'_>) -> Result<(), Fault> {
    let rows = sqlx::query(
        "select m.key, m.text
         from messages m
         join turns t on t.key = m.turn_key
         where t.id = ?
           and m.role = 'user'
         order by m.position desc",
    )
    .bind(new.turn.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let mut source: Option<(i64, Option<(usize, usize)>)> = None;
    for row in &rows {
        let at = quote::find(row.try_get(1)?, new.sentence);
        if at.is_some() || source.is_none() {
            source = Some((row.try_get(0)?, at));
        }
        if at.is_some() {
            break;
        }
    }
    let Some((message_key, at)) = source else { return Ok(()) };
    let place = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    sqlx::query(
        "insert into fact_sources (fact_key, message_key, quote_start, quote_end)
         values (?, ?, ?, ?)
         on conflict do nothing",
    )
    .bind(fact_key)
    .bind(message_key)
    .bind(at.map(|(start, _)| place(start)))
    .bind(at.map(|(_, end)| place(end)))
    .execute(connection)
    .await?;
    Ok(())
}

async fn journal(connection: &mut SqliteConnection, at: UnixMs, op: &str, facts: u32) -> Result<(), Fault> {
    sqlx::query("insert into memory_ops (at, op, facts) values (?, ?, ?)")
        .bind(at.0)
        .bind(op)
        .bind(i64::from(facts))
        .execute(connection)
        .await?;
    Ok(())
}

fn read_fact(row: &SqliteRow) -> Result<Fact, Fault> {
    Ok(Fact {
        id: FactId(row.try_get(0)?),
        sentence: row.try_get(1)?,
        learned_at: UnixMs(row.try_get(2)?),
        pinned: row.try_get(3)?,
        taint: TaintSet(count(row, 4)?),
    })
}
