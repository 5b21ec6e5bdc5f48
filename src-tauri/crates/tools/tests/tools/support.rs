//! A computer with a home folder and all built-in tools behind the real gate.

use namma_core::BoxFuture;
use namma_core::gate::policy::{ApprovalMode, Policy};
use namma_core::gate::{Finished, GateLimits, Machine, Redactor, Sandbox, ToolGate, TurnScope};
use namma_core::ports::{Approver, HttpClient, ModelCall};
use namma_core::tool::Place;
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{Mode, Preview, SessionId, ToolCallId, ToolOutcome, TurnId};
use namma_testkit::{FakeWeb, FixedResults, ManualClock, MemoryAudit, RecordingEvents, ScriptedApprover};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A promise and how it is tried.
pub(crate) struct Claim {
    pub(crate) name: String,
    pub(crate) check: Box<dyn Fn() -> BoxFuture<'static, ()> + Send>,
}

/// The claims of one file: its functions.
macro_rules! claims {
    ($tool:literal: $($name:ident),* $(,)?) => {
        pub(crate) fn claims() -> Vec<$crate::support::Claim> {
            vec![$($crate::support::Claim {
                name: format!("{}::{}", $tool, stringify!($name)),
                check: Box::new(|| Box::pin($name())),
            }),*]
        }
    };
}
pub(crate) use claims;

/// Starts this program again with a home folder of its own, and gives its exit code. `None` when
/// that has happened already.
pub(crate) fn again_with_a_temporary_home() -> Option<i32> {
    const DONE: &str = "NAMMA_TOOLS_TEST";
    if std::env::var_os(DONE).is_some() {
        return None;
    }
    let home = tempfile::tempdir().unwrap();
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(std::env::args_os().skip(1))
        .env(DONE, "1")
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path().join("share"))
        .status()
        .unwrap();
    Some(status.code().unwrap_or(1))
}

pub(crate) struct Computer {
    _temporary: tempfile::TempDir,
    pub(crate) home: PathBuf,
    pub(crate) work: PathBuf,
    gate: ToolGate,
    pub(crate) audit: Arc<MemoryAudit>,
    pub(crate) events: Arc<RecordingEvents>,
    pub(crate) cancel: CancellationToken,
    scope: TurnScope,
    approver: Arc<ScriptedApprover>,
}

/// How a computer is asked.
pub(crate) struct Setting {
    pub(crate) mode: ApprovalMode,
    pub(crate) approver: ScriptedApprover,
    pub(crate) web: Arc<dyn HttpClient>,
    pub(crate) chats: FixedResults,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            mode: ApprovalMode::AskWhenItMatters,
            approver: ScriptedApprover::allows_once(9),
            web: Arc::new(FakeWeb::default()),
            chats: FixedResults::default().with("call_1", "we spoke of marigolds"),
        }
    }
}

impl Computer {
    /// One whose person allows everything.
    pub(crate) fn new() -> Self {
        Self::set(Setting::default())
    }

    /// One with these answers.
    pub(crate) fn answering(approver: ScriptedApprover) -> Self {
        Self::set(Setting { approver, ..Setting::default() })
    }

    pub(crate) fn set(setting: Setting) -> Self {
        Self::with_token(setting, CancellationToken::new())
    }

    pub(crate) fn with_token(setting: Setting, cancel: CancellationToken) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let home = temporary.path().canonicalize().unwrap();
        let work = home.join("work");
        std::fs::create_dir(&work).unwrap();
        let policy = Arc::new(Policy {
            mode: setting.mode,
            folders: Vec::new(),
            rules: Vec::new(),
            own_folders: Vec::new(),
            home: home.clone(),
        });
        let (audit, events) = (Arc::new(MemoryAudit::default()), Arc::new(RecordingEvents::default()));
        let gate = ToolGate::new(
            namma_tools::built_in(),
            Arc::new(move || Arc::clone(&policy)),
            audit.clone(),
            Arc::new(ManualClock::default()),
            Machine {
                http: setting.web,
                sandbox: Sandbox::detect(std::env::current_exe().unwrap()).at_home(&home),
                results: Arc::new(FixedResults::default().with("call_1", "an earlier result")),
                chats: Arc::new(setting.chats),
            },
            Redactor::default(),
            GateLimits::default(),
        );
        let approver = Arc::new(setting.approver);
        let place = Place { cwd: work.clone(), home: home.clone() };
        let asked: Arc<dyn Approver> = approver.clone();
        let (session, turn) = (SessionId::fresh(), TurnId::fresh());
        let scope =
            TurnScope::new(session, turn, Trust::Owner, Mode::Agent, place, asked, events.clone(), TaintSet::CLEAN);
        Self { _temporary: temporary, home, work, gate, audit, events, cancel, scope, approver }
    }

    #[must_use]
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.work.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.work.join(name)).ok()
    }

    /// One call through the gate.
    pub(crate) async fn call(&self, tool: &str, input: Value) -> Finished {
        let call = ModelCall { id: ToolCallId::fresh(), name: tool.into(), arguments: input.to_string() };
        self.gate.run(self.gate.read(call, self.scope.place()), &self.scope, &self.cancel).await
    }

    /// A call that succeeds: what the model reads, and the fact.
    pub(crate) async fn done(&self, tool: &str, input: Value) -> (String, String) {
        let finished = self.call(tool, input).await;
        match finished.outcome {
            ToolOutcome::Succeeded { content } => (content, finished.fact.unwrap_or_default()),
            other => panic!("{tool}: {other:?}"),
        }
    }

    /// A call that fails: the message and the hint in one.
    pub(crate) async fn failure(&self, tool: &str, input: Value) -> String {
        match self.call(tool, input).await.outcome {
            ToolOutcome::Failed { message, hint } => format!("{message} | {}", hint.unwrap_or_default()),
            other => panic!("{tool}: {other:?}"),
        }
    }

    /// The things that were shown to the person.
    pub(crate) fn shown(&self) -> Vec<Preview> {
        self.approver.asked().into_iter().map(|request| request.preview).collect()
    }

    /// Everything below the home folder: files with their content, folders, links.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        visit(&self.home, &mut found);
        found
    }
}

fn visit(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let content = if metadata.is_dir() {
            visit(&path, found);
            "folder".into()
        } else if metadata.is_symlink() {
            format!("link to {}", std::fs::read_link(&path).unwrap().display())
        } else {
            String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()
        };
        found.insert(path, content);
    }
}

/// The difference that was shown.
pub(crate) fn diff(preview: &Preview) -> &str {
    match preview {
        Preview::Diff { diff, .. } => diff,
        other => panic!("{other:?}"),
    }
}
