use crate::tool::{Effects, ToolFailure};
use std::path::{Path, PathBuf};

/// Declared files and folders.
pub struct Files<'a> {
    effects: &'a Effects,
}

impl<'a> Files<'a> {
    pub(crate) fn new(effects: &'a Effects) -> Self {
        Self { effects }
    }
}

/// Declared files and folders, for reading only.
pub struct FilesToRead<'a> {
    effects: &'a Effects,
}

impl<'a> FilesToRead<'a> {
    pub(crate) fn new(effects: &'a Effects) -> Self {
        Self { effects }
    }
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    pub path: PathBuf,
    pub kind: EntryKind,
    pub size_bytes: u64,
    pub modified: Option<namma_protocol::UnixMs>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Link,
    Other,
}
