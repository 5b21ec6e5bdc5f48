//! A server of somebody else, a home without anything but a model's address, and one question.

#[path = "../window/support/http.rs"]
mod http;

use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Python may need long to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// The dialects: the word of `provider.type`, and where each server speaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub(crate) kind: &'static str,
    pub(crate) llmock: &'static str,
    pub(crate) aimock: &'static str,
}

pub(crate) const CHAT: Spoken = Spoken { kind: "openai_compatible", llmock: "/v1", aimock: "/v1" };
pub(crate) const RESPONSES: Spoken = Spoken { kind: "openai_responses", llmock: "/v1", aimock: "/v1" };
pub(crate) const MESSAGES: Spoken = Spoken { kind: "anthropic", llmock: "/anthropic/v1", aimock: "/v1" };
pub(crate) const CONTENTS: Spoken = Spoken { kind: "gemini", llmock: "/gemini/v1beta", aimock: "/v1beta" };
pub(crate) const ALL: [Spoken; 4] = [CHAT, RESPONSES, MESSAGES, CONTENTS];

/// A variable that `cargo xtask test --only servers` sets.
pub(crate) fn given(name: &str) -> PathBuf {
    let value = std::env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from).unwrap_or_else(|| panic!("{name} is not set: run `cargo xtask test --only servers`"))
}

/// Python with the packages of others.
pub(crate) fn python() -> Command {
    let mut command = Command::new(given("NAMMA_SERVERS_PYTHON"));
    command.env("PYTHONPATH", given("NAMMA_SERVERS_PYTHONPATH")).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// A server that runs until it is dropped.
pub(crate) struct Server {
    process: Child,
    port: u16,
    _folder: TempDir,
}

impl Server {
    /// `llmock`, with nothing scripted.
    pub(crate) fn llmock() -> Self {
        Self::start(|port, _| {
            let mut command = python();
            command.args(["-m", "llmock.cli", "serve", "--host", "127.0.0.1", "--port", &port.to_string()]);
            command
        })
    }

    /// `aimock`, with these fixtures.
    pub(crate) fn aimock(fixtures: &Value) -> Self {
        Self::start(|port, folder| {
            let file = folder.path().join("fixtures.json");
            std::fs::write(&file, fixtures.to_string()).unwrap();
            let mut command = Command::new(given("NAMMA_SERVERS_NODE"));
            command
                .arg(given("NAMMA_SERVERS_AIMOCK"))
                .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-f"])
                .arg(file);
            command
        })
    }

    fn start(command: impl FnOnce(u16, &TempDir) -> Command) -> Self {
        let (folder, port) = (tempfile::tempdir().unwrap(), http::free_port());
        let log = folder.path().join("log");
        let output = File::create(&log).unwrap();
        let mut command = command(port, &folder);
        command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = process.try_wait().unwrap();
            if ended.is_some() || began.elapsed() > PATIENCE {
                let told = std::fs::read_to_string(&log).unwrap_or_default();
                // It may have ended by itself.
                let _ = process.kill();
                panic!("{command:?} does not answer ({ended:?}): {told}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { process, port, _folder: folder }
    }

    pub(crate) fn base_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Its own API for tests.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = http::ask(self.port, method, path, body, PATIENCE).unwrap();
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A home with a model's address, and a folder with one file to work in.
pub(crate) struct Home {
    folder: TempDir,
}

/// How `namma ask` ended.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) took: Duration,
    pub(crate) outcome: Value,
    /// The event of each call's end, in order.
    pub(crate) finished: Vec<Value>,
    /// The text that was told piece by piece.
    pub(crate) told: String,
}

impl Home {
    /// One whose settings were written by hand.
    pub(crate) fn with_settings(text: &str) -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        for name in ["namma", "work", "person"] {
            std::fs::create_dir(home.folder.path().join(name)).unwrap();
        }
        std::fs::write(home.folder.path().join("work/a.txt"), "one\ntwo\n").unwrap();
        std::fs::write(home.folder.path().join("namma/config.local.yaml"), text).unwrap();
        home
    }

    pub(crate) fn with_model_at(kind: &str, base_url: &str) -> Self {
        let home = Self::with_settings("");
        home.set("provider.type", kind);
        home.set("provider.base_url", base_url);
        home.set("provider.model", "any-model");
        home
    }

    pub(crate) fn set(&self, key: &str, value: &str) {
        let output = self.run(&["config", "set", key, value]);
        assert!(output.status.success(), "{key}: {output:?}");
    }

    /// Asks the real program, with nobody there to approve anything.
    pub(crate) fn ask(&self, question: &str) -> Asked {
        self.ask_with(&[], question)
    }

    pub(crate) fn ask_with(&self, options: &[&str], question: &str) -> Asked {
        let began = Instant::now();
        let output = self.run(&[&["ask", "--json"], options, &[question]].concat());
        let took = began.elapsed();
        let stdout = String::from_utf8(output.stdout.clone()).unwrap();
        let events: Vec<Value> =
            stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].clone()).collect();
        let last = events.last().unwrap_or_else(|| panic!("no events: {output:?}"));
        assert_eq!(last["type"], "turnFinished", "{last}");
        let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).cloned().collect::<Vec<Value>>();
        let told = of("textDelta").iter().filter_map(|event| event["text"].as_str()).collect();
        Asked { took, outcome: last["outcome"].clone(), finished: of("toolCallFinished"), told }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let folder = self.folder.path();
        let mut command = Command::new(given("NAMMA_BIN"));
        command.args(arguments).current_dir(folder.join("work")).env_clear();
        command.env("NAMMA_HOME", folder.join("namma")).env("HOME", folder.join("person"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let id = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
        let (tell, ended) = channel();
        std::thread::spawn(move || tell.send(child.wait_with_output()));
        ended.recv_timeout(PATIENCE).map(Result::unwrap).unwrap_or_else(|_| {
            // It hangs: that is what the panic says.
            let _ = nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL);
            panic!("`namma {}` does not end", arguments.join(" "))
        })
    }
}
