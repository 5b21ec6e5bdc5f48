//! Stage 5: the question, the answer, and what an answer covers.

use crate::gate::policy::may_run;
use crate::gate::provenance::Concern;
use crate::gate::scope::TurnScope;
use crate::tool::Prepared;
use namma_protocol::{ApprovalId, ApprovalRequest, ApprovalScope, Effect, Preview, SessionId, ToolCallId, UnixMs};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Approvals remembered for a session. Kept in memory only: a restart forgets them, which is safe.
#[derive(Default)]
pub(crate) struct Grants(Mutex<HashSet<(SessionId, String)>>);

impl Grants {
    pub(crate) fn covers(&self, session: &SessionId, tool: &str, effects: &[Effect]) -> bool {
        let Some(keys) = keys(tool, effects) else { return false };
        let granted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !keys.is_empty() && keys.into_iter().all(|key| granted.contains(&(session.clone(), key)))
    }

    pub(crate) fn remember(&self, session: &SessionId, tool: &str, effects: &[Effect]) {
        let Some(keys) = keys(tool, effects) else { return };
        let mut granted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        granted.extend(keys.into_iter().map(|key| (session.clone(), key)));
    }
}

/// What a grant is bound to: the tool and, narrowly, what it acts on. `None` when the call may not
/// be granted beyond this once.
fn keys(tool: &str, effects: &[Effect]) -> Option<Vec<String>> {
    let folder = |path: &str| Path::new(path).parent().unwrap_or(Path::new("/")).display().to_string();
    effects
        .iter()
        .map(|effect| match effect {
            Effect::ReadFile { path } => Some(format!("{tool} read {}", folder(path))),
            Effect::WriteFile { path } => Some(format!("{tool} write {}", folder(path))),
            Effect::MoveFile { from, to } => Some(format!("{tool} move {} {}", folder(from), folder(to))),
            Effect::DeleteFile { path, for_ever: false } => Some(format!("{tool} delete {}", folder(path))),
            Effect::RunCommand { command, cwd } => Some(format!("{tool} run {cwd} {command}")),
            Effect::Network { method, host, .. } => Some(format!("{tool} {method} {host}")),
            Effect::ReadSystem { what } => Some(format!("{tool} system {what}")),
            Effect::OpenFile { path } if may_run(path) => None,
            Effect::OpenFile { path } => Some(format!("{tool} open {}", folder(path))),
            Effect::OpenAddress { host, .. } => Some(format!("{tool} address {host}")),
            Effect::OpenApp { id, .. } => Some(format!("{tool} app {id}")),
            // Each text is a new one, and what is gone is gone.
            Effect::Remember { .. } | Effect::Forget { .. } => None,
            Effect::DeleteFile { for_ever: true, .. } | Effect::Opaque { .. } => None,
        })
        .collect()
}

/// Binds an answer to exactly this: tool, canonical arguments, effects and what was shown.
pub(crate) fn payload_hash(tool: &str, prepared: &Prepared, preview: &Preview) -> String {
    let payload = serde_json::json!({
        "tool": tool,
        "input": prepared.canonical,
        "effects": prepared.effects.as_slice(),
        "preview": preview,
    });
    hex::encode(Sha256::digest(payload.to_string().as_bytes()))
}

/// Puts the question together.
#[expect(clippy::too_many_arguments, reason = "every part comes from another stage; a struct would only rename them")]
pub(crate) fn request(
    tool: &str,
    call_id: &ToolCallId,
    prepared: &Prepared,
    preview: Preview,
    mut reasons: Vec<String>,
    concern: &Concern,
    sandbox: Option<String>,
    turn: &TurnScope,
    now: UnixMs,
) -> ApprovalRequest {
    let effects = prepared.effects.as_slice();
    let mut scopes = vec![ApprovalScope::Once];
    if *concern == Concern::None && keys(tool, effects).is_some_and(|keys| !keys.is_empty()) {
        scopes.push(ApprovalScope::Session);
    }
    if let Concern::MustAsk { reason } = concern {
        reasons.push(reason.clone());
    }
    ApprovalRequest {
        approval_id: ApprovalId::fresh(),
        session_id: turn.session_id.clone(),
        call_id: call_id.clone(),
        tool: tool.into(),
        sentence: sentence(effects, &prepared.title.doing, turn),
        reasons,
        effects: effects.to_vec(),
        payload_hash: payload_hash(tool, prepared, &preview),
        preview,
        input: prepared.canonical.clone(),
        undo: undo(effects),
        scopes,
        sandbox,
        asked_at: now,
    }
}

