//! A home, a program, a model: what a journey needs.

mod app;
mod model;
mod program;
mod terminal;

pub(crate) use app::{Listener, open_app, open_app_at, open_app_with, send};
pub(crate) use model::{Model, closed_port, hanging, said};
pub(crate) use program::{Ran, Running};
pub(crate) use terminal::Terminal;

use namma_config::Environment;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::Command;

/// A home of its own with a folder to work in. Everything goes with it.
pub(crate) struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Home {
    /// A home without a model.
    pub(crate) fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["namma", "work", "person"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder, variables: Vec::new() }
    }

    /// A home whose model is at that address; a request that failed is made again once.
    pub(crate) fn with_model_at(base_url: &str) -> Self {
        Self::bare()
            .setting("NAMMA_PROVIDER__BASE_URL", base_url)
            .setting("NAMMA_PROVIDER__MODEL", "test-model")
            .setting("NAMMA_PROVIDER__MAX_RETRIES", "1")
    }

    /// One more variable in the environment.
    pub(crate) fn setting(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("namma")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.path().join("namma.db")
    }

    /// A file in the folder that the program works in.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// The environment of everything that runs here, and nothing else of ours.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let mut all = self.variables.clone();
        all.push(("NAMMA_HOME".into(), self.path().to_str().unwrap().into()));
        all.push(("HOME".into(), self.folder.path().join("person").to_str().unwrap().into()));
        all.push(("PATH".into(), std::env::var("PATH").unwrap()));
        all
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment::given(self.variables())
    }

    /// `namma` with these arguments, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program::namma());
        command.args(arguments).current_dir(self.work("")).env_clear().envs(self.variables()).kill_on_drop(true);
        command
    }

    /// Any program in the same surroundings, with `namma` as `$NAMMA`.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-euc", script]).current_dir(self.work("")).env_clear().envs(self.variables());
        command.env("NAMMA", program::namma()).kill_on_drop(true);
        command
    }

    /// Runs `namma` with nothing on standard input.
    pub(crate) async fn namma(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments), None).await
    }

    /// Runs `namma` with this on standard input.
    pub(crate) async fn namma_reading(&self, input: &str, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments), Some(input)).await
    }

    /// Starts `namma` to be watched and ended.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        Running::start(self.command(arguments))
    }

    /// The one chat of this home, as JSON, with its events.
    pub(crate) async fn only_session(&self) -> serde_json::Value {
        let list = self.namma(&["sessions", "list", "--json"]).await.json();
        assert_eq!(list.as_array().map(Vec::len), Some(1), "one chat and no other: {list}");
        let id = list[0]["sessionId"].as_str().unwrap();
        self.namma(&["sessions", "show", id, "--json"]).await.json()
    }

    /// The audit log as JSON, the oldest row first; the chain is whole.
    pub(crate) async fn audit(&self) -> Vec<serde_json::Value> {
        let report = self.namma(&["audit", "--json"]).await.json();
        assert!(report["chain"]["brokenAt"].is_null(), "{report}");
        let mut rows = report["rows"].as_array().unwrap().clone();
        rows.reverse();
        rows
    }
}

/// All events of a chat that `sessions show --json` told, in order.
pub(crate) fn events_of(session: &serde_json::Value) -> Vec<&serde_json::Value> {
    session["turns"].as_array().unwrap().iter().flat_map(|turn| turn["events"].as_array().unwrap()).collect()
}

/// The questions of a chat, in order.
pub(crate) fn questions_of(session: &serde_json::Value) -> Vec<&str> {
    events_of(session).into_iter().filter_map(|event| event["userText"].as_str()).collect()
}

/// How each turn of a chat ended.
pub(crate) fn ends_of(session: &serde_json::Value) -> Vec<&str> {
    let ends = events_of(session).into_iter().filter(|event| event["type"] == "turnFinished");
    ends.map(|event| event["outcome"]["type"].as_str().unwrap()).collect()
}

/// Fails instead of hanging: nothing in a journey takes this long.
pub(crate) async fn in_time<T>(what: &str, wait: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(60), wait).await;
    waited.unwrap_or_else(|_| panic!("this takes too long: {what}"))
}
