//! What is said on standard error while a turn runs.

use crate::screen::note;
use crate::words;
use namma_protocol::{ToolCallId, ToolOutcome, TurnEvent, TurnOutcome};
use std::collections::HashMap;

/// Tells the steps of a turn, one line each.
#[derive(Default)]
pub(crate) struct Progress {
    done: HashMap<ToolCallId, String>,
}

impl Progress {
    /// Tells what is worth a line.
    pub(crate) fn tell(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::ToolCallStarted { call, title, .. } => {
                note(&format!("… {}", title.doing));
                self.done.insert(call.id.clone(), title.done.clone());
            }
            TurnEvent::ToolCallFinished { call_id, outcome, fact, .. } => {
                let title = self.done.remove(call_id).unwrap_or_default();
                note(&finished(&title, outcome, fact.as_deref()));
            }
            TurnEvent::Notice { text, .. } => note(&format!("· {text}")),
            TurnEvent::UserMessageAdded { text } => note(&format!("› {}", words::first_line(text, 70))),
            TurnEvent::TurnStarted { .. }
            | TurnEvent::TextDelta { .. }
            | TurnEvent::ThinkingDelta { .. }
            | TurnEvent::TextEnded { .. }
            | TurnEvent::StepRestarted
            | TurnEvent::ToolCallProgress { .. }
            | TurnEvent::ApprovalRequested { .. }
            | TurnEvent::ApprovalResolved { .. }
            | TurnEvent::ApprovalWithdrawn { .. }
            | TurnEvent::UsageUpdated { .. }
            | TurnEvent::TurnFinished { .. } => {}
        }
    }
}

fn finished(title: &str, outcome: &ToolOutcome, fact: Option<&str>) -> String {
    match outcome {
        ToolOutcome::Succeeded { .. } => match fact {
            Some(fact) => format!("✓ {title}: {fact}"),
            None => format!("✓ {title}"),
        },
        ToolOutcome::Failed { message, .. } => format!("✗ {title}: {}", words::first_line(message, 200)),
        ToolOutcome::Declined { reason } => format!("✗ {title}: declined, {}", words::first_line(reason, 200)),
        ToolOutcome::Interrupted => format!("✗ {title}: stopped"),
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
        TurnOutcome::Failed { error, .. } => crate::exit::explain_api(error),
        TurnOutcome::Interrupted { .. } => note("namma: the turn was interrupted"),
    }
}
