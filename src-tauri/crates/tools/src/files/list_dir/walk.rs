//! What a folder holds, with or without what is below it, on a blocking thread.

use crate::words;
use namma_core::gate::{DirEntry, EntryKind, Reading};
use namma_core::tool::ToolFailure;
use std::path::Path;

/// More entries than this are not gathered.
const MAX_GATHERED: usize = 300_000;

/// Entries, and what was left out of them.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) entries: Vec<DirEntry>,
    /// How many names with a dot in front were left out.
    pub(super) dotted: usize,
    /// Why there may be more.
    pub(super) notes: Vec<String>,
}

/// Lists `root` and, with `below`, its subfolders. Links are entries and never followed.
pub(super) fn gather(root: &Path, below: bool, hidden: bool, reading: &Reading) -> Result<Gathered, ToolFailure> {
    let mut gathered = Gathered::default();
    take(reading.list(root)?, hidden, &mut gathered);
    let mut next = 0;
    let mut unread = 0_usize;
    while below && next < gathered.entries.len() {
        if reading.is_over() || gathered.entries.len() > MAX_GATHERED {
            gathered.notes.push("not everything was looked at; name a smaller folder".into());
            break;
        }
        let entry = &gathered.entries[next];
        next += 1;
        if entry.kind != EntryKind::Folder {
            continue;
        }
        match reading.list(&entry.path) {
            Ok(entries) => take(entries, hidden, &mut gathered),
            Err(_) => unread += 1,
        }
    }
    if unread > 0 {
        gathered.notes.push(format!("{} could not be read", words::count(unread, "folder")));
    }
    Ok(gathered)
}

fn take(mut entries: Vec<DirEntry>, hidden: bool, gathered: &mut Gathered) {
    if !hidden {
        let all = entries.len();
        let is_dotted =
            |entry: &DirEntry| entry.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        entries.retain(|entry| !is_dotted(entry));
        gathered.dotted += all - entries.len();
    }
    gathered.entries.append(&mut entries);
}
