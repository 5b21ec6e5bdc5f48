//! A computer with a home folder, a gate, and one tool that runs commands.

use namma_core::BoxFuture;
use namma_core::gate::policy::{ApprovalMode, Policy};
use namma_core::gate::{
    CommandEnding, Confinement, GateLimits, Machine, Network, Permitted, Redactor, Sandbox, ToolGate, TurnScope,
};
use namma_core::ports::ModelCall;
use namma_core::tool::{Effects, Place, Tool, ToolFailure, ToolOutput, ToolRegistry};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{Effect, Mode, SessionId, StepTitle, ToolCallId, ToolOutcome, TurnId};
use namma_testkit::{FakeWeb, FixedResults, ManualClock, MemoryAudit, MemoryFacts, RecordingEvents, ScriptedApprover};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(crate) fn launcher() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// A level of the sandbox, as it is found here.
#[derive(Clone)]
pub(crate) struct Level {
    pub(crate) name: &'static str,
    pub(crate) confinement: Confinement,
}

impl Level {
    /// All that work on this computer.
    pub(crate) fn here() -> Vec<Self> {
        let name = |confinement: &Confinement| match confinement {
            Confinement::Bubblewrap { .. } => "bubblewrap",
            Confinement::Landlock => "landlock",
            Confinement::LimitsOnly => "limits_only",
        };
        Confinement::available().map(|confinement| Self { name: name(&confinement), confinement }).collect()
    }

    pub(crate) fn named(name: &str) -> Self {
        Self::here().into_iter().find(|level| level.name == name).unwrap()
    }
}

/// A promise, and the levels that make it.
pub(crate) struct Claim {
    pub(crate) name: &'static str,
    pub(crate) levels: &'static [&'static str],
    pub(crate) check: Box<dyn Fn(Level) -> BoxFuture<'static, ()> + Send>,
}

impl Claim {
    pub(crate) fn holds_for(&self, level: &Level) -> bool {
        self.levels.contains(&level.name)
    }
}

pub(crate) const EVERY_LEVEL: &[&str] = &["bubblewrap", "landlock", "limits_only"];
pub(crate) const CONFINED: &[&str] = &["bubblewrap", "landlock"];
pub(crate) const STRONGEST: &[&str] = &["bubblewrap"];

/// The claims of one file: its functions and the levels they hold for.
macro_rules! claims {
    ($($name:ident: $levels:ident),* $(,)?) => {
        pub(crate) fn claims() -> Vec<$crate::support::Claim> {
            vec![$($crate::support::Claim {
                name: stringify!($name),
                levels: $crate::support::$levels,
                check: Box::new(|level| Box::pin($name(level))),
            }),*]
        }
    };
}

pub(crate) use claims;

/// A home folder with a project in it.
pub(crate) struct Computer {
    temporary: Arc<tempfile::TempDir>,
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) work: PathBuf,
    sandbox: Sandbox,
}

impl Computer {
    pub(crate) fn new(level: &Level) -> Self {
        Self::below(&ordinary_folder(), level)
    }

    fn below(folder: &Path, level: &Level) -> Self {
        let temporary = tempfile::tempdir_in(folder).unwrap();
        let root = temporary.path().canonicalize().unwrap();
        let (home, work) = (root.join("home"), root.join("home/work"));
        std::fs::create_dir_all(&work).unwrap();
        let sandbox = Sandbox::detect(launcher()).confined_by(level.confinement.clone()).at_home(&home);
        Self { temporary: Arc::new(temporary), root, home, work, sandbox }
    }

    #[must_use]
    pub(crate) fn hiding(mut self, name: &str) -> Self {
        self.sandbox = self.sandbox.hiding([self.root.join(name)]);
        self
    }

    #[must_use]
    pub(crate) fn with_network(mut self) -> Self {
        self.sandbox = self.sandbox.with_network(Network::Allowed);
        self
    }

    #[must_use]
    pub(crate) fn with(self, name: &str, content: &str) -> Self {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(name)).ok()
    }

    pub(crate) fn call(&self, command: &str) -> Call {
        Call {
            _temporary: Arc::clone(&self.temporary),
            sandbox: self.sandbox.clone(),
            home: self.home.clone(),
            input: Input { command: command.into(), cwd: self.work.display().to_string(), timeout_ms: 20_000 },
            events: Arc::default(),
            cancel: CancellationToken::new(),
        }
    }

    /// Runs a command in the project and gives what it printed.
    pub(crate) async fn output(&self, command: &str) -> String {
        self.call(command).run().await.text
    }
}

