//! A temporary home with whatever files a test puts there.

use namma_config::{Config, ConfigError, ConfigHandle, Environment, Paths, Problem, load};
use std::path::PathBuf;

pub(crate) struct Home {
    folder: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let variables = vec![("NAMMA_HOME".to_owned(), folder.path().display().to_string())];
        Self { folder, variables }
    }

    /// A home whose overlay says this.
    pub(crate) fn with_overlay(text: &str) -> Self {
        let home = Self::new();
        home.write_overlay(text);
        home
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn overlay_path(&self) -> PathBuf {
        self.path("config.local.yaml")
    }

    pub(crate) fn write_overlay(&self, text: &str) {
        std::fs::write(self.overlay_path(), text).unwrap();
    }

    pub(crate) fn overlay_text(&self) -> String {
        std::fs::read_to_string(self.overlay_path()).unwrap()
    }

    /// The overlay without its comments.
    pub(crate) fn overlay_settings(&self) -> String {
        let text = self.overlay_text();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
        lines.join("\n")
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment::given(self.variables.clone())
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::find(&self.environment()).unwrap()
    }

    pub(crate) fn load(&self) -> Result<Config, ConfigError> {
        load(&self.paths(), &self.environment())
    }

    pub(crate) fn open(&self) -> ConfigHandle {
        ConfigHandle::open(self.paths(), self.environment()).unwrap()
    }

    /// The problems, as a person reads them, with the folder left out.
    pub(crate) fn problems(&self) -> Vec<String> {
        let problems = match self.load() {
            Ok(_) => Vec::new(),
            Err(error) => error.problems(),
        };
        problems.iter().map(|problem| self.shown(problem)).collect()
    }

    fn shown(&self, problem: &Problem) -> String {
        let text = format!("{problem}. {}", problem.hint);
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }
}
