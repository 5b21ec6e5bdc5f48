//! A store full of talk, and what it costs to use it: for `namma bench`.

mod measure;

use crate::fault::Fault;
use crate::search;
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::UnixMs;
use sqlx::SqliteConnection;

pub use measure::{WriteCost, measure_writes};

/// What [`bench_fixture`] hid among the rest: questions with the text of the message to be found.
pub const QUESTIONS: &[(&str, &str)] = &[
    ("what did I say about the wifi password?", "the wifi password at the cottage is marigold seventeen"),
    ("when is Meena's dentist appointment?", "Meena goes to the dentist on the ninth of March at half past ten"),
    ("which train do we take to Mysuru?", "we take the Tippu express to Mysuru, it leaves at quarter past three"),
    ("how did we fix the printer that wasn't printing?", "the printer prints again since I replaced the fuser roller"),
    ("where's the spare key for the garage?", "the spare key of the garage lies under the blue flowerpot"),
];

/// Fills the store with `messages` messages of about 80 words from a vocabulary of 50,000 with the
/// frequencies of a language, and the answers to [`QUESTIONS`] among them.
pub async fn bench_fixture(store: &Store, messages: u32) -> Result<(), StoreError> {
    let filled = fill(store, messages).await;
    store.explain(filled)
}

const TURNS_IN_SESSION: u32 = 20;
const WORDS: u32 = 80;

/// Turns written in one transaction.
const BATCH: u32 = 1000;

async fn fill(store: &Store, messages: u32) -> Result<(), Fault> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let turns = messages.div_ceil(2);
    let every = (turns / (QUESTIONS.len() as u32 + 1)).max(1);
    let now = store.now();
    for first in (0..turns).step_by(BATCH as usize) {
        let mut transaction = store.begin().await?;
        for number in first..turns.min(first + BATCH) {
            let mut texts = [dice.talk(), dice.talk()];
            let hidden = QUESTIONS.get((number / every).wrapping_sub(1) as usize);
            if let Some((_, answer)) = hidden.filter(|_| number % every == 0) {
                texts[0] = (*answer).to_owned();
            }
            let at = UnixMs(now.0 - i64::from(turns - number) * 60_000);
            insert_turn(&mut transaction, number, at, &texts).await?;
        }
        transaction.commit().await?;
    }
    Ok(())
}

async fn insert_turn(
    connection: &mut SqliteConnection,
    number: u32,
    at: UnixMs,
    texts: &[String; 2],
) -> Result<(), Fault> {
    let session_key = i64::from(number / TURNS_IN_SESSION) + 1_000_000;
    if number.is_multiple_of(TURNS_IN_SESSION) {
        sqlx::query(
            "insert into sessions (key, id, title, title_source, mode, model, created_at, updated_at)
             values (?1, 'ses_bench_' || ?1, 'Bench ' || ?1, 'question', 'agent', 'bench', ?2, ?2)",
        )
        .bind(session_key)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
    }
    let turn = sqlx::query(
        "insert into turns (id, session_key, ordinal, trust, mode, model, started_at, touched_at, finished_at,
           outcome, owner)
         values ('turn_bench_' || ?1, ?2, ?3, 'owner', 'agent', 'bench', ?4, ?4, ?4,
           '{\"type\":\"answered\",\"text\":\"\"}', '')",
    )
    .bind(i64::from(number))
    .bind(session_key)
    .bind(i64::from(number % TURNS_IN_SESSION) + 1)
    .bind(at.0)
    .execute(&mut *connection)
    .await?;
    for (position, (role, text)) in (0..).zip(["user", "assistant"].into_iter().zip(texts)) {
        let message = sqlx::query(
            "insert into messages (turn_key, position, role, text, created_at)
             values (?, ?, ?, ?, ?)",
        )
        .bind(turn.last_insert_rowid())
        .bind(position)
        .bind(role)
        .bind(text)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
        search::index(connection, message.last_insert_rowid(), &search::prepare(text)).await?;
    }
    Ok(())
}

/// The words people use most, the most frequent first.
const FREQUENT: &str = "the to and a of in is it you that for on was with be we this have at are as but not my from they \
    do will if about so what would there out when up your how can like just know time day good see make go want get \
    work people year way thing need look also back after use two first new because any give most";

/// The words of [`QUESTIONS`]: in one message of a hundred, so that many talk of the same things.
const TOPICS: &str = "wifi password cottage dentist appointment march train take express leaves quarter printer printing \
    prints fix replaced garage spare key lies blue";

/// The rank of the first topic.
const TOPIC_RANK: usize = 600;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Zipf: the word of rank r comes with probability 1/r.
    fn talk(&mut self) -> String {
        let frequent: Vec<&str> = FREQUENT.split_whitespace().collect();
        let topics: Vec<&str> = TOPICS.split_whitespace().collect();
        let mut text = String::with_capacity(WORDS as usize * 7);
        for _ in 0..WORDS {
            let rank = (50_000f64.powf(self.fraction())) as usize;
            if !text.is_empty() {
                text.push(' ');
            }
            let topic = rank.checked_sub(TOPIC_RANK).and_then(|place| topics.get(place));
            match frequent.get(rank.saturating_sub(1)).or(topic) {
                Some(word) => text.push_str(word),
                None => spell(rank, &mut text),
            }
        }
        text
    }
}

/// A pronounceable word for a number.
fn spell(mut number: usize, text: &mut String) {
    const SYLLABLES: [&str; 16] =
        ["ka", "ri", "to", "me", "lu", "sha", "no", "vi", "pe", "dra", "zo", "hin", "gu", "fel", "ost", "wam"];
    loop {
        text.push_str(SYLLABLES[number % SYLLABLES.len()]);
        number /= SYLLABLES.len();
        if number == 0 {
            return;
        }
    }
}
