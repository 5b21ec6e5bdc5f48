//! Which files a search leaves out: what `.gitignore` and `.ignore` name.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use namma_core::gate::{DirEntry, EntryKind, Reading};
use std::path::Path;
use std::sync::Arc;

const MAX_RULE_BYTES: usize = 256 << 10;

/// The rules that hold in one folder: its own, then those of the folders above.
#[derive(Clone)]
pub(super) struct Rules {
    own: Arc<Gitignore>,
    above: Option<Arc<Rules>>,
}

impl Rules {
    /// The rules of `folder`, whose entries these are.
    pub(super) fn of(folder: &Path, entries: &[DirEntry], above: Option<&Arc<Rules>>, reading: &Reading) -> Arc<Self> {
        let mut builder = GitignoreBuilder::new(folder);
        // What is named later wins, as in ripgrep: `.ignore` over `.gitignore` over git's own list.
        for name in [".git/info/exclude", ".gitignore", ".ignore"] {
            let first = name.split('/').next().unwrap_or(name);
            if entries.iter().any(|entry| entry.path.ends_with(first)) {
                add(&mut builder, &folder.join(name), reading);
            }
        }
        let own = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Arc::new(Self { own: Arc::new(own), above: above.cloned() })
    }

    pub(super) fn leave_out(&self, entry: &DirEntry) -> bool {
        let is_folder = entry.kind == EntryKind::Folder;
        match self.own.matched(&entry.path, is_folder) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => self.above.as_ref().is_some_and(|above| above.leave_out(entry)),
        }
    }
}

fn add(builder: &mut GitignoreBuilder, path: &Path, reading: &Reading) {
    // No rules, or rules that cannot be read, leave nothing out.
    let Ok(file) = reading.read(path, MAX_RULE_BYTES) else { return };
    for line in String::from_utf8_lossy(&file.bytes).lines() {
        // A broken line is no rule, as for git.
        let _broken = builder.add_line(None, line);
    }
}
