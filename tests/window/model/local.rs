//! A model that the command line serves itself: the real llama-server, the real weights.
//!
//! Both are as slow as the machine is busy, so these tests wait for things and claim no times.

use super::ANSWER;
use crate::support::{RealModel, given, until};
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Longer than anything here takes to answer.
const LONG: &str = "Count from 1 to 500, one number per line, and leave none out.";

#[test]
fn a_file_is_installed_answers_and_leaves_no_server_behind() {
    let home = LocalHome::new();
    let installed = home.install();
    assert_eq!(installed["name"], "coder");
    assert_eq!((&installed["contextTokens"], &installed["isInUse"]), (&32_768.into(), &true.into()), "{installed}");
    let answered = home.namma(&["ask", "--mode", "chat", "Say hello."]);
    assert!(answered.status.success(), "{answered:?}");
    assert!(!answered.stdout.trim_ascii().is_empty(), "{answered:?}");
    assert_eq!(home.servers(), Vec::<i32>::new());

    // The server is killed in the middle of an answer: that is told, and the next question works.
    let mut asking = home.ask(LONG);
    asking.until("textDelta");
    kill(home.only_server());
    let outcome = asking.outcome();
    assert_eq!((&outcome["type"], &outcome["error"]["code"]), (&"failed".into(), &"serverFailed".into()), "{outcome}");
    let message = outcome["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(message, "the model server on this computer was ended by signal 9");
    assert!(home.namma(&["ask", "--mode", "chat", "Say hello."]).status.success());

    // We are killed in the middle of an answer: the server goes with us.
    let mut asking = home.ask(LONG);
    asking.until("textDelta");
    let server = home.only_server();
    asking.child.kill().expect("it runs");
    asking.child.wait().expect("it ends");
    until("the end of the server", Duration::from_secs(30), || (!runs(server)).then_some(()));

    let removed = home.namma(&["model", "remove", "coder"]);
    assert!(removed.status.success(), "{removed:?}");
    assert!(RealModel::weights().is_file(), "a file of the person's stays");
}

#[test]
fn a_server_that_nobody_asks_ends_while_the_chat_goes_on() {
    let home = LocalHome::new();
    home.set("local_model.threads", "1");
    home.install();
    // Half a second would do, but the settings count in minutes.
    home.set("local_model.idle_minutes", "1");
    let mut chat = home.command(&["chat", "--mode", "chat"]);
    let mut chat = chat.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("namma");
    let mut typed = chat.stdin.take().expect("its input");
    std::io::Write::write_all(&mut typed, b"Say hello.\n").expect("a line");
    let first = until("the server", ANSWER, || home.servers().first().copied());
    until("the end of the idle server", ANSWER, || home.servers().is_empty().then_some(()));
    assert!(chat.try_wait().expect("its state").is_none(), "the chat goes on");
    std::io::Write::write_all(&mut typed, b"Say it again.\n").expect("a line");
    let second = until("the next server", ANSWER, || home.servers().first().copied());
    assert_ne!(first, second);
    drop(typed);
    chat.wait().expect("the end of the chat");
    assert_eq!(home.servers(), Vec::<i32>::new());
}

/// A home with plain settings and the program `namma`.
struct LocalHome {
    folder: TempDir,
}

impl LocalHome {
    fn new() -> Self {
        let home = Self { folder: TempDir::with_prefix("namma-local").expect("a folder") };
        home.set("local_model.server", RealModel::server().to_str().expect("a path"));
        home.set("provider.max_retries", "0");
        home
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(given("NAMMA_BIN"));
        command.args(arguments).current_dir(self.folder.path()).env("NAMMA_HOME", self.folder.path());
        command
    }

    fn namma(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().expect("namma")
    }

    fn set(&self, key: &str, value: &str) {
        let set = self.namma(&["config", "set", key, value]);
        assert!(set.status.success(), "{set:?}");
    }

    fn install(&self) -> Value {
        let (weights, template) = (RealModel::weights(), RealModel::template());
        let text = |path: &Path| path.to_str().expect("a path").to_owned();
        let arguments = ["--name", "coder", "--json", "--chat-template", &text(&template)];
        let installed = self.namma(&[&["model", "install", &text(&weights)][..], &arguments].concat());
        assert!(installed.status.success(), "{installed:?}");
        serde_json::from_slice(&installed.stdout).expect("a document")
    }

    fn ask(&self, question: &str) -> Asking {
        let mut command = self.command(&["ask", "--json", "--mode", "chat", question]);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("namma");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Asking { child, lines }
    }

    /// The processes that serve the weights to this home: each works in our folder.
    fn servers(&self) -> Vec<i32> {
        let program = RealModel::server();
        let ours = self.folder.path().to_str().expect("a path");
        let processes = std::fs::read_dir("/proc").expect("the processes").flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers
            .filter(|number: &i32| {
                let of = |name: &str| std::fs::read(format!("/proc/{number}/{name}")).unwrap_or_default();
                let line = of("cmdline");
                let is_server = line.split(|byte| *byte == 0).next() == Some(program.as_os_str().as_encoded_bytes());
                let place = std::fs::read_link(format!("/proc/{number}/cwd")).unwrap_or_default();
                is_server && runs(*number) && place == Path::new(ours)
            })
            .collect()
    }

    fn only_server(&self) -> i32 {
        let servers = self.servers();
        assert_eq!(servers.len(), 1, "one server and no other: {servers:?}");
        servers[0]
    }
}

/// A question that is being answered.
struct Asking {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Asking {
    fn event(&mut self) -> Value {
        let line = self.lines.next().expect("one event more").expect("a line");
        serde_json::from_str::<Value>(&line).expect("an event")["event"].clone()
    }

    fn until(&mut self, kind: &str) -> Value {
        loop {
            let event = self.event();
            if event["type"] == kind {
                return event;
            }
            assert_ne!(event["type"], "turnFinished", "{event}");
        }
    }

    fn outcome(mut self) -> Value {
        loop {
            let event = self.event();
            if event["type"] == "turnFinished" {
                self.child.wait().expect("its end");
                return event["outcome"].clone();
            }
        }
    }
}

/// Whether a process is there and not only waits to be collected.
fn runs(process: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

fn kill(process: i32) {
    let signal = nix::sys::signal::Signal::SIGKILL;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(process), signal).expect("it runs");
}
