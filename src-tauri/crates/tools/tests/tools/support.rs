//! A computer with a home folder and all built-in tools behind the real gate.

use namma_core::BoxFuture;
use namma_core::gate::policy::{ApprovalMode, Policy, Rule};
use namma_core::gate::{Finished, GateLimits, Machine, Redactor, Sandbox, ToolGate, TurnScope};
use namma_core::ports::{Approver, HttpClient, ModelCall};
use namma_core::tool::Place;
use namma_core::trust::{Taint, TaintSet, Trust};
use namma_protocol::{Mode, Preview, SessionId, ToolCallId, ToolOutcome, TurnId};
use namma_testkit::{FakeWeb, FixedResults, ManualClock, MemoryAudit, MemoryFacts, RecordingEvents, ScriptedApprover};
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
    lay_out_a_desktop(home.path());
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(std::env::args_os().skip(1))
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| !is_of_a_desktop(&name.to_string_lossy())))
        .env(DONE, "1")
        .env("HOME", home.path())
        .env("DISPLAY", ":99")
        .env("XDG_DATA_HOME", home.path().join("share"))
        .env("XDG_CONFIG_HOME", home.path().join("config"))
        .env("XDG_DATA_DIRS", home.path().join("none"))
        .env("OPENAI_API_KEY", A_KEY)
        .env("XDG_TOKEN", A_KEY)
        .status()
        .unwrap();
    Some(status.code().unwrap_or(1))
}

/// In two variables of this program, and to be seen by none that it opens.
pub(crate) const A_KEY: &str = "sk-seen-by-nobody-0123456789";

fn is_of_a_desktop(name: &str) -> bool {
    let starts = ["XDG_", "WAYLAND_", "KDE_", "GNOME_", "MATE_", "DESKTOP_SESSION", "DBUS_", "BROWSER"];
    starts.iter().any(|start| name.starts_with(start))
}

/// A desktop with a program for texts, folders, pages and mails, which writes down what it was
/// given and what it sees of our environment; and with applications that end in their own ways.
fn lay_out_a_desktop(home: &Path) {
    let (entries, config, programs) = (home.join("share/applications"), home.join("config"), home.join("programs"));
    for folder in [&entries, &config, &programs] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let put = |name: &str, exec: &str, more: &str| {
        let text = format!("[Desktop Entry]\nType=Application\nName={name}\nExec={exec}\n{more}\n");
        std::fs::write(entries.join(format!("{}.desktop", name.to_lowercase())), text).unwrap();
    };
    let program = |name: &str, body: &str| {
        let path = programs.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    let note = r#"{ env; pwd; } > "$HOME/environment"
printf '%s\n' "$#" "$@" > "$HOME/part"; mv "$HOME/part" "$HOME/opened""#;
    put("Viewer", &format!("{} %u", program("viewer", note)), "NoDisplay=true");
    put("Notebook", &format!("\"{}\" --new \"two words; $(touch x)\" %F", program("notebook", note)), "");
    put("Clock", &program("clock", r#"trap '' HUP; echo $$ > "$HOME/clock"; sleep 20"#), "");
    put("Broken", &program("broken", "exit 7"), "");
    put("Vanished", "/no/such/program", "");
    put("Top", "top", "Terminal=true");
    put("Paint One", "true", "");
    put("Paint Two", "true", "");
    let kinds = ["text/plain", "inode/directory", "inode/x-empty", "x-scheme-handler/https", "x-scheme-handler/mailto"];
    let defaults: String = kinds.map(|kind| format!("{kind}=viewer.desktop\n")).concat();
    std::fs::write(config.join("mimeapps.list"), format!("[Default Applications]\n{defaults}")).unwrap();
}

pub(crate) struct Computer {
    _temporary: tempfile::TempDir,
    pub(crate) home: PathBuf,
    pub(crate) work: PathBuf,
    gate: ToolGate,
    pub(crate) audit: Arc<MemoryAudit>,
    pub(crate) events: Arc<RecordingEvents>,
    pub(crate) memory: Arc<MemoryFacts>,
    pub(crate) cancel: CancellationToken,
    scope: TurnScope,
    approver: Arc<ScriptedApprover>,
}

/// How a computer is asked.
pub(crate) struct Setting {
    pub(crate) mode: ApprovalMode,
    pub(crate) approver: ScriptedApprover,
    pub(crate) web: Arc<dyn HttpClient>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) chats: FixedResults,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            mode: ApprovalMode::AskWhenItMatters,
            approver: ScriptedApprover::allows_once(9),
            web: Arc::new(FakeWeb::default()),
            rules: Vec::new(),
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
            rules: setting.rules,
            own_folders: Vec::new(),
            home: home.clone(),
        });
        let memory = Arc::new(MemoryFacts::default().with("fact_1", "marigolds grow on the balcony"));
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
                memory: memory.clone(),
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
        Self { _temporary: temporary, home, work, gate, audit, events, memory, cancel, scope, approver }
    }

    /// The same, asked by somebody else, or after something was read.
    #[must_use]
    pub(crate) fn asked_by(mut self, trust: Trust, taint: TaintSet) -> Self {
        let place = self.scope.place().clone();
        let (session, turn, asked) = (SessionId::fresh(), TurnId::fresh(), self.approver.clone());
        self.scope = TurnScope::new(session, turn, trust, Mode::Agent, place, asked, self.events.clone(), taint);
        self
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

    /// The same, after something from outside was read, asked by somebody who wrote this.
    #[must_use]
    pub(crate) fn having_read(mut self, owner_text: &str) -> Self {
        let scope = &self.scope;
        self.scope = TurnScope::new(
            scope.session_id().clone(),
            TurnId::fresh(),
            Trust::Owner,
            Mode::Agent,
            scope.place().clone(),
            self.approver.clone(),
            self.events.clone(),
            Taint::Web.into(),
        );
        self.scope.add_owner_text(owner_text);
        self
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