/// Not below a folder for temporary files: there the sandbox hides more than it promises. The build
/// folder may be in one.
fn ordinary_folder() -> PathBuf {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned();
    let cache = std::env::home_dir().unwrap().join(".cache");
    let is_ordinary = |folder: &PathBuf| !["/tmp", "/var/tmp"].iter().any(|hidden| folder.starts_with(hidden));
    let folder = [build, cache].into_iter().find(is_ordinary).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// One call of the tool.
pub(crate) struct Call {
    _temporary: Arc<tempfile::TempDir>,
    sandbox: Sandbox,
    home: PathBuf,
    pub(crate) input: Input,
    pub(crate) events: Arc<RecordingEvents>,
    pub(crate) cancel: CancellationToken,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Answer {
    /// As [`CommandEnding`] prints itself, or what the gate says instead.
    pub(crate) ending: String,
    pub(crate) text: String,
    pub(crate) took: Duration,
}

impl Call {
    #[must_use]
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.input.cwd = folder.display().to_string();
        self
    }

    #[must_use]
    pub(crate) fn for_at_most(mut self, timeout_ms: u64) -> Self {
        self.input.timeout_ms = timeout_ms;
        self
    }

    pub(crate) async fn run(&self) -> Answer {
        let policy = Policy {
            mode: ApprovalMode::AskWhenItMatters,
            folders: Vec::new(),
            rules: Vec::new(),
            own_folders: Vec::new(),
            home: self.home.clone(),
        };
        let policy = Arc::new(policy);
        let gate = ToolGate::new(
            ToolRegistry::default().with(Run),
            Arc::new(move || Arc::clone(&policy)),
            Arc::new(MemoryAudit::default()),
            Arc::new(ManualClock::default()),
            Machine {
                http: Arc::new(FakeWeb::default()),
                sandbox: self.sandbox.clone(),
                results: Arc::new(FixedResults::default()),
                chats: Arc::new(FixedResults::default()),
                memory: Arc::new(MemoryFacts::default()),
            },
            Redactor::default(),
            GateLimits { result_bytes: 1 << 20, ..GateLimits::default() },
        );
        let place = Place { cwd: self.home.clone(), home: self.home.clone() };
        let approver = Arc::new(ScriptedApprover::allows_once(1));
        let (session, turn, events) = (SessionId::fresh(), TurnId::fresh(), self.events.clone());
        let scope = TurnScope::new(session, turn, Trust::Owner, Mode::Agent, place, approver, events, TaintSet::CLEAN);
        let arguments = serde_json::to_string(&self.input).unwrap();
        let call = ModelCall { id: ToolCallId::fresh(), name: Run::NAME.into(), arguments };
        let started = Instant::now();
        let finished = gate.run(gate.read(call, scope.place()), &scope, &self.cancel).await;
        let took = started.elapsed();
        match finished.outcome {
            ToolOutcome::Succeeded { content } => {
                let (ending, text) = content.split_once('\n').unwrap();
                Answer { ending: ending.into(), text: text.into(), took }
            }
            other => Answer { ending: format!("{other:?}"), text: String::new(), took },
        }
    }
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Input {
    pub(crate) command: String,
    pub(crate) cwd: String,
    pub(crate) timeout_ms: u64,
}

/// Runs what it is told.
struct Run;

impl Tool for Run {
    type Input = Input;
    const NAME: &'static str = "run";
    const TOOLSET: &'static str = "test";
    fn description(&self) -> &'static str {
        "Runs a command."
    }
    fn title(&self, _: &Input) -> StepTitle {
        StepTitle { doing: "Running".into(), done: "Ran".into() }
    }
    fn effects(&self, input: &Input, _: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::RunCommand { command: input.command.clone(), cwd: input.cwd.clone() }]))
    }
    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let input = call.input();
        let timeout = Duration::from_millis(input.timeout_ms);
        let output =
            call.shell().run(&input.command, Path::new(&input.cwd), timeout, &|line| call.progress(line)).await?;
        let ending: CommandEnding = output.ending;
        Ok(ToolOutput::ours(format!("{ending:?}\n{}", output.text)))
    }
}

/// A number that no other process has on its command line.
pub(crate) fn mark() -> String {
    let number = uuid::Uuid::new_v4().as_u128();
    format!("7{}.{}", number % 10_000_000, number / 10_000_000 % 10_000_000)
}

/// How many processes carry the mark, apart from their launchers.
pub(crate) fn alive(mark: &str) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        count += usize::from(words.len() < 4 && words.contains(&mark.as_bytes()));
    }
    count
}

/// Waits until no process carries the mark, and says how long that took.
pub(crate) async fn gone(mark: &str) -> Duration {
    let started = Instant::now();
    while alive(mark) > 0 {
        assert!(started.elapsed() < Duration::from_secs(5), "{} processes are left", alive(mark));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    started.elapsed()
}

/// This program in the part of an app that is killed while a command runs.
pub(crate) struct Task {
    level: String,
    folder: PathBuf,
    command: String,
}

impl Task {
    const ASKED: &str = "as-the-app";

    pub(crate) fn asked() -> Option<Self> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        match arguments.as_slice() {
            [asked, level, folder, command] if asked == Self::ASKED => {
                Some(Self { level: level.clone(), folder: folder.into(), command: command.clone() })
            }
            _ => None,
        }
    }

    /// The app works below the root of `computer`, which removes what the app leaves.
    pub(crate) fn start(level: &Level, computer: &Computer, command: &str) -> std::process::Child {
        let mut app = std::process::Command::new(launcher());
        app.args([Self::ASKED, level.name]).arg(&computer.root).arg(command).spawn().unwrap()
    }

    pub(crate) async fn run(&self) {
        Computer::below(&self.folder, &Level::named(&self.level)).output(&self.command).await;
    }
}
