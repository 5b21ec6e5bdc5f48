//! The search itself.
//!
//! `bm25()` looks at each row that matches, and first counts the rows of each of its terms: a word
//! in half of 100,000 messages costs 100 ms. So the rare terms of the question name the candidates
//! with their exact scores, within a budget of rows; the common ones are only asked which of the
//! candidates they are in, by an intersection that skips from candidate to candidate.

use super::excerpt::excerpt;
use super::question::{Question, quoted};
use crate::fault::Fault;
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::{MessageId, SearchHit, SessionId, TurnId, UnixMs};
use sqlx::{Row, SqliteConnection};
use std::collections::HashMap;

/// Rows that are scored by `bm25()`, over all terms of a question: three microseconds each.
const SCORED_ROWS: i64 = 800;

/// Rows looked at when every term is common: the newest that have them together.
const COMMON_ROWS: i64 = 600;

/// Messages with only one of the common terms fill the list up to here.
const ENOUGH: usize = 100;

/// Common terms that are asked at all, the rarest of them.
const COMMON_TERMS: usize = 3;

/// Words of a message, about. The true average costs a look at all of them and changes little.
const AVERAGE_WORDS: f64 = 80.0;

/// Candidates whose messages are read to rank them finally.
const READ_CANDIDATES: usize = 64;

/// What the favoured side's messages count more: the person's own, or the assistant's when the
/// question asks what it said.
const FAVOURED: f64 = 1.6;

/// What a question counts when a question is asked: the answer is wanted, not the question again.
const ASKED_BEFORE: f64 = 0.7;

/// The two tables of the index, each with its own fixed statements.
#[derive(Clone, Copy)]
struct Table {
    size: &'static str,
    probe: &'static str,
    score: &'static str,
    contains: &'static str,
    sized: &'static str,
}

const WORDS: Table = Table {
    size: "select count(*) from messages_words_docsize",
    probe: "
        select count(*), coalesce(min(rowid), 0), coalesce(max(rowid), 0)
        from (
          select rowid
          from messages_words
          where messages_words match ?
          order by rowid desc
          limit ?
        )",
    score: "
        select rowid, bm25(messages_words)
        from messages_words
        where messages_words match ?",
    contains: "
        select rowid
        from messages_words
        where messages_words match ?",
    sized: "
        select f.rowid, d.sz
        from messages_words f
        join messages_words_docsize d on d.id = f.rowid
        where f.messages_words match ?
        order by f.rowid desc
        limit ?",
};

const TRIGRAMS: Table = Table {
    size: "select count(*) from messages_trigrams_docsize",
    probe: "
        select count(*), coalesce(min(rowid), 0), coalesce(max(rowid), 0)
        from (
          select rowid
          from messages_trigrams
          where messages_trigrams match ?
          order by rowid desc
          limit ?
        )",
    score: "
        select rowid, bm25(messages_trigrams)
        from messages_trigrams
        where messages_trigrams match ?",
    contains: "
        select rowid
        from messages_trigrams
        where messages_trigrams match ?",
    sized: "
        select f.rowid, d.sz
        from messages_trigrams f
        join messages_trigrams_docsize d on d.id = f.rowid
        where f.messages_trigrams match ?
        order by f.rowid desc
        limit ?",
};

type Scores = HashMap<i64, f64>;

impl Store {
    /// The messages that answer the query best, at most `limit`, the best first. A query is words
    /// or a whole question in any language; none of its characters is an operator.
    pub async fn search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, StoreError> {
        let question = Question::parse(query);
        if question.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let found = async {
            // One snapshot: the counts must fit the rows.
            let mut snapshot = self.readers().begin().await?;
            let mut scores = Scores::new();
            score_terms(&mut snapshot, WORDS, &question.words, &mut scores).await?;
            score_terms(&mut snapshot, TRIGRAMS, &question.trigrams, &mut scores).await?;
            score_short_runs(&mut snapshot, &question.short_runs, &mut scores).await?;
            read_hits(&mut snapshot, &question, scores, limit as usize).await
        };
        self.explain(found.await)
    }
}

/// A term and how common it is.
struct Term {
    quoted: String,
    /// Rows that have it; for a common one an estimate.
    rows: f64,
    is_common: bool,
}

