use super::in_time;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// The program under test: the one named by `NAMMA_BIN`, or the one that was built beside the tests.
pub(crate) fn namma() -> PathBuf {
    if let Some(named) = std::env::var_os("NAMMA_BIN") {
        return named.into();
    }
    let tests = std::env::current_exe().unwrap();
    let beside = tests.ancestors().nth(2).unwrap().join("namma");
    assert!(beside.is_file(), "`{}` is missing: build it with `cargo build -p namma-cli`", beside.display());
    beside
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) async fn of(mut command: Command, input: Option<&str>) -> Self {
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take();
        let feeding = async {
            if let (Some(mut stdin), Some(input)) = (stdin, input) {
                // It may have read enough.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
        };
        let (output, ()) = in_time("a run of namma", async { tokio::join!(child.wait_with_output(), feeding) }).await;
        let output = output.unwrap();
        Self {
            status: output.status,
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Standard output as one document.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Standard output as one event per line.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}")))
            .collect()
    }

    /// The outcome of the last event.
    pub(crate) fn outcome(&self) -> Value {
        let events = self.events();
        let last = events.last().unwrap_or_else(|| panic!("no events: {self:?}"));
        assert_eq!(last["event"]["type"], "turnFinished", "{last}");
        last["event"]["outcome"].clone()
    }
}

/// A program that runs, told by its lines.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Reads events until one is of this type, and gives it.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        self.until_event(|event| event["type"] == kind).await
    }

    /// Reads events until one fits, and gives it.
    pub(crate) async fn until_event(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        while let Some(line) = self.line().await {
            let envelope: Value = serde_json::from_str(&line).unwrap();
            if fits(&envelope["event"]) {
                return envelope;
            }
        }
        panic!("it ended before that event: {}", self.end().await.stderr);
    }

    /// Reads the next line as it is.
    pub(crate) async fn line(&mut self) -> Option<String> {
        in_time("a line of namma", self.lines.next_line()).await.unwrap()
    }

    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        let id = i32::try_from(self.child.id().expect("it still runs")).unwrap();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), signal).unwrap();
    }

    /// Closes our end of its standard output.
    pub(crate) async fn end_unread(mut self) -> Ran {
        drop(self.lines);
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).await.unwrap();
        Ran { status: self.child.wait().await.unwrap(), stdout: String::new(), stderr }
    }

    /// Waits for its end; `stdout` is what had not been read.
    pub(crate) async fn end(&mut self) -> Ran {
        let mut stderr = String::new();
        let mut rest = self.child.stderr.take().unwrap();
        let reading = rest.read_to_string(&mut stderr);
        let left = async {
            let mut left = String::new();
            while let Ok(Some(line)) = self.lines.next_line().await {
                left.push_str(&line);
                left.push('\n');
            }
            left
        };
        let (_, stdout) = in_time("the end of namma", async { tokio::join!(reading, left) }).await;
        Ran { status: self.child.wait().await.unwrap(), stdout, stderr }
    }
}
