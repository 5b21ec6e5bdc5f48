//! The steps of `cargo xtask test`, cheapest first.
//!
//! To add a step, add a row to [`STEPS`]: its name, what it needs, how it is counted and the
//! command. Everything compiles with one selection, the whole workspace with all targets; another
//! selection would unify features differently and compile a hundred libraries a second time.

use std::process::Command;

use anyhow::Result;

use crate::job::program;
use crate::node::npm;
use crate::places::Places;
use crate::setup::{NOTHING, Needs, Tools};

pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) needs: Needs,
    pub(crate) counted: Counted,
    /// A step this one makes no sense without.
    pub(crate) after: Option<&'static str>,
    pub(crate) minutes: u64,
    /// It starts background programs.
    pub(crate) is_crowd: bool,
    pub(crate) action: Action,
    /// What to do when it fails.
    pub(crate) advice: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// It passes or fails as a whole.
    AsOne,
    /// The closing lines of its log say how many.
    ByLog,
}

pub(crate) enum Action {
    Program(fn(&Places, &Tools) -> Command),
    /// Needs the real model first.
    WithModel(fn(&Places) -> Command),
    /// Needs the servers of others first.
    WithServers(fn(&Places) -> Command),
    /// Written here; a problem is an error.
    Check(fn(&Places) -> Result<()>),
    /// Left out, and said so, when this cargo command is not installed.
    IfInstalled(&'static str, fn(&Places) -> Command),
}

const RUST: Needs = Needs { window: true, ui: true, ..NOTHING };
const UI: Needs = Needs { ui: true, ..NOTHING };
const WINDOW: Needs = Needs { test_desktop: true, ..RUST };

pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "Rust is formatted",
        needs: NOTHING,
        counted: Counted::AsOne,
        after: None,
        minutes: 5,
        is_crowd: false,
        action: Action::Program(|places, _| cargo(places, &["fmt", "--all", "--check"])),
        advice: "run `cargo fmt --all`",
    },
    Step {
        name: "dependencies",
        about: "licences, banned and doubled crates",
        needs: NOTHING,
        counted: Counted::AsOne,
        after: None,
        minutes: 10,
        is_crowd: false,
        action: Action::Check(crate::dependencies::check),
        advice: "the rules are in .cargo/deny.toml",
    },
    Step {
        name: "deny",
        about: "the same and more by cargo-deny, where it is installed",
        needs: NOTHING,
        counted: Counted::AsOne,
        after: None,
        minutes: 10,
        is_crowd: false,
        action: Action::IfInstalled("cargo-deny", |places| {
            cargo(
                places,
                &["deny", "--offline", "check", "--config", ".cargo/deny.toml", "licenses", "bans", "sources"],
            )
        }),
        advice: "the rules are in .cargo/deny.toml",
    },
    Step {
        name: "ui-typecheck",
        about: "TypeScript",
        needs: UI,
        counted: Counted::AsOne,
        after: None,
        minutes: 10,
        is_crowd: false,
        action: Action::Program(|places, tools| npm_run(places, tools, "typecheck")),
        advice: "correct the errors above; alone: npm run typecheck in ui/",
    },
    Step {
        name: "ui-lint",
        about: "format and lints of the front end",
        needs: UI,
        counted: Counted::AsOne,
        after: None,
        minutes: 10,
        is_crowd: false,
        action: Action::Program(|places, tools| npm_run(places, tools, "lint")),
        advice: "correct the errors above; alone: npm run lint in ui/",
    },
    Step {
        name: "ui-unit",
        about: "unit tests of the front end",
        needs: UI,
        counted: Counted::ByLog,
        after: None,
        minutes: 15,
        is_crowd: true,
        action: Action::Program(|places, tools| npm_run(places, tools, "test")),
        advice: "alone: npm test in ui/",
    },
    Step {
        name: "ui-build",
        about: "the front end, as the window loads it",
        needs: UI,
        counted: Counted::AsOne,
        after: None,
        minutes: 10,
        is_crowd: false,
        action: Action::Program(|places, tools| npm_run(places, tools, "build")),
        advice: "correct the errors above; alone: npm run build in ui/",
    },
    Step {
        name: "clippy",
        about: "lints, with warnings as errors",
        needs: RUST,
        counted: Counted::AsOne,
        after: Some("ui-build"),
        minutes: 40,
        is_crowd: false,
        action: Action::Program(|places, _| {
            cargo(places, &["clippy", "--workspace", "--all-targets", "--features", ALL_TESTS, "--", "-D", "warnings"])
        }),
        advice: "correct the warnings above; .clippy.toml says why something is forbidden and where it belongs",
    },
    Step {
        name: "build",
        about: "programs and tests, the desktop app included",
        needs: RUST,
        counted: Counted::AsOne,
        after: Some("ui-build"),
        minutes: 40,
        is_crowd: false,
        action: Action::Program(|places, _| build(places)),
        advice: "correct the errors above",
    },
    Step {
        name: "rust",
        about: "all Rust tests that need no display",
        needs: Needs { recordings: true, ..RUST },
        counted: Counted::ByLog,
        after: Some("build"),
        minutes: 30,
        is_crowd: true,
        action: Action::Program(|places, _| {
            with_binaries(cargo(places, &["test", "--workspace", "--no-fail-fast"]), places)
        }),
        advice: "alone: cargo test --workspace NAME",
    },
    Step {
        name: "servers",
        about: "the command line against model servers of others, and the vendors' own types",
        needs: Needs { servers: true, ..RUST },
        counted: Counted::ByLog,
        after: Some("build"),
        minutes: 15,
        is_crowd: true,
        action: Action::WithServers(|places| {
            let arguments = ["test", "--workspace", "--features", SERVER_TESTS, "--test", "servers"];
            with_binaries(cargo(places, &arguments), places)
        }),
        advice: "alone: cargo xtask test --only servers",
    },
    Step {
        name: "ui-e2e",
        about: "the front end in Chromium, against a scripted platform",
        needs: Needs { browser: true, ..UI },
        counted: Counted::ByLog,
        after: Some("ui-build"),
        minutes: 15,
        is_crowd: true,
        action: Action::Program(|places, tools| npm_run(places, tools, "test:e2e")),
        advice: "alone: npm run test:e2e in ui/; traces and pictures are in ui/test-results",
    },
    Step {
        name: "window",
        about: "the real app in its real window, on a desktop without a screen",
        needs: WINDOW,
        counted: Counted::ByLog,
        after: Some("build"),
        minutes: 20,
        is_crowd: true,
        action: Action::Program(|places, _| window_tests(places, "window", &["--skip", MODEL_TESTS])),
        advice: "alone: cargo xtask test --only window; pictures and logs are in the folder artifacts of the cache",
    },
    Step {
        name: "model",
        about: "the main job in the real window with a real model",
        needs: Needs { peers: true, ..WINDOW },
        counted: Counted::ByLog,
        after: Some("build"),
        minutes: 25,
        is_crowd: true,
        action: Action::WithModel(|places| window_tests(places, "model", &[MODEL_TESTS])),
        advice: "alone: cargo xtask test --only model; pictures and logs are in the folder artifacts of the cache",
    },
];

