//! `namma memory`: what the assistant was told to remember.

use crate::arguments::Memory;
use crate::exit::Exit;
use crate::screen::{note, plain, say, say_json};
use crate::{host, words};
use namma_app::{App, Fact};
use namma_core::ports::DeclineAll;
use namma_protocol::FactId;
use std::sync::Arc;

pub(crate) async fn memory(command: Memory) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let done = run(&app, command).await;
    app.close().await;
    done.map(|()| Exit::Done)
}

async fn run(app: &App, command: Memory) -> anyhow::Result<()> {
    match command {
        Memory::List { limit, output } => {
            let facts = app.memory_facts(None, u32::MAX).await?;
            show(&facts, limit, output.json, "namma: nothing is remembered yet")
        }
        Memory::Search { text, limit, output } => {
            let facts = app.memory_facts(Some(&text), u32::MAX).await?;
            show(&facts, limit, output.json, "namma: nothing is remembered about that")
        }
        Memory::Forget { ids, output } => {
            let mut facts: Vec<FactId> = ids.into_iter().map(FactId).collect();
            facts.sort();
            facts.dedup();
            let gone = app.memory_forget(&facts).await?;
            if output.json {
                return say_json(&serde_json::json!({ "forgotten": gone }));
            }
            note(&format!("namma: {} forgotten", words::count(gone as usize, "fact")));
            Ok(())
        }
    }
}

/// As many as were asked for, and how many there are when that is more.
fn show(all: &[Fact], limit: u32, json: bool, nothing: &str) -> anyhow::Result<()> {
    let facts = &all[..all.len().min(limit as usize)];
    if json {
        say_json(&facts)?;
    } else if facts.is_empty() {
        note(nothing);
    } else {
        say(&plain(&lines(facts)))?;
    }
    if facts.len() < all.len() {
        let (shown, all) = (facts.len(), all.len());
        note(&format!("namma: {shown} of {}; `--limit {all}` shows all", words::count(all, "fact")));
    }
    Ok(())
}

fn lines(facts: &[Fact]) -> String {
    let lines: Vec<String> = facts
        .iter()
        .map(|fact| format!("{}  {}  {}", fact.id, words::moment(fact.learned_at), fact.sentence))
        .collect();
    lines.join("\n")
}