/// What will happen, in one sentence made from the effects and never by the model.
fn sentence(effects: &[Effect], fallback: &str, turn: &TurnScope) -> String {
    let show = |path: &str| match turn.place.display(Path::new(path)).as_str() {
        // The working folder by its name: "." says nothing to people.
        "." => Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned()),
        shown => shown.to_owned(),
    };
    match effects {
        [] => fallback.to_owned(),
        [Effect::RunCommand { cwd, .. }] => format!("Run a command in {}", show(cwd)),
        [Effect::WriteFile { path }] => format!("Write {}", show(path)),
        [Effect::ReadFile { path }] => format!("Read {}", show(path)),
        [Effect::MoveFile { from, to }] => format!("Move {} to {}", show(from), show(to)),
        [Effect::DeleteFile { path, for_ever: false }] => format!("Move {} to the trash", show(path)),
        [Effect::DeleteFile { path, for_ever: true }] => format!("Delete {} for ever", show(path)),
        [Effect::Network { method, host, .. }] if method == "GET" => format!("Fetch a page from {host}"),
        [Effect::Network { method, host, .. }] => format!("Send a {method} request to {host}"),
        [Effect::ReadSystem { what }] => format!("Read {what}"),
        [Effect::OpenFile { path }] => format!("Open {}", show(path)),
        [Effect::OpenAddress { url, host }] if url.starts_with("mailto:") => format!("Begin a mail to {host}"),
        [Effect::OpenAddress { host, .. }] => format!("Open a page of {host} in the browser"),
        [Effect::OpenApp { name, .. }] => format!("Start {name}"),
        [Effect::Remember { .. }] => "Remember this in later chats".to_owned(),
        [Effect::Forget { facts }] if facts.len() == 1 => "Forget this for good".to_owned(),
        [Effect::Forget { facts }] => format!("Forget these {} things for good", facts.len()),
        [Effect::Opaque { source }] => format!("Let {source} do something that cannot be known beforehand"),
        many => format!("{fallback} ({} effects)", many.len()),
    }
}

/// How it could be taken back; `None` when it cannot.
fn undo(effects: &[Effect]) -> Option<String> {
    let all = |test: fn(&Effect) -> bool| effects.iter().all(test);
    if all(|e| matches!(e, Effect::ReadFile { .. } | Effect::ReadSystem { .. })) {
        Some("Changes nothing".into())
    } else if all(|e| matches!(e, Effect::DeleteFile { for_ever: false, .. })) {
        Some("Can be taken back from the trash".into())
    } else if all(|e| matches!(e, Effect::MoveFile { .. })) {
        Some("Can be moved back".into())
    } else if all(|e| matches!(e, Effect::Network { method, .. } if method == "GET")) {
        Some("Only reads".into())
    } else if all(|e| matches!(e, Effect::OpenFile { .. } | Effect::OpenAddress { .. } | Effect::OpenApp { .. })) {
        Some("Can be closed again".into())
    } else if all(|e| matches!(e, Effect::Remember { .. })) {
        Some("Can be forgotten again".into())
    } else {
        None
    }
}

/// The thing itself, made from the effects when the tool has nothing better to show.
pub(crate) fn preview_of(effects: &[Effect]) -> Preview {
    let moves: Vec<(String, String)> = effects
        .iter()
        .filter_map(|e| match e {
            Effect::MoveFile { from, to } => Some((from.clone(), to.clone())),
            _ => None,
        })
        .collect();
    if !moves.is_empty() {
        return Preview::Moves { moves };
    }
    match effects.first() {
        Some(Effect::RunCommand { command, cwd }) => Preview::Command { command: command.clone(), cwd: cwd.clone() },
        Some(Effect::Network { method, url, .. }) => Preview::Request { method: method.clone(), url: url.clone() },
        Some(Effect::OpenAddress { url, .. }) => Preview::Request { method: "Open".into(), url: url.clone() },
        Some(Effect::OpenFile { path }) => Preview::Paths { paths: vec![path.clone()] },
        Some(Effect::DeleteFile { .. } | Effect::ReadFile { .. } | Effect::WriteFile { .. }) => Preview::Paths {
            paths: effects
                .iter()
                .filter_map(|e| match e {
                    Effect::DeleteFile { path, .. } | Effect::ReadFile { path } | Effect::WriteFile { path } => {
                        Some(path.clone())
                    }
                    _ => None,
                })
                .collect(),
        },
        Some(Effect::Remember { text }) => Preview::Facts { facts: vec![text.clone()] },
        _ => Preview::None,
    }
}
