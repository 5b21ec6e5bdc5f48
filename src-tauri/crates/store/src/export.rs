use crate::store::Store;
use namma_core::attached;
use namma_core::ports::{AnsweredApproval, Entry, SessionStore, StoreError, StoredCall, StoredTurn};
use namma_protocol::{
    Attachment, Mode, SessionId, SessionSummary, ToolCallId, ToolOutcome, TurnId, TurnOutcome, UnixMs, Usage,
};
use serde::Serialize;
use std::fmt::Write;

/// A whole session for a file. Fields are only added; `format` counts what is not an addition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedSession {
    pub format: u32,
    pub session: SessionSummary,
    pub turns: Vec<ExportedTurn>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedTurn {
    pub turn_id: TurnId,
    pub user_text: String,
    /// Named; their contents are not part of the export.
    pub attachments: Vec<Attachment>,
    pub mode: Mode,
    pub model: String,
    pub started_at: UnixMs,
    pub finished_at: Option<UnixMs>,
    pub outcome: Option<TurnOutcome>,
    pub usage: Usage,
    /// In millionths of a US dollar.
    pub cost_micros: Option<u32>,
    pub entries: Vec<ExportedEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportedEntry {
    Assistant {
        text: String,
        thinking: String,
        calls: Vec<StoredCall>,
        stopped: bool,
    },
    Result {
        call_id: ToolCallId,
        outcome: ToolOutcome,
        fact: Option<String>,
        duration_ms: u32,
        approvals: Vec<AnsweredApproval>,
    },
    User {
        text: String,
        attachments: Vec<Attachment>,
    },
    /// Another model took over.
    ContinuedWith {
        label: String,
        model: String,
        reasons: Vec<String>,
    },
}

impl Store {
    pub async fn export_session(&self, session: &SessionId) -> Result<ExportedSession, StoreError> {
        let summary = self.session_summary(session).await?;
        let turns = self.turns(session, None, u32::MAX).await?;
        Ok(ExportedSession { format: 1, session: summary, turns: turns.into_iter().map(export_turn).collect() })
    }
}

impl ExportedSession {
    /// The conversation as a person reads it: questions, answers, and a line for each step.
    pub fn to_markdown(&self, assistant_name: &str) -> String {
        let mut page = format!("# {}\n", self.session.title);
        for turn in &self.turns {
            said(&mut page, "You", &turn.user_text);
            list_attached(&mut page, &turn.attachments);
            for entry in &turn.entries {
                write_entry(&mut page, entry, assistant_name);
            }
            if let Some(TurnOutcome::Failed { error, .. }) = &turn.outcome {
                line(&mut page, &format!("> {error}"));
            }
        }
        page
    }
}

fn write_entry(page: &mut String, entry: &ExportedEntry, assistant_name: &str) {
    match entry {
        ExportedEntry::User { text, attachments } => {
            said(page, "You", text);
            list_attached(page, attachments);
        }
        ExportedEntry::ContinuedWith { label, model, reasons } => {
            line(page, &format!("*Continued with {model} ({label}). {}*", reasons.join(" ")));
        }
        ExportedEntry::Assistant { text, calls, stopped, .. } => {
            if !text.trim().is_empty() {
                said(page, assistant_name, text);
            }
            if *stopped {
                line(page, "*(stopped)*");
            }
            for call in calls {
                line(page, &format!("- {}", call.title.done));
            }
        }
        ExportedEntry::Result { outcome, fact, .. } => match outcome {
            ToolOutcome::Succeeded { .. } => {
                if let Some(fact) = fact {
                    line(page, &format!("  - {fact}"));
                }
            }
            ToolOutcome::Failed { message, .. } => line(page, &format!("  - it failed: {message}")),
            ToolOutcome::Declined { reason } => line(page, &format!("  - not done: {reason}")),
            ToolOutcome::Interrupted => line(page, "  - interrupted"),
        },
    }
}

fn said(page: &mut String, who: &str, text: &str) {
    line(page, &format!("\n## {who}\n\n{}", text.trim_end()));
}

fn list_attached(page: &mut String, attachments: &[Attachment]) {
    if let Some(captions) = attached::captions(attachments) {
        line(page, &format!("\n*Attached: {captions}*"));
    }
}

fn line(page: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "{text}");
}

fn export_turn(stored: StoredTurn) -> ExportedTurn {
    let StoredTurn { turn, entries, usage, cost_micros, outcome, finished_at } = stored;
    ExportedTurn {
        turn_id: turn.turn_id,
        user_text: turn.user_text,
        attachments: turn.attachments,
        mode: turn.mode,
        model: turn.model,
        started_at: turn.started_at,
        finished_at,
        outcome,
        usage,
        cost_micros,
        entries: entries.into_iter().map(export_entry).collect(),
    }
}

fn export_entry(entry: Entry) -> ExportedEntry {
    match entry {
        Entry::User { text, attachments } => ExportedEntry::User { text, attachments },
        Entry::ContinuedWith { label, model, reasons } => ExportedEntry::ContinuedWith { label, model, reasons },
        Entry::Assistant { text, thinking, calls, stopped, taint: _ } => {
            ExportedEntry::Assistant { text, thinking, calls, stopped }
        }
        Entry::Result { call_id, outcome, fact, duration_ms, approvals, taint: _, whole: _ } => {
            ExportedEntry::Result { call_id, outcome, fact, duration_ms, approvals }
        }
    }
}
