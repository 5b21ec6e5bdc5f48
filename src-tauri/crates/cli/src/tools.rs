//! `namma tools`: what the assistant can do, done by hand and through the same gate.

use crate::arguments::{Approve, Tools};
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::screen::{answers_on_screen, note, plain, say, say_json};
use crate::words::NOBODY_HINT;
use crate::{host, words};
use anyhow::Context;
use namma_core::ports::{DeclineAll, TurnEvents};
use namma_protocol::{ToolOutcome, TurnEvent};
use std::io::Read;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(crate) async fn tools(command: Tools) -> anyhow::Result<Exit> {
    match command {
        Tools::List(output) => list(output.json).await,
        Tools::Call { name, input, approve, output } => call(&name, input, approve, output.json).await,
    }
}

async fn list(json: bool) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let tools = app.tools().summaries();
    app.close().await;
    if json {
        say_json(&tools)?;
        return Ok(Exit::Done);
    }
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = tools
        .iter()
        .map(|tool| format!("{:width$}  {}", tool.name, words::first_line(&tool.description, 100)))
        .collect();
    say(&lines.join("\n"))?;
    Ok(Exit::Done)
}

async fn call(name: &str, input: String, approve: Option<Approve>, json: bool) -> anyhow::Result<Exit> {
    let arguments = if input == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("could not read the arguments from standard input")?;
        text
    } else {
        input
    };
    let app = host::open(host::approver(approve, Lines::of_stdin, false)).await?;
    let mut interrupts = Interrupts::listen()?;
    let stop = CancellationToken::new();
    let running = app.tool_call(name, &arguments, Arc::new(Tell), &stop);
    let mut running = std::pin::pin!(running);
    let outcome = loop {
        tokio::select! {
            outcome = &mut running => break outcome,
            () = interrupts.next() => {
                if stop.is_cancelled() {
                    std::process::exit(i32::from(Exit::Cancelled.code()));
                }
                stop.cancel();
            }
        }
    };
    app.close().await;
    if json {
        say_json(&outcome)?;
    }
    tell(&outcome, json)
}

fn tell(outcome: &ToolOutcome, json: bool) -> anyhow::Result<Exit> {
    Ok(match outcome {
        ToolOutcome::Succeeded { content } => {
            if !json {
                if answers_on_screen() { say(&plain(content))? } else { say(content)? }
            }
            Exit::Done
        }
        ToolOutcome::Failed { message, hint } => {
            note(&format!("namma: {message}"));
            if let Some(hint) = hint {
                note(&format!("  {hint}"));
            }
            Exit::Failed
        }
        ToolOutcome::Declined { reason } => {
            note(&format!("namma: declined: {reason}"));
            if reason == DeclineAll::REASON {
                note(&format!("  {NOBODY_HINT}"));
            }
            Exit::Failed
        }
        ToolOutcome::Interrupted => {
            note("namma: stopped");
            Exit::Cancelled
        }
    })
}

/// Tells how far a tool is.
struct Tell;

impl TurnEvents for Tell {
    fn emit(&self, event: TurnEvent) {
        if let TurnEvent::ToolCallProgress { text, .. } = event {
            note(text.trim_end());
        }
    }
}