/// The feature of `namma-tests` that the window tests require, so that a plain `cargo test` needs no display.
const WINDOW_TESTS: &str = "namma-tests/window";
/// The feature of `namma-tests` that the tests with servers of others require.
const SERVER_TESTS: &str = "namma-tests/servers";
const ALL_TESTS: &str = "namma-tests/window,namma-tests/servers";
/// The module of the window tests that ask the real model.
const MODEL_TESTS: &str = "model::";

/// With the tests, because their dependencies take part in the choice of features.
pub(crate) fn build(places: &Places) -> Command {
    cargo(places, &["build", "--workspace", "--lib", "--bins", "--tests"])
}

/// One program and what it stands on, with the very libraries that [`build`] makes: the selection is
/// the whole workspace, and `--examples`, of which there are none, lets the tests' dependencies take
/// part in the choice of features.
pub(crate) fn build_only(places: &Places, binary: &str) -> Command {
    cargo(places, &["build", "--workspace", "--bin", binary, "--examples"])
}

fn cargo(places: &Places, arguments: &[&str]) -> Command {
    let mut command = program("cargo", places);
    command.args(arguments);
    command
}

fn npm_run(places: &Places, tools: &Tools, script: &str) -> Command {
    let mut command = npm(places, tools);
    command.args(["run", script]);
    command
}

fn window_tests(places: &Places, artifacts: &str, filter: &[&str]) -> Command {
    let mut command = program(places.harness("with-desktop.sh"), places);
    command.args(["cargo", "test", "--workspace", "--features", WINDOW_TESTS, "--test", "window", "--"]);
    command.args(["--test-threads=1"]).args(filter);
    command.env("NAMMA_ARTIFACTS", places.cache.join("artifacts").join(artifacts));
    with_binaries(command, places)
}

/// Tests start the programs that the step `build` made.
fn with_binaries(mut command: Command, places: &Places) -> Command {
    command.env("NAMMA_BIN", places.binary("debug", "namma"));
    command.env("NAMMA_DESKTOP_BIN", places.binary("debug", "namma-desktop"));
    command
}
