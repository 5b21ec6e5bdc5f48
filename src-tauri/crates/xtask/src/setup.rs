//! Installs what is missing, and nothing else: a second set-up takes a second.
//!
//! What a command needs is said in [`Needs`]; the lists of packages are in [`crate::system`].

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::node;
use crate::places::Places;
use crate::recordings;
use crate::system;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    /// To compile the desktop shell.
    pub(crate) window: bool,
    /// Node and the packages of `ui/`.
    pub(crate) ui: bool,
    /// A desktop without a screen.
    pub(crate) test_desktop: bool,
    pub(crate) browser: bool,
    /// To build the model server.
    pub(crate) peers: bool,
    /// Servers that others wrote, in Python and for Node.
    pub(crate) servers: bool,
    /// What real servers sent.
    pub(crate) recordings: bool,
}

pub(crate) const NOTHING: Needs = Needs {
    window: false,
    ui: false,
    test_desktop: false,
    browser: false,
    peers: false,
    servers: false,
    recordings: false,
};
pub(crate) const EVERYTHING: Needs =
    Needs { window: true, ui: true, test_desktop: true, browser: true, peers: true, servers: true, recordings: true };

impl Needs {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            window: self.window || other.window,
            ui: self.ui || other.ui,
            test_desktop: self.test_desktop || other.test_desktop,
            browser: self.browser || other.browser,
            peers: self.peers || other.peers,
            servers: self.servers || other.servers,
            recordings: self.recordings || other.recordings,
        }
    }
}

/// The programs that were found or installed.
pub(crate) struct Tools {
    /// The folder of a private Node, when the system's own is too old.
    pub(crate) node: Option<PathBuf>,
    /// A Python that has pip.
    pub(crate) python: PathBuf,
}

impl Tools {
    /// `PATH` for programs that need Node, when it differs from the inherited one.
    pub(crate) fn path(&self) -> Option<OsString> {
        node::path_with(self.node.as_deref()?)
    }
}

pub(crate) fn set_up(places: &Places, needs: Needs) -> Result<Tools> {
    let needs_node = needs.ui || needs.servers;
    let needs_private_node = needs_node && node::is_too_old();
    let needs_python = needs.peers || needs.servers || needs_private_node;
    let mut packages = Vec::new();
    if !system::has_program("cc") || needs != NOTHING {
        packages.extend_from_slice(system::COMPILER);
    }
    for (is_needed, list) in [
        (needs.window, system::WINDOW),
        (needs.window, system::OPENER),
        (needs.test_desktop, system::TEST_DESKTOP),
        (needs.browser, system::BROWSER),
        (needs.peers, system::MODEL_SERVER),
        (needs_python && find_python().is_none(), system::PYTHON),
    ] {
        if is_needed {
            packages.extend_from_slice(list);
        }
    }
    system::ensure_packages(places, &packages)?;
    let python = match find_python() {
        Some(python) => python,
        None if needs_python => bail!("`python3 -m pip` does not work; install python3-pip"),
        None => PathBuf::from("python3"),
    };
    let mut tools = Tools { node: None, python };
    if needs_node {
        tools.node = node::ensure_node(places, &tools.python)?;
    }
    if needs.recordings {
        recordings::ensure(places)?;
    }
    if needs.ui {
        node::ensure_modules(places, &tools)?;
    }
    Ok(tools)
}

fn find_python() -> Option<PathBuf> {
    let has_pip = |python: &str| {
        let mut ask = Command::new(python);
        ask.args(["-m", "pip", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        ask.status().is_ok_and(|status| status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(|python| has_pip(python)).map(PathBuf::from)
}
