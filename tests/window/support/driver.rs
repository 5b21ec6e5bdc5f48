//! A client for WebKitWebDriver: the few requests that the tests need, over loopback.

use super::http::{ask, free_port};
use super::{PATIENCE, until};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Under this key the answers carry an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// One driver with one session: the app it started. Ends both when dropped.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    session: String,
}

/// An element of the page.
#[derive(Clone, Debug)]
pub(crate) struct Element(String);

impl Driver {
    /// Starts the program with these arguments in the environment of `command`.
    pub(crate) fn start(
        program: &Path,
        arguments: &[&str],
        environment: &[(String, String)],
        cwd: &Path,
        log: &Path,
    ) -> Self {
        let port = free_port();
        let log = File::options().create(true).append(true).open(log).expect("a log file");
        let process = Command::new("WebKitWebDriver")
            .args([format!("--port={port}"), "--host=127.0.0.1".into()])
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .current_dir(cwd)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log file twice"))
            .stderr(log)
            .spawn()
            .expect("WebKitWebDriver, from the package webkit2gtk-driver");
        let mut driver = Self { process, port, session: String::new() };
        until("WebKitWebDriver", PATIENCE, || ask(port, "GET", "/status", &Value::Null, PATIENCE).ok());
        let options = json!({ "binary": program, "args": arguments });
        let capabilities = json!({ "capabilities": { "alwaysMatch": { "webkitgtk:browserOptions": options } } });
        let (status, answer) = ask(port, "POST", "/session", &capabilities, PATIENCE).expect("a session");
        assert_eq!(status, 200, "{answer}");
        driver.session = answer["value"]["sessionId"].as_str().expect("the id of the session").into();
        driver
    }

    /// The process of the app.
    pub(crate) fn app_pid(&self) -> Option<u32> {
        let is_child = |pid: &u32| parent_of(*pid) == Some(self.process.id());
        processes().find(is_child)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let path = format!("/session/{}{path}", self.session);
        let (status, answer) = ask(self.port, method, &path, body, PATIENCE).map_err(|error| error.to_string())?;
        if status == 200 { Ok(answer["value"].clone()) } else { Err(answer["value"].to_string()) }
    }

    /// Runs a function body in the page.
    pub(crate) fn script(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        self.call("POST", "/execute/sync", &json!({ "script": body, "args": arguments }))
    }

    /// Runs a function body whose last argument is called with the answer.
    pub(crate) fn script_later(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        self.call("POST", "/execute/async", &json!({ "script": body, "args": arguments }))
    }

    /// The element that a function body returns.
    pub(crate) fn element(&self, body: &str, arguments: &[Value]) -> Option<Element> {
        let found = self.script(body, arguments).ok()?;
        found[ELEMENT].as_str().map(|id| Element(id.to_owned()))
    }

    pub(crate) fn click(&self, element: &Element) -> Result<(), String> {
        self.call("POST", &format!("/element/{}/click", element.0), &json!({})).map(|_| ())
    }

    pub(crate) fn type_into(&self, element: &Element, text: &str) -> Result<(), String> {
        self.call("POST", &format!("/element/{}/value", element.0), &json!({ "text": text })).map(|_| ())
    }

    /// A picture of the page as PNG, in base64. The driver now and then forgets to answer; then it is
    /// asked once more.
    pub(crate) fn picture(&self) -> Result<String, String> {
        const PATIENCE: Duration = Duration::from_secs(15);
        let path = format!("/session/{}/screenshot", self.session);
        let picture = (0..3).find_map(|_| {
            let (_, answer) = ask(self.port, "GET", &path, &Value::Null, PATIENCE).ok()?;
            answer["value"].as_str().map(str::to_owned)
        });
        picture.ok_or_else(|| "the driver does not answer".into())
    }

    /// Ends the app as a power cut would.
    pub(crate) fn kill_app(&self) {
        let pid = self.app_pid().expect("the app runs");
        signal(pid, "-KILL");
        until("the end of the app", PATIENCE, || (!is_running(pid)).then_some(()));
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(pid) = self.app_pid() {
            signal(pid, "-TERM");
            let began = std::time::Instant::now();
            while is_running(pid) && began.elapsed() < Duration::from_secs(15) {
                std::thread::sleep(Duration::from_millis(20));
            }
            if is_running(pid) {
                signal(pid, "-KILL");
            }
        }
        // What is left is a driver without a browser.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").args([name, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// Runs still: a process that ended and was not yet waited for does not.
pub(crate) fn is_running(pid: u32) -> bool {
    let state = stat(pid).and_then(|fields| fields.first().cloned());
    state.is_some_and(|state| state != "Z")
}

pub(crate) fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent_of(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// The fields after the name: state, parent, …
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// Running processes whose command line contains these words.
pub(crate) fn running_with(words: &str) -> Vec<u32> {
    let matches = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words) && is_running(*pid)
    };
    processes().filter(matches).collect()
}
