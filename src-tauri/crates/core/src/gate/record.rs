//! Stage 8: the row that says what was asked, decided and done.

use crate::gate::read::ReadCall;
use crate::gate::redact::Redactor;
use crate::gate::refusal::Refusal;
use crate::gate::scope::TurnScope;
use crate::ports::{AuditEntry, AuditPhase};
use namma_protocol::{ToolOutcome, UnixMs};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Builds the audit rows of one call.
pub(crate) struct Recorder {
    entry: AuditEntry,
    intent_at: Option<UnixMs>,
}

impl Recorder {
    pub(crate) fn new(call: &ReadCall, turn: &TurnScope, redactor: &Redactor) -> Self {
        let canonical = call.canonical();
        // The audit never forgets, so what the person has remembered is not in it.
        let (mut input, _) = if call.tells_facts() { hidden(&canonical) } else { redactor.mask(&canonical) };
        if input.len() > 4096 {
            let mut end = 4096;
            while !input.is_char_boundary(end) {
                end -= 1;
            }
            input.truncate(end);
            input.push('…');
        }
        let entry = AuditEntry {
            at: UnixMs(0),
            session_id: turn.session_id.clone(),
            turn_id: turn.turn_id.clone(),
            call_id: call.id().clone(),
            phase: AuditPhase::Refused,
            trust: turn.trust,
            taint: turn.taint(),
            tool: call.name().to_owned(),
            input,
            input_hash: hex::encode(Sha256::digest(canonical.as_bytes())),
            verdict: String::new(),
            stage: 0,
            code: String::new(),
            approver: None,
            approval_ms: None,
            sandbox: None,
            duration_ms: None,
            result_hash: None,
            result_bytes: None,
        };
        Self { entry, intent_at: None }
    }

    pub(crate) fn entry(&self) -> &AuditEntry {
        &self.entry
    }

    pub(crate) fn approval(&mut self, approver: &'static str, asked: UnixMs, answered: UnixMs) {
        self.entry.approver = Some(approver.into());
        self.entry.approval_ms = u32::try_from(answered.0 - asked.0).ok();
    }

    pub(crate) fn intent(&mut self, at: UnixMs, sandbox: Option<String>) {
        self.entry.at = at;
        self.entry.phase = AuditPhase::Intent;
        self.entry.verdict = "allow".into();
        self.entry.stage = 6;
        self.entry.code = if self.entry.approver.is_some() { "approved".into() } else { "allowed".into() };
        self.entry.sandbox = sandbox;
        self.intent_at = Some(at);
    }

    pub(crate) fn done(&mut self, at: UnixMs, outcome: &ToolOutcome) {
        self.entry.phase = AuditPhase::Done;
        self.entry.verdict = match outcome {
            ToolOutcome::Succeeded { .. } => "succeeded",
            ToolOutcome::Failed { .. } => "failed",
            ToolOutcome::Declined { .. } => "declined",
            ToolOutcome::Interrupted => "interrupted",
        }
        .into();
        self.entry.duration_ms = self.intent_at.and_then(|start| u32::try_from(at.0 - start.0).ok());
        self.entry.at = at;
        if let ToolOutcome::Succeeded { content } = outcome {
            self.entry.result_hash = Some(hex::encode(Sha256::digest(content.as_bytes())));
            self.entry.result_bytes = u32::try_from(content.len()).ok();
        }
    }

    pub(crate) fn refused(&mut self, at: UnixMs, refusal: &Refusal) {
        self.entry.at = at;
        self.entry.phase = AuditPhase::Refused;
        self.entry.stage = refusal.stage;
        self.entry.code = refusal.code.into();
        self.entry.verdict = match refusal.outcome {
            ToolOutcome::Declined { .. } => "deny",
            ToolOutcome::Interrupted => "interrupted",
            ToolOutcome::Succeeded { .. } | ToolOutcome::Failed { .. } => "failed",
        }
        .into();
    }
}

/// The arguments without any text in them.
fn hidden(canonical: &str) -> (String, usize) {
    fn hide(value: &mut Value) -> usize {
        match value {
            Value::String(text) => {
                *text = "…".into();
                1
            }
            Value::Array(values) => values.iter_mut().map(hide).sum(),
            Value::Object(map) => map.values_mut().map(hide).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
    // Arguments that were understood are JSON.
    let mut value = serde_json::from_str(canonical).unwrap_or_default();
    let count = hide(&mut value);
    (value.to_string(), count)
}
