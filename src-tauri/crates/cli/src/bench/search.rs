//! Finding one message among a hundred thousand with a question.

use super::core::{Core, since};
use super::{Figure, percentile};
use namma_app::bench::{QUESTIONS, bench_fixture};
use std::time::Instant;

const MESSAGES: u32 = 100_000;
const ROUNDS: usize = 20;

pub(crate) async fn figures() -> anyhow::Result<[Figure; 2]> {
    let core = Core::start().await?;
    bench_fixture(core.app.store(), MESSAGES).await?;
    let (mut samples, mut right) = (Vec::new(), 0);
    for round in 0..=ROUNDS {
        for (question, answer) in QUESTIONS {
            let began = Instant::now();
            let hits = core.app.session_search(question, 10).await?;
            let took = since(began);
            // The first round fills the caches.
            if round > 0 {
                samples.push(took);
                right += usize::from(hits.first().is_some_and(|hit| shows(&hit.excerpt, answer)));
            }
        }
    }
    let share = 100.0 * right as f64 / samples.len() as f64;
    core.app.close().await;
    Ok([
        Figure::at_most("search_100000_messages_p95", percentile(&mut samples, 0.95), "ms", 10.0),
        Figure::at_least("search_right_hit_first", share, "%", 100.0),
    ])
}

/// Whether an excerpt is of that message: marks around what matched aside.
fn shows(excerpt: &str, message: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let letters = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        text.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect()
    };
    let (excerpt, message) = (words(excerpt), words(message));
    excerpt.iter().filter(|word| message.contains(word)).count() * 10 >= message.len() * 8
}
