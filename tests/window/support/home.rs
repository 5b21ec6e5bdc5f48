use super::Window;
use super::around::EmptyBus;
use super::driver::Driver;
use super::given;
use namma_app::{App, AppOptions, Who};
use namma_config::{Environment, Paths};
use namma_core::ports::DeclineAll;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// One test at a time: the desktop has one screen and the driver one session.
static DESKTOP: Mutex<()> = Mutex::new(());

/// A person's computer for one test: an empty home, a folder to work in, and a runtime for the
/// model server that the test plays.
pub(crate) struct Home {
    data: TempDir,
    work: TempDir,
    runtime: Runtime,
    name: String,
    _alone: MutexGuard<'static, ()>,
}

impl Home {
    pub(crate) fn new(name: &str) -> Self {
        let alone = DESKTOP.lock().unwrap_or_else(PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let folder = |kind: &str| tempfile::Builder::new().prefix(kind).tempdir().expect("a folder");
        Self {
            data: folder("namma-home"),
            work: folder("namma-work"),
            runtime: runtime.expect("a runtime"),
            name: name.into(),
            _alone: alone,
        }
    }

    /// Where the app keeps everything.
    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// The folder the app is started in.
    pub(crate) fn work(&self) -> &Path {
        self.work.path()
    }

    /// Runs what plays the other side, a model server for example.
    pub(crate) fn run<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Settings of the person's own, as the app would write them.
    pub(crate) fn settings(&self, yaml: &str) {
        std::fs::write(self.data().join("config.local.yaml"), yaml).expect("settings");
    }

    /// A model server is set up already.
    pub(crate) fn answers_from(&self, base_url: &str, more: &str) {
        self.settings(&format!("provider:\n  base_url: {base_url}\n  model: test-model\n{more}"));
    }

    /// Starts the app and shows its window.
    pub(crate) fn open(&self) -> Window {
        self.open_with(&[])
    }

    pub(crate) fn open_with(&self, arguments: &[&str]) -> Window {
        self.open_in(arguments, &[])
    }

    /// Starts the app on a desktop that has nothing on its bus.
    pub(crate) fn open_on(&self, bus: &EmptyBus) -> Window {
        self.open_in(&[], &[bus.variable()])
    }

    fn open_in(&self, arguments: &[&str], more: &[(String, String)]) -> Window {
        let began = Instant::now();
        let mut environment = vec![("NAMMA_HOME".into(), self.data().display().to_string())];
        environment.extend_from_slice(more);
        let log = artifacts().join(format!("{}.log", self.name));
        let driver = Driver::start(&given("NAMMA_DESKTOP_BIN"), arguments, &environment, self.work(), &log);
        Window::new(driver, began)
    }
}

impl Home {
    /// Does something with the core while no app runs.
    pub(crate) fn with_core<T, F: Future<Output = T>>(&self, work: impl FnOnce(App) -> F) -> T {
        self.run(async {
            let environment = Environment::given([("NAMMA_HOME", self.data().display().to_string())]);
            let paths = Paths::find(&environment).expect("the paths");
            let nobody = Who::Other(Arc::new(DeclineAll));
            let launcher = given("NAMMA_DESKTOP_BIN");
            let options = AppOptions::new(paths, environment, self.work().to_owned(), launcher, nobody);
            let app = App::open(options).await.expect("the core");
            let done = work(app.clone()).await;
            app.close().await;
            done
        })
    }

    /// The tools that succeeded in the chat used last, as the store knows them.
    pub(crate) fn tools_that_ran(&self) -> Vec<String> {
        self.with_core(|app| async move {
            let chats = app.session_list().await.expect("the chats");
            let chat = app.session_export(&chats.first().expect("a chat").session_id).await.expect("the chat");
            succeeded(&serde_json::to_value(&chat).expect("the chat as JSON"))
        })
    }
}

/// The names of the calls in an exported chat that have a result that succeeded.
fn succeeded(chat: &Value) -> Vec<String> {
    let entries = |kind: &'static str| {
        let turns = chat["turns"].as_array().into_iter().flatten();
        turns
            .flat_map(|turn| turn["entries"].as_array().into_iter().flatten())
            .filter(move |entry| entry["type"] == kind)
    };
    let ok: Vec<&Value> = entries("result")
        .filter(|entry| entry["outcome"]["type"] == "succeeded")
        .map(|entry| &entry["callId"])
        .collect();
    let calls = entries("assistant").flat_map(|entry| entry["calls"].as_array().into_iter().flatten());
    calls
        .map(|call| if call["call"].is_object() { &call["call"] } else { call })
        .filter(|call| ok.contains(&&call["id"]))
        .filter_map(|call| call["name"].as_str().map(str::to_owned))
        .collect()
}

/// Pictures and logs that stay.
pub(crate) fn artifacts() -> PathBuf {
    let folder = given("NAMMA_ARTIFACTS");
    std::fs::create_dir_all(&folder).expect("the folder of artifacts");
    folder
}
