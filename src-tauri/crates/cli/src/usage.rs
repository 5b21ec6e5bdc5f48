//! `namma usage`: tokens and their cost, by day and model or by chat.

use crate::arguments::Usage;
use crate::exit::Exit;
use crate::screen::{note, plain, say, say_json};
use crate::{host, words};
use namma_app::{App, SpentOf, UsageOfChat, UsageOfDay, Used};
use namma_core::ports::DeclineAll;
use serde::Serialize;
use std::sync::Arc;

pub(crate) async fn usage(usage: Usage) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let shown = show(&app, &usage).await;
    app.close().await;
    shown
}

async fn show(app: &App, usage: &Usage) -> anyhow::Result<Exit> {
    let as_json = usage.output.json;
    if usage.chats {
        let of_chats = app.usage_by_chat(usage.days).await?;
        return if as_json { json(&of_chats) } else { table(usage, of_chats.iter().map(chat_row).collect(), None) };
    }
    let of_days = app.usage(usage.days).await?;
    if as_json {
        return json(&of_days);
    }
    let sums = spent(app.spent().await?);
    table(usage, of_days.iter().map(day_row).collect(), sums)
}

fn json(rows: &impl Serialize) -> anyhow::Result<Exit> {
    say_json(rows)?;
    Ok(Exit::Done)
}

/// One line for each row: what it is of, its name in a column, the figures.
fn table(usage: &Usage, rows: Vec<(String, String, &Used)>, end: Option<String>) -> anyhow::Result<Exit> {
    if rows.is_empty() {
        note(&format!("namma: no model was asked in the last {}", words::count(usage.days as usize, "day")));
        return Ok(Exit::Done);
    }
    let width = rows.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
    let lines = rows.iter().map(|(of, name, used)| format!("{of}  {name:width$}  {}", figures(used)));
    let lines: Vec<String> = lines.chain(end).collect();
    say(&plain(&lines.join("\n")))?;
    Ok(Exit::Done)
}

fn day_row(UsageOfDay { day, model, used }: &UsageOfDay) -> (String, String, &Used) {
    (words::day(*day), model.clone(), used)
}

fn chat_row(UsageOfChat { session_id, title, used }: &UsageOfChat) -> (String, String, &Used) {
    (session_id.to_string(), title.chars().take(40).collect(), used)
}

fn figures(used: &Used) -> String {
    let turns = words::count(usize::try_from(used.turns).unwrap_or(0), "turn");
    let part = |number: i64, what: &str| if number > 0 { format!(" ({number} {what})") } else { String::new() };
    format!(
        "{turns:>9}  {:>9} in{}  {:>7} out{}{}",
        used.input_tokens,
        part(used.cached_tokens, "cached"),
        used.output_tokens,
        part(used.reasoning_tokens, "thinking"),
        if used.cost_nanos > 0 { format!("  {}", words::dollars(used.cost_nanos)) } else { String::new() },
    )
}

/// What today and this month cost, and of how much; nothing to say where nothing costs anything.
fn spent(times: [SpentOf; 2]) -> Option<String> {
    if times.iter().all(|time| time.spent_nanos == 0 && time.limit_nanos.is_none()) {
        return None;
    }
    let dollars = |nanos: u64| words::dollars(i64::try_from(nanos).unwrap_or(i64::MAX));
    let of = |time: SpentOf| match time.limit_nanos {
        Some(limit) => format!("{} of {}", dollars(time.spent_nanos), dollars(limit)),
        None => dollars(time.spent_nanos),
    };
    let [today, month] = times;
    Some(format!("today {}, this month {}", of(today), of(month)))
}
