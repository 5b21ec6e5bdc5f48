//! `namma usage`: tokens and their cost, by day and model.

use crate::arguments::Usage;
use crate::exit::Exit;
use crate::screen::{note, plain, say, say_json};
use crate::{host, words};
use namma_app::UsageOfDay;
use namma_core::ports::DeclineAll;
use std::sync::Arc;

pub(crate) async fn usage(usage: Usage) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let read = app.usage(usage.days).await;
    app.close().await;
    let of_days = read?;
    if usage.output.json {
        say_json(&of_days)?;
        return Ok(Exit::Done);
    }
    if of_days.is_empty() {
        note(&format!("namma: no model was asked in the last {}", words::count(usage.days as usize, "day")));
        return Ok(Exit::Done);
    }
    let width = of_days.iter().map(|used| used.model.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = of_days.iter().map(|used| line(used, width)).collect();
    say(&plain(&lines.join("\n")))?;
    Ok(Exit::Done)
}

fn line(used: &UsageOfDay, width: usize) -> String {
    let turns = words::count(usize::try_from(used.turns).unwrap_or(0), "turn");
    let part = |number: i64, what: &str| if number > 0 { format!(" ({number} {what})") } else { String::new() };
    format!(
        "{}  {:width$}  {turns:>9}  {:>9} in{}  {:>7} out{}{}",
        words::day(used.day),
        used.model,
        used.input_tokens,
        part(used.cached_tokens, "cached"),
        used.output_tokens,
        part(used.reasoning_tokens, "thinking"),
        if used.cost_nanos > 0 { format!("  {}", words::dollars(used.cost_nanos)) } else { String::new() },
    )
}
