//! `namma sessions`: looking things up again.

use crate::arguments::Sessions;
use crate::exit::Exit;
use crate::screen::{answers_on_screen, note, plain, say, say_json};
use crate::{host, words};
use namma_app::App;
use namma_core::attached::captions;
use namma_core::ports::DeclineAll;
use namma_protocol::{Attachment, OpenSession, SessionId, SessionView, ToolOutcome, TurnEvent, TurnOutcome};
use std::fmt::Write;
use std::sync::Arc;

pub(crate) async fn sessions(command: Sessions) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let done = run(&app, command).await;
    app.close().await;
    done.map(|()| Exit::Done)
}

async fn run(app: &App, command: Sessions) -> anyhow::Result<()> {
    match command {
        Sessions::List(output) => list(app, output.json).await,
        Sessions::Show { id, limit, output } => show(app, id, limit, output.json).await,
        Sessions::Search { query, limit, output } => search(app, &query, limit, output.json).await,
        Sessions::Export { id, output } => {
            let session = app.session_export(&SessionId(id)).await?;
            if output.json {
                say_json(&session)
            } else {
                let text = session.to_markdown(&app.settings_get().assistant_name);
                // A file gets the text as it is; a screen gets none that acts on it.
                Ok(say(&if answers_on_screen() { plain(&text) } else { text })?)
            }
        }
        Sessions::Delete { id, output } => {
            let id = SessionId(id);
            // Deleting what does not exist is an error worth telling.
            app.session_open(OpenSession { session_id: id.clone(), before: None, limit: 1 }).await?;
            app.session_delete(&id).await?;
            if output.json {
                say_json(&serde_json::json!({ "deleted": id }))
            } else {
                Ok(say(&format!("deleted {id}"))?)
            }
        }
    }
}

async fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let sessions = app.session_list().await?;
    if json {
        return say_json(&sessions);
    }
    if sessions.is_empty() {
        note("namma: there is no chat yet");
    }
    let mut text = String::new();
    for session in sessions {
        let turns = words::count(session.turn_count as usize, "turn");
        let when = words::moment(session.updated_at);
        line(&mut text, &format!("{}  {when}  {turns:>9}  {}", session.session_id, session.title));
    }
    print(&text)
}

async fn show(app: &App, id: String, limit: u32, json: bool) -> anyhow::Result<()> {
    let view = app.session_open(OpenSession { session_id: SessionId(id), before: None, limit }).await?;
    if json { say_json(&view) } else { print(&page(&view)) }
}

async fn search(app: &App, query: &str, limit: u32, json: bool) -> anyhow::Result<()> {
    let hits = app.session_search(query, limit).await?;
    if json {
        return say_json(&hits);
    }
    if hits.is_empty() {
        note("namma: no message fits");
    }
    let mut text = String::new();
    for hit in hits {
        let when = words::moment(hit.created_at);
        line(&mut text, &format!("{}  {when}  {}", hit.session_id, hit.session_title));
        line(&mut text, &format!("  {}: {}", hit.role, hit.excerpt.replace('\n', " ")));
    }
    print(&text)
}

/// A chat for reading.
fn page(view: &SessionView) -> String {
    let mut text = String::new();
    line(&mut text, &view.session.title);
    if view.has_older {
        line(&mut text, "(earlier turns are left out; `namma sessions export` has them all)");
    }
    for event in view.turns.iter().flat_map(|turn| &turn.events) {
        match event {
            TurnEvent::TurnStarted { user_text, attachments, started_at, .. } => {
                line(
                    &mut text,
                    &format!("\n[{}] you: {user_text}{}\n", words::moment(*started_at), attached(attachments)),
                );
            }
            TurnEvent::UserMessageAdded { text: added, attachments } => {
                line(&mut text, &format!("\nyou: {added}{}\n", attached(attachments)));
            }
            TurnEvent::TextDelta { text: said } => line(&mut text, said.trim_end()),
            TurnEvent::ToolCallStarted { title, .. } => line(&mut text, &format!("- {}", title.done)),
            TurnEvent::ToolCallFinished { outcome, fact, .. } => tell_result(&mut text, outcome, fact.as_deref()),
            TurnEvent::TurnFinished { outcome, .. } => tell_end(&mut text, outcome),
            TurnEvent::ThinkingDelta { .. }
            | TurnEvent::TextEnded { .. }
            | TurnEvent::StepRestarted
            | TurnEvent::ToolCallProgress { .. }
            | TurnEvent::ApprovalRequested { .. }
            | TurnEvent::ApprovalResolved { .. }
            | TurnEvent::ApprovalWithdrawn { .. }
            | TurnEvent::Notice { .. }
            | TurnEvent::ContextMeasured { .. }
            | TurnEvent::UsageUpdated { .. } => {}
            TurnEvent::ContinuedWith { label, model, reasons } => {
                line(&mut text, &format!("(continued with {model}, {label}: {})", reasons.join(" ")));
            }
        }
    }
    for queued in &view.queue {
        line(&mut text, &format!("\n(waiting) you: {}{}", queued.text, attached(&queued.attachments)));
    }
    text
}

/// What goes with a message, on a line of its own; empty when nothing does.
fn attached(attachments: &[Attachment]) -> String {
    captions(attachments).map_or_else(String::new, |captions| format!("\n(attached: {captions})"))
}

fn tell_result(text: &mut String, outcome: &ToolOutcome, fact: Option<&str>) {
    match outcome {
        ToolOutcome::Succeeded { .. } => {
            if let Some(fact) = fact {
                line(text, &format!("  {fact}"));
            }
        }
        ToolOutcome::Failed { message, .. } => line(text, &format!("  it failed: {message}")),
        ToolOutcome::Declined { reason } => line(text, &format!("  not done: {reason}")),
        ToolOutcome::Interrupted => line(text, "  interrupted"),
    }
}

fn tell_end(text: &mut String, outcome: &TurnOutcome) {
    match outcome {
        TurnOutcome::Answered { .. } => {}
        TurnOutcome::Cancelled { .. } => line(text, "(stopped)"),
        TurnOutcome::LimitReached { limit, .. } => line(text, &format!("({})", words::limit(*limit).0)),
        TurnOutcome::Failed { error, .. } => line(text, &format!("(failed: {})", error.message)),
        TurnOutcome::Interrupted { .. } => line(text, "(interrupted: the program ended in the middle)"),
    }
}

/// Foreign text goes to a screen only as text.
fn print(text: &str) -> anyhow::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    if answers_on_screen() {
        say(&plain(text))?
    } else {
        say(text)?
    }
    Ok(())
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{content}");
}
