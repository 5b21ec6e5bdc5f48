//! The stored conversation as the model reads it.
//!
//! The laws of every vendor hold in what comes out, whatever went in: each call has exactly one
//! result right after it, no message is empty, and the two sides alternate.

use crate::ports::{Entry, ModelCall, ModelMessage, StoredCall, StoredTurn};
use crate::trust::{Taint, TaintSet};
use namma_protocol::{ToolCallId, ToolOutcome};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Turns the stored turns into messages.
pub fn model_messages(turns: &[StoredTurn]) -> Vec<ModelMessage> {
    let mut messages = Vec::new();
    for stored in turns {
        push_user(&mut messages, &stored.turn.user_text);
        push_entries(&mut messages, &stored.entries);
    }
    messages
}

fn push_entries(messages: &mut Vec<ModelMessage>, entries: &[Entry]) {
    let mut results: HashMap<&ToolCallId, (&ToolOutcome, TaintSet)> = HashMap::new();
    for entry in entries {
        if let Entry::Result { call_id, outcome, taint, .. } = entry {
            results.entry(call_id).or_insert((outcome, *taint));
        }
    }
    for entry in entries {
        match entry {
            Entry::User { text } => push_user(messages, text),
            Entry::Result { .. } => {} // placed right after its call
            Entry::Assistant { text, calls, stopped, .. } => {
                let text = match (text.trim().is_empty(), stopped) {
                    (true, _) => String::new(),
                    (false, false) => text.clone(),
                    (false, true) => format!("{text}\n[this message was not finished]"),
                };
                push_assistant(messages, text, calls);
                for stored in calls {
                    let (outcome, taint) =
                        results.get(&stored.call.id).copied().unwrap_or((&ToolOutcome::Interrupted, TaintSet::CLEAN));
                    messages.push(ModelMessage::ToolResult {
                        call_id: stored.call.id.clone(),
                        tool: stored.call.name.clone(),
                        content: result_text(&stored.call.id, outcome, taint),
                        is_error: !matches!(outcome, ToolOutcome::Succeeded { .. }),
                    });
                }
            }
        }
    }
}

fn push_user(messages: &mut Vec<ModelMessage>, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    // A turn that failed before it was answered leaves two questions in a row.
    if let Some(ModelMessage::User { text: before }) = messages.last_mut() {
        if before.ends_with(text) {
            return; // the same question, asked again
        }
        before.push_str("\n\n");
        before.push_str(text);
        return;
    }
    messages.push(ModelMessage::User { text: text.to_owned() });
}

fn push_assistant(messages: &mut Vec<ModelMessage>, text: String, calls: &[StoredCall]) {
    let calls: Vec<ModelCall> = calls
        .iter()
        .map(|stored| ModelCall {
            id: stored.call.id.clone(),
            name: stored.call.name.clone(),
            arguments: if stored.call.input.is_object() { stored.call.input.to_string() } else { "{}".into() },
        })
        .collect();
    if text.is_empty() && calls.is_empty() {
        return;
    }
    if let Some(ModelMessage::Assistant { text: before, calls: before_calls }) = messages.last_mut()
        && before_calls.is_empty()
    {
        if !text.is_empty() {
            before.push_str("\n\n");
            before.push_str(&text);
        }
        *before_calls = calls;
        return;
    }
    messages.push(ModelMessage::Assistant { text, calls });
}

/// The result as the model reads it: text from outside is quoted, so that it cannot pass for ours.
fn result_text(call_id: &ToolCallId, outcome: &ToolOutcome, taint: TaintSet) -> String {
    match outcome {
        ToolOutcome::Succeeded { content } if content.trim().is_empty() => "(no output)".into(),
        ToolOutcome::Succeeded { content } if taint.is_clean() => content.clone(),
        ToolOutcome::Succeeded { content } => {
            // From the call's own random id: unknown to whoever wrote the text, and the same each
            // time, so that the prompt cache keeps hitting.
            let digest = hex::encode(Sha256::digest(call_id.as_str().as_bytes()));
            let mark = &digest[..8];
            let content = content.replace(mark, "");
            format!("<data {mark} from=\"{}\">\n{content}\n</data {mark}>", source(taint))
        }
        ToolOutcome::Failed { message, hint } => match hint {
            Some(hint) => format!("Error: {message}. {hint}"),
            None => format!("Error: {message}."),
        },
        ToolOutcome::Declined { reason } => {
            format!(
                "Declined: {reason}. It did not run. Do not try the same in another way; say what could not be done."
            )
        }
        ToolOutcome::Interrupted => "Stopped by the person before it finished.".into(),
    }
}

fn source(taint: TaintSet) -> &'static str {
    if taint.contains(Taint::Web) {
        "the web"
    } else if taint.contains(Taint::Command) {
        "a command"
    } else {
        "a file"
    }
}
