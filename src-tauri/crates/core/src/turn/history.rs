//! The stored conversation as the model reads it.
//!
//! The laws of every vendor hold in what comes out, whatever went in: each call has exactly one
//! result right after it, no message is empty, and the two sides alternate.

use crate::ports::{Entry, ModelCall, ModelMessage, StoredCall, StoredTurn};
use crate::trust::{Taint, TaintSet};
use crate::turn::contents::Contents;
use namma_protocol::{Attachment, ToolCallId, ToolOutcome};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Turns the stored turns into messages. What was attached to them is named.
pub fn model_messages<'a>(turns: impl IntoIterator<Item = &'a StoredTurn>) -> Vec<ModelMessage> {
    let contents = Contents::default();
    messages_of(turns.into_iter().map(|stored| (stored, &contents)))
}

/// The same with the contents of what was attached to each turn.
pub(super) fn messages_of<'a, 'c>(
    turns: impl IntoIterator<Item = (&'a StoredTurn, &'c Contents)>,
) -> Vec<ModelMessage> {
    let mut conversation = Conversation::default();
    for (stored, contents) in turns {
        let said = Said { text: &stored.turn.user_text, attachments: &stored.turn.attachments };
        conversation.push_user(stored, contents, said);
        conversation.push_entries(stored, contents);
    }
    conversation.messages
}

#[derive(Default)]
struct Conversation<'a> {
    messages: Vec<ModelMessage>,
    /// What the person said last, while nobody has answered it.
    unanswered: Option<Unanswered<'a>>,
}

/// A question, and where it begins in its message.
#[derive(Clone, Copy)]
struct Unanswered<'a> {
    said: Said<'a>,
    text_at: usize,
    images_at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Said<'a> {
    text: &'a str,
    attachments: &'a [Attachment],
}

impl<'a> Conversation<'a> {
    fn push_entries(&mut self, stored: &'a StoredTurn, contents: &Contents) {
        let entries = &stored.entries;
        let mut results: HashMap<&ToolCallId, (&ToolOutcome, TaintSet)> = HashMap::new();
        for entry in entries {
            if let Entry::Result { call_id, outcome, taint, .. } = entry {
                results.entry(call_id).or_insert((outcome, *taint));
            }
        }
        for entry in entries {
            match entry {
                Entry::User { text, attachments } => self.push_user(stored, contents, Said { text, attachments }),
                // A result is placed right after its call.
                Entry::Result { .. } | Entry::ContinuedWith { .. } => {}
                Entry::Assistant { text, calls, stopped, .. } => {
                    let text = match (text.trim().is_empty(), stopped) {
                        (true, _) => String::new(),
                        (false, false) => text.clone(),
                        (false, true) => format!("{text}\n[this message was not finished]"),
                    };
                    self.push_assistant(text, calls);
                    self.messages.extend(calls.iter().map(|stored| result_of(stored, &results)));
                }
            }
        }
    }

    fn push_user(&mut self, stored: &StoredTurn, contents: &Contents, said: Said<'a>) {
        let says_something = !said.text.trim().is_empty();
        if !says_something && said.attachments.is_empty() {
            return;
        }
        // A turn that failed before it was answered leaves two questions in a row.
        let before = self.messages.pop_if(|message| matches!(message, ModelMessage::User { .. }));
        let (mut text, mut images) = match before {
            Some(ModelMessage::User { text, images }) => (text, images),
            _ => (String::new(), Vec::new()),
        };
        if let Some(again) = self.unanswered.filter(|unanswered| unanswered.said == said) {
            // The same question is told once, with what is attached to it now.
            text.truncate(again.text_at);
            images.truncate(again.images_at);
        }
        self.unanswered = Some(Unanswered { said, text_at: text.len(), images_at: images.len() });
        if says_something {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.push_str(gap);
            text.push_str(said.text);
        }
        contents.put(&stored.turn.turn_id, said.attachments, &mut text, &mut images);
        self.messages.push(ModelMessage::User { text, images });
    }

    fn push_assistant(&mut self, text: String, calls: &[StoredCall]) {
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
        self.unanswered = None;
        if let Some(ModelMessage::Assistant { text: before, calls: before_calls, .. }) = self.messages.last_mut()
            && before_calls.is_empty()
        {
            if !text.is_empty() {
                before.push_str("\n\n");
                before.push_str(&text);
            }
            *before_calls = calls;
            return;
        }
        self.messages.push(ModelMessage::Assistant { text, calls, replay: None });
    }
}

fn result_of(stored: &StoredCall, results: &HashMap<&ToolCallId, (&ToolOutcome, TaintSet)>) -> ModelMessage {
    let (outcome, taint) =
        results.get(&stored.call.id).copied().unwrap_or((&ToolOutcome::Interrupted, TaintSet::CLEAN));
    ModelMessage::ToolResult {
        call_id: stored.call.id.clone(),
        tool: stored.call.name.clone(),
        content: result_text(&stored.call.id, outcome, taint),
        images: Vec::new(),
        is_error: !matches!(outcome, ToolOutcome::Succeeded { .. }),
    }
}

/// The result as the model reads it: text from outside is quoted, so that it cannot pass for ours.
fn result_text(call_id: &ToolCallId, outcome: &ToolOutcome, taint: TaintSet) -> String {
    match outcome {
        ToolOutcome::Succeeded { content } if content.trim().is_empty() => "(no output)".into(),
        ToolOutcome::Succeeded { content } if taint.is_clean() => content.clone(),
        ToolOutcome::Succeeded { content } => {
            // From the call's own random id: unknown to whoever wrote the text, and the same each
            // time, so that the prompt cache keeps hitting.
            let mark = mark(call_id.as_str());
            let content = content.replace(&mark, "");
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

/// What begins and ends a quotation, made of something that whoever wrote the text cannot know.
pub(super) fn mark(secret: &str) -> String {
    let mut digest = hex::encode(Sha256::digest(secret.as_bytes()));
    digest.truncate(8);
    digest
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