async fn score_terms(
    connection: &mut SqliteConnection,
    table: Table,
    words: &[String],
    scores: &mut Scores,
) -> Result<(), Fault> {
    if words.is_empty() {
        return Ok(());
    }
    let size: i64 = sqlx::query(table.size).fetch_one(&mut *connection).await?.try_get(0)?;
    let size = size as f64;
    let mut terms = Vec::with_capacity(words.len());
    for word in words {
        terms.extend(probe(connection, table, word).await?);
    }
    terms.sort_by(|a, b| a.rows.total_cmp(&b.rows));
    let rare = take_rare(&mut terms);
    for term in &rare {
        let repair = true_weight(size, term.rows) / weight_of_bm25(size, term.rows);
        for row in sqlx::query(table.score).bind(&term.quoted).fetch_all(&mut *connection).await? {
            *scores.entry(row.try_get(0)?).or_default() -= row.try_get::<f64, _>(1)? * repair;
        }
    }
    terms.truncate(COMMON_TERMS);
    if terms.is_empty() {
        return Ok(());
    }
    if rare.is_empty() {
        return score_common(connection, table, (&terms, size), scores).await;
    }
    let candidates = rare.iter().map(|term| term.quoted.as_str()).collect::<Vec<_>>().join(" OR ");
    for term in &terms {
        let both = format!("({candidates}) AND {}", term.quoted);
        for row in sqlx::query(table.contains).bind(both).fetch_all(&mut *connection).await? {
            *scores.entry(row.try_get(0)?).or_default() += true_weight(size, term.rows);
        }
    }
    Ok(())
}

/// Nobody has the term: `None`.
async fn probe(connection: &mut SqliteConnection, table: Table, word: &str) -> Result<Option<Term>, Fault> {
    let quoted = quoted(word);
    let row = sqlx::query(table.probe).bind(&quoted).bind(SCORED_ROWS).fetch_one(connection).await?;
    let (found, oldest, newest): (i64, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if found == 0 {
        return Ok(None);
    }
    let is_common = found >= SCORED_ROWS;
    // As dense before the newest rows as within them.
    let rows = if is_common { found as f64 * newest as f64 / (newest - oldest + 1) as f64 } else { found as f64 };
    Ok(Some(Term { quoted, rows, is_common }))
}

/// Takes from the front the terms whose rows can all be scored.
fn take_rare(terms: &mut Vec<Term>) -> Vec<Term> {
    let mut left = SCORED_ROWS as f64;
    let rare = terms
        .iter()
        .take_while(|term| {
            left -= term.rows;
            !term.is_common && left >= 0.0
        })
        .count();
    terms.drain(..rare).collect()
}

/// Every term is common: messages that have them all, then those that have two, then one, as many
/// as the budget allows, scored as if each had its terms once. A short message says more with the
/// same words, so one with two terms may come before a long one with three.
async fn score_common(
    connection: &mut SqliteConnection,
    table: Table,
    (terms, size): (&[Term], f64),
    scores: &mut Scores,
) -> Result<(), Fault> {
    let mut left = COMMON_ROWS;
    for together in combinations(terms) {
        if left <= 0 || (together.len() == 1 && scores.len() >= ENOUGH) {
            break;
        }
        let all = together.iter().map(|term| term.quoted.as_str()).collect::<Vec<_>>().join(" AND ");
        let weight: f64 = together.iter().map(|term| true_weight(size, term.rows)).sum();
        let rows = sqlx::query(table.sized).bind(all).bind(left).fetch_all(&mut *connection).await?;
        left -= rows.len() as i64;
        for row in rows {
            // BM25 with k1 = 1.2 and b = 0.75, as inside FTS5.
            let length = words_of(row.try_get(1)?) / AVERAGE_WORDS;
            let score = weight * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * length));
            let known = scores.entry(row.try_get(0)?).or_default();
            *known = known.max(score);
        }
    }
    Ok(())
}

