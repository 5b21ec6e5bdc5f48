//! A stored turn told as the events a person saw.

use crate::ports::{Entry, StoredTurn};
use namma_protocol::{TurnEvent, Usage};

/// The events of a stored turn, with its deltas joined. Reduced in order they give the same view
/// as the live ones did.
pub fn turn_events(stored: &StoredTurn) -> Vec<TurnEvent> {
    let mut events = vec![TurnEvent::TurnStarted {
        user_text: stored.turn.user_text.clone(),
        attachments: stored.turn.attachments.clone(),
        model: stored.turn.model.clone(),
        mode: stored.turn.mode,
        started_at: stored.turn.started_at,
    }];
    let last_assistant = stored.entries.iter().rposition(|entry| matches!(entry, Entry::Assistant { .. }));
    for (at, entry) in stored.entries.iter().enumerate() {
        match entry {
            Entry::Assistant { text, thinking, calls, stopped, .. } => {
                if !thinking.is_empty() {
                    events.push(TurnEvent::ThinkingDelta { text: thinking.clone() });
                }
                if !text.is_empty() {
                    events.push(TurnEvent::TextDelta { text: text.clone() });
                    if !stopped {
                        let preamble = !calls.is_empty() || last_assistant != Some(at);
                        events.push(TurnEvent::TextEnded { preamble });
                    }
                }
                events.extend(calls.iter().map(|stored| TurnEvent::ToolCallStarted {
                    call: stored.call.clone(),
                    title: stored.title.clone(),
                    started_at: stored.started_at,
                }));
            }
            Entry::Result { call_id, outcome, fact, duration_ms, approvals, .. } => {
                for answered in approvals {
                    events.push(TurnEvent::ApprovalRequested { request: answered.request.clone() });
                    events.push(TurnEvent::ApprovalResolved {
                        approval_id: answered.request.approval_id.clone(),
                        call_id: call_id.clone(),
                        decision: answered.decision.clone(),
                    });
                }
                events.push(TurnEvent::ToolCallFinished {
                    call_id: call_id.clone(),
                    outcome: outcome.clone(),
                    fact: fact.clone(),
                    duration_ms: *duration_ms,
                });
            }
            Entry::User { text, attachments } => {
                events.push(TurnEvent::UserMessageAdded { text: text.clone(), attachments: attachments.clone() });
            }
            Entry::ContinuedWith { label, model, reasons } => events.push(TurnEvent::ContinuedWith {
                label: label.clone(),
                model: model.clone(),
                reasons: reasons.clone(),
            }),
        }
    }
    if stored.usage != Usage::default() {
        events.push(TurnEvent::UsageUpdated { usage: stored.usage, cost_micros: stored.cost_micros });
    }
    if let (Some(outcome), Some(finished_at)) = (&stored.outcome, stored.finished_at) {
        events.push(TurnEvent::TurnFinished { outcome: outcome.clone(), finished_at });
    }
    events
}
