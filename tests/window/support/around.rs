//! The desktop around the window: its tray, its notifications, its window manager.

use super::{Home, PATIENCE, given, until};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};

/// What the desktop heard so far, of one kind.
pub(crate) fn hears(event: &str) -> Vec<Value> {
    let log = std::fs::read_to_string(given("NAMMA_DESKTOP_LOG")).unwrap_or_default();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["event"] == event).collect()
}

/// A session bus of its own on which there is neither tray nor notification nor key ring.
pub(crate) struct EmptyBus {
    daemon: Child,
    address: String,
}

impl EmptyBus {
    pub(crate) fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("dbus-daemon");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().expect("its output")).read_line(&mut address).expect("its address");
        Self { daemon, address: address.trim().to_owned() }
    }

    pub(crate) fn variable(&self) -> (String, String) {
        ("DBUS_SESSION_BUS_ADDRESS".into(), self.address.clone())
    }
}

impl Drop for EmptyBus {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// The tray icon of the app that runs now.
pub(crate) struct Tray {
    service: String,
    path: String,
}

impl Tray {
    /// Waits for an icon beyond the first `before`.
    pub(crate) fn after(before: usize) -> Self {
        let facts = until("the tray icon", PATIENCE, || hears("tray_registered").into_iter().nth(before));
        let word = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
        Self { service: word("service"), path: word("path") }
    }

    /// How many icons there have been.
    pub(crate) fn count() -> usize {
        hears("tray_registered").len()
    }

    fn menu(&self) -> String {
        let layout = ["0", "--", "-1", "[]"];
        self.call("com.canonical.dbusmenu.GetLayout", &layout)
    }

    /// The number that the menu has for a line.
    fn line(&self, label: &str) -> Option<String> {
        let menu = self.menu();
        let at = menu.find(&format!("'label': <'{label}"))?;
        let (_, entry) = menu[..at].rsplit_once("<(")?;
        entry.split(',').next().map(|number| number.trim().to_owned())
    }

    pub(crate) fn click(&self, label: &str) {
        let line = until(&format!("{label} in the tray menu"), PATIENCE, || self.line(label));
        self.call("com.canonical.dbusmenu.Event", &[&line, "clicked", "<0>", "0"]);
    }

    fn call(&self, method: &str, arguments: &[&str]) -> String {
        let (service, menu) = (&self.service, format!("{}/Menu", self.path));
        let called = Command::new("gdbus")
            .args(["call", "--session", "-d", service, "-o", &menu, "-m", method])
            .args(arguments)
            .output()
            .expect("gdbus");
        String::from_utf8_lossy(&called.stdout).into_owned()
    }
}

/// Whether a window of that title is on the screen.
pub(crate) fn is_on_screen(title: &str) -> bool {
    let found = Command::new("xdotool").args(["search", "--onlyvisible", "--name", title]).output().expect("xdotool");
    !found.stdout.is_empty()
}

pub(crate) fn wait_until_on_screen(title: &str, wanted: bool) {
    let what = if wanted { "the window on the screen" } else { "the window to leave the screen" };
    until(what, PATIENCE, || (is_on_screen(title) == wanted).then_some(()));
}

/// The button in the corner of the window.
pub(crate) fn close_window(title: &str) {
    let closed = Command::new("wmctrl").args(["-F", "-c", title]).status().expect("wmctrl");
    assert!(closed.success());
}

/// Starts the app once more, as a click on its icon does, and waits for the end of that start.
pub(crate) fn second_start(home: &Home) -> ExitStatus {
    let mut again = Command::new(given("NAMMA_DESKTOP_BIN"))
        .env("NAMMA_HOME", home.data())
        .current_dir(home.work())
        .spawn()
        .expect("a second start");
    until("the end of the second start", PATIENCE, || again.try_wait().ok().flatten())
}
