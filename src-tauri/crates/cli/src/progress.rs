//! What is said on standard error while a turn runs.

use crate::exit;
use crate::screen::{note, note_when_quiet};
use crate::words::{self, NOBODY_HINT};
use namma_core::attached::question;
use namma_core::ports::DeclineAll;
use namma_protocol::{StepTitle, ToolCallId, ToolOutcome, TurnEvent, TurnOutcome};
use std::collections::HashMap;

/// Tells the steps of a turn, one line each.
#[derive(Default)]
pub(crate) struct Progress {
    titles: HashMap<ToolCallId, StepTitle>,
    /// What to do when nobody could approve was said.
    hinted: bool,
}

impl Progress {
    /// Tells what is worth a line.
    pub(crate) fn tell(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::ToolCallStarted { call, title, .. } => {
                note_when_quiet(&format!("… {}", title.doing));
                self.titles.insert(call.id.clone(), title.clone());
            }
            TurnEvent::ToolCallFinished { call_id, outcome, fact, .. } => {
                let Some(title) = self.titles.remove(call_id) else { return };
                note_when_quiet(&finished(&title, outcome, fact.as_deref()));
                let nobody = matches!(outcome, ToolOutcome::Declined { reason } if reason == DeclineAll::REASON);
                if nobody && !std::mem::replace(&mut self.hinted, true) {
                    note_when_quiet(&format!("  {NOBODY_HINT}"));
                }
            }
            TurnEvent::Notice { text, .. } => note_when_quiet(&format!("· {text}")),
            TurnEvent::ContinuedWith { label, model, reasons } => {
                note_when_quiet(&format!("· Continued with {model} ({label}). {}", reasons.join(" ")));
            }
            TurnEvent::UserMessageAdded { text, attachments } => {
                note_when_quiet(&format!("› {}", words::first_line(&question(text, attachments), 70)));
            }
            TurnEvent::TurnStarted { .. }
            | TurnEvent::TextDelta { .. }
            | TurnEvent::ThinkingDelta { .. }
            | TurnEvent::TextEnded { .. }
            | TurnEvent::StepRestarted
            | TurnEvent::ToolCallProgress { .. }
            | TurnEvent::ApprovalRequested { .. }
            | TurnEvent::ApprovalResolved { .. }
            | TurnEvent::ApprovalWithdrawn { .. }
            | TurnEvent::ContextMeasured { .. }
            | TurnEvent::UsageUpdated { .. }
            | TurnEvent::TurnFinished { .. } => {}
        }
    }
}

fn finished(title: &StepTitle, outcome: &ToolOutcome, fact: Option<&str>) -> String {
    // What did not happen is not told as done.
    let StepTitle { doing, done } = title;
    match outcome {
        ToolOutcome::Succeeded { .. } => match fact {
            Some(fact) => format!("✓ {done}: {fact}"),
            None => format!("✓ {done}"),
        },
        ToolOutcome::Failed { message, .. } => format!("✗ {doing}: {}", words::first_line(message, 200)),
        ToolOutcome::Declined { reason } => format!("✗ {doing}: declined, {}", words::first_line(reason, 200)),
        ToolOutcome::Interrupted => format!("✗ {doing}: stopped"),
    }
}

/// Says why a turn ended, unless it was answered.
pub(crate) fn tell_end(outcome: &TurnOutcome) {
    match outcome {
        TurnOutcome::Answered { .. } => {}
        TurnOutcome::Cancelled { .. } => note("namma: stopped"),
        TurnOutcome::LimitReached { limit, .. } => {
            let (what, next) = words::limit(*limit);
            note(&format!("namma: {what}"));
            note(&format!("  {next}"));
        }
        TurnOutcome::Failed { error, .. } => exit::explain_api(error),
        TurnOutcome::Interrupted { .. } => note("namma: the turn was interrupted"),
    }
}
