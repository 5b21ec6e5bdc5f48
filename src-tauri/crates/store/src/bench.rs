//! A store full of talk, for measurements.

use crate::fault::Fault;
use crate::search;
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::UnixMs;

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

async fn fill(store: &Store, messages: u32) -> Result<(), Fault> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let turns = messages.div_ceil(2);
    let every = (turns / (QUESTIONS.len() as u32 + 1)).max(1);
    let now = store.now();
    for first in (0..turns).step_by(1000) {
        let mut transaction = store.begin().await?;
        for turn in first..turns.min(first + 1000) {
            let at = UnixMs(now.0 - i64::from(turns - turn) * 60_000);
            let session_key = i64::from(turn / TURNS_IN_SESSION) + 1_000_000;
            if turn % TURNS_IN_SESSION == 0 {
                sqlx::query(
                    "insert into sessions (key, id, title, title_source, mode, model, created_at, updated_at)
                     values (?1, 'ses_bench_' || ?1, 'Bench ' || ?1, 'question', 'agent', 'bench', ?2, ?2)",
                )
                .bind(session_key)
                .bind(at.0)
                .execute(&mut *transaction)
                .await?;
            }
            let turn_key = sqlx::query(
                "insert into turns (id, session_key, ordinal, trust, mode, model, started_at, touched_at,
                   finished_at, outcome, owner)
                 values ('turn_bench_' || ?1, ?2, ?3, 'owner', 'agent', 'bench', ?4, ?4, ?4,
                   '{\"type\":\"answered\",\"text\":\"\"}', '')",
            )
            .bind(i64::from(turn))
            .bind(session_key)
            .bind(i64::from(turn % TURNS_IN_SESSION) + 1)
            .bind(at.0)
            .execute(&mut *transaction)
            .await?
            .last_insert_rowid();
            for (position, role) in [(0, "user"), (1, "assistant")] {
                let mut text = dice.talk();
                let hidden = (turn / every) as usize;
                if position == 0 && turn % every == 0 && (1..=QUESTIONS.len()).contains(&hidden) {
                    text = QUESTIONS[hidden - 1].1.to_owned();
                }
                let key = sqlx::query(
                    "insert into messages (turn_key, position, role, text, created_at)
                     values (?, ?, ?, ?, ?)",
                )
                .bind(turn_key)
                .bind(position)
                .bind(role)
                .bind(&text)
                .bind(at.0)
                .execute(&mut *transaction)
                .await?
                .last_insert_rowid();
                search::index(&mut transaction, key, &search::prepare(&text)).await?;
            }
        }
        transaction.commit().await?;
    }
    Ok(())
}

/// The words people use most; the questions of people are made of them.
const FREQUENT: &str = "the to and a of in is it you that for on was with be we this have at are as but not my from they \
    do will if about so what would there out when up your how can like just know time day good see make go want get \
    work people year way thing need look also back after use two first new because any give most \
    password wifi printer train key garage appointment spare take fix print";

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
        let mut text = String::with_capacity(WORDS as usize * 7);
        for _ in 0..WORDS {
            let rank = (50_000f64.powf(self.fraction())) as usize;
            if !text.is_empty() {
                text.push(' ');
            }
            match frequent.get(rank.saturating_sub(1)) {
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