/// All terms, then all pairs, then each alone; the rarest first.
fn combinations(terms: &[Term]) -> Vec<Vec<&Term>> {
    let mut sets: Vec<Vec<&Term>> = vec![terms.iter().collect()];
    if terms.len() > 2 {
        for (place, first) in terms.iter().enumerate() {
            sets.extend(terms[place + 1..].iter().map(|second| vec![first, second]));
        }
    }
    if terms.len() > 1 {
        sets.extend(terms.iter().map(|term| vec![term]));
    }
    sets
}

/// The number of words of a message, a variable-length integer of FTS5.
fn words_of(size: &[u8]) -> f64 {
    let mut words = 0u64;
    for byte in size {
        words = words << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    words as f64
}

/// What a term says about a message: more when fewer have it, never nothing.
fn true_weight(size: f64, rows: f64) -> f64 {
    (1.0 + ((size - rows).max(0.0) + 0.5) / (rows + 0.5)).ln()
}

/// The weight inside FTS5's `bm25()`, which is next to nothing for a term that more than half of
/// the rows have: in a small store, for most words.
fn weight_of_bm25(size: f64, rows: f64) -> f64 {
    (((size - rows) + 0.5) / (rows + 0.5)).ln().max(1e-6)
}

/// One or two characters of a script without spaces: looked for in the newest such messages.
async fn score_short_runs(
    connection: &mut SqliteConnection,
    runs: &[String],
    scores: &mut Scores,
) -> Result<(), Fault> {
    for run in runs {
        let rows = sqlx::query(
            "select key
             from messages
             where key in (select rowid from messages_trigrams order by rowid desc limit 5000)
               and instr(text, ?) > 0
             order by key desc
             limit ?",
        )
        .bind(run)
        .bind(COMMON_ROWS)
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            *scores.entry(row.try_get(0)?).or_default() += 1.0;
        }
    }
    Ok(())
}

async fn read_hits(
    connection: &mut SqliteConnection,
    question: &Question,
    scores: Scores,
    limit: usize,
) -> Result<Vec<SearchHit>, Fault> {
    let mut ranked: Vec<(i64, f64)> = scores.into_iter().collect();
    // Newer first among equals.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    let mut found: Vec<(f64, SearchHit)> = Vec::new();
    // Deleted chats are skipped here, so more may be needed than the first batch.
    for batch in ranked.chunks(READ_CANDIDATES.max(limit)) {
        read_batch(connection, question, batch, &mut found).await?;
        if found.len() >= limit {
            break;
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(limit);
    for (_, hit) in &mut found {
        hit.excerpt = excerpt(&hit.excerpt, question);
    }
    Ok(found.into_iter().map(|(_, hit)| hit).collect())
}

async fn read_batch(
    connection: &mut SqliteConnection,
    question: &Question,
    batch: &[(i64, f64)],
    found: &mut Vec<(f64, SearchHit)>,
) -> Result<(), Fault> {
    let keys: Vec<i64> = batch.iter().map(|(key, _)| *key).collect();
    let scores: HashMap<i64, f64> = batch.iter().copied().collect();
    let rows = sqlx::query(
        "select m.key, m.role, m.text, m.created_at, t.id, s.id, s.title
         from json_each(?) j
         join messages m on m.key = j.value
         join turns t on t.key = m.turn_key
         join sessions s on s.key = t.session_key
         where s.deleted_at is null and m.screen <> 'quarantined'
         order by j.key",
    )
    .bind(serde_json::to_string(&keys)?)
    .fetch_all(connection)
    .await?;
    let favoured = if question.asks_assistant { "assistant" } else { "user" };
    for row in rows {
        let key: i64 = row.try_get(0)?;
        let role: String = row.try_get(1)?;
        let text: String = row.try_get(2)?;
        let mut score = scores.get(&key).copied().unwrap_or_default();
        if role == favoured {
            score *= FAVOURED;
        }
        if question.is_question && role == "user" && text.trim_end().ends_with(['?', '？', '؟']) {
            score *= ASKED_BEFORE;
        }
        let hit = SearchHit {
            session_id: SessionId(row.try_get(5)?),
            session_title: row.try_get(6)?,
            turn_id: TurnId(row.try_get(4)?),
            message_id: MessageId(format!("msg_{key}")),
            role,
            excerpt: text,
            created_at: UnixMs(row.try_get(3)?),
        };
        found.push((score, hit));
    }
    Ok(())
}
