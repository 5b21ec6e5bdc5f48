use crate::FactId;
use serde::{Deserialize, Serialize};

/// What one call would do to the world. Paths are absolute with symbolic links resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Reads a file or folder (and, for a folder, what is below it).
    ReadFile { path: String },
    /// Creates or changes a file or folder.
    WriteFile { path: String },
    /// Moves a file or folder.
    MoveFile { from: String, to: String },
    /// Moves a file or folder to the trash, or deletes it for ever.
    DeleteFile { path: String, for_ever: bool },
    /// Runs a command of the shell.
    RunCommand { command: String, cwd: String },
    /// Sends a request to a host.
    Network { method: String, url: String, host: String },
    /// Reads facts about this computer.
    ReadSystem { what: String },
    /// Opens a file or folder with the program that the desktop has for it.
    OpenFile { path: String },
    /// Opens the page of a host in the browser, or begins a mail to somebody.
    OpenAddress { url: String, host: String },
    /// Starts an application of the desktop: `command` is that of its entry.
    OpenApp { id: String, name: String, command: Vec<String> },
    /// Keeps a fact for later chats.
    Remember { text: String },
    /// Removes kept facts for good.
    Forget { facts: Vec<FactId> },
    /// Anything whose effects we cannot know. Always asks.
    Opaque { source: String },
}
