use namma_protocol::{Effect, FactId};
use std::path::Path;

/// Everything one call would do. An empty list means: it touches nothing outside the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects(Vec<Effect>);

impl Effects {
    pub fn of(effects: impl IntoIterator<Item = Effect>) -> Self {
        Self(effects.into_iter().collect())
    }

    pub fn as_slice(&self) -> &[Effect] {
        &self.0
    }

    /// May this file, or something below a declared folder, be read? Whoever may write may read.
    pub fn allow_read(&self, path: &Path) -> bool {
        self.0.iter().any(|effect| match effect {
            Effect::ReadFile { path: declared } => path.starts_with(declared),
            Effect::WriteFile { path: declared } | Effect::DeleteFile { path: declared, .. } => {
                path == Path::new(declared)
            }
            Effect::MoveFile { from, to } => path == Path::new(from) || path == Path::new(to),
            Effect::RunCommand { .. } | Effect::Network { .. } | Effect::ReadSystem { .. } | Effect::Opaque { .. } => {
                false
            }
            // Another program reads it, and shows it to the person.
            Effect::OpenFile { .. } | Effect::OpenAddress { .. } | Effect::OpenApp { .. } => false,
            Effect::Remember { .. } | Effect::Forget { .. } => false,
        })
    }

    /// May exactly this file be created or changed?
    pub fn allow_write(&self, path: &Path) -> bool {
        self.0.iter().any(|e| matches!(e, Effect::WriteFile { path: declared } if path == Path::new(declared)))
    }

    /// May exactly this move happen?
    pub fn allow_move(&self, from: &Path, to: &Path) -> bool {
        self.0
            .iter()
            .any(|e| matches!(e, Effect::MoveFile { from: f, to: t } if from == Path::new(f) && to == Path::new(t)))
    }

    /// May exactly this path be deleted, in this way?
    pub fn allow_delete(&self, path: &Path, for_ever: bool) -> bool {
        self.0.iter().any(|e| {
            matches!(e, Effect::DeleteFile { path: declared, for_ever: declared_for_ever }
                if path == Path::new(declared) && for_ever == *declared_for_ever)
        })
    }

    /// May exactly this command run in this folder?
    pub fn allow_command(&self, command: &str, cwd: &Path) -> bool {
        self.0
            .iter()
            .any(|e| matches!(e, Effect::RunCommand { command: c, cwd: d } if command == c && cwd == Path::new(d)))
    }

    /// May this address be fetched?
    pub fn allow_request(&self, method: &str, url: &str) -> bool {
        self.0.iter().any(|e| matches!(e, Effect::Network { method: m, url: u, .. } if method == m && url == u))
    }

    /// May exactly this file, address or application be opened?
    pub fn allow_open(&self, what: &Effect) -> bool {
        matches!(what, Effect::OpenFile { .. } | Effect::OpenAddress { .. } | Effect::OpenApp { .. })
            && self.0.contains(what)
    }

    /// May facts of this kind about the computer be read?
    pub fn allow_system(&self, what: &str) -> bool {
        self.0.iter().any(|e| matches!(e, Effect::ReadSystem { what: w } if w == what))
    }

    /// May exactly this be remembered?
    pub fn allow_remember(&self, text: &str) -> bool {
        self.0.iter().any(|e| matches!(e, Effect::Remember { text: t } if t == text))
    }

    /// May exactly these facts be forgotten?
    pub fn allow_forget(&self, facts: &[FactId]) -> bool {
        self.0.iter().any(|e| matches!(e, Effect::Forget { facts: f } if f == facts))
    }
}
