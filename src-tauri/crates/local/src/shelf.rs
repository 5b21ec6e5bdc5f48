//! The list of models that we can run, and the folder with those we downloaded.
//!
//! The list is one JSON file, replaced as a whole below a lock: the window and the command line may
//! change it at the same time. A list that cannot be read is never written over.

use crate::disk;
use crate::error::LocalError;
use crate::gguf::GgufFacts;
use namma_protocol::{LocalKeeper, LocalModel};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of models.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// A model that we can run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShelvedModel {
    pub name: String,
    pub title: String,
    pub path: PathBuf,
    /// We downloaded it, so we may delete it.
    pub is_ours: bool,
    pub bytes: u64,
    pub architecture: String,
    pub context_tokens: Option<u32>,
    pub has_chat_template: bool,
    /// What it was compared with: `None` means that nobody knows its checksum.
    pub sha256: Option<String>,
    /// Writes its conversations instead of its own template.
    pub chat_template: Option<PathBuf>,
    /// How many threads answer fastest.
    #[serde(default)]
    pub measured: Option<Measured>,
}

/// A trial of this file on a machine with so many cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    pub cores: u32,
    /// The file that was tried had this size.
    pub bytes: u64,
    pub threads: u32,
}

#[derive(Default, Serialize, Deserialize)]
struct List {
    models: Vec<ShelvedModel>,
}

impl Shelf {
    /// The shelf in that folder, which is made when it is first needed.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// All models, by name.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub fn models(&self) -> Result<Vec<ShelvedModel>, LocalError> {
        let path = self.list();
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(LocalError::disk("read", path, &error)),
        };
        let list: List = serde_json::from_slice(&text).map_err(|error| LocalError::Disk {
            what: "understand",
            path,
            cause: error.to_string(),
        })?;
        Ok(list.models)
    }

    /// The model of that name.
    ///
    /// # Errors
    /// When there is none, or the list cannot be read.
    pub fn find(&self, name: &str) -> Result<ShelvedModel, LocalError> {
        let found = self.models()?.into_iter().find(|model| model.name == name);
        found.ok_or_else(|| LocalError::NotFound { name: name.to_owned() })
    }

    /// Adds a model, or puts it in the place of the one with its name and file. Blocks until the list
    /// is on the disk.
    ///
    /// # Errors
    /// When another file has that name, or the list cannot be changed.
    pub fn put(&self, mut model: ShelvedModel) -> Result<(), LocalError> {
        self.change(|models| {
            if let Some(other) = models.iter().find(|other| other.name == model.name && other.path != model.path) {
                return Err(LocalError::NameTaken { name: model.name.clone(), path: other.path.clone() });
            }
            if let Some(at) = models.iter().position(|other| other.name == model.name) {
                // What was measured of a file stays true of it.
                let before = models.remove(at);
                model.measured = model.measured.or(before.measured);
            }
            models.push(model);
            models.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(())
        })
    }

    /// Notes how a model runs best. One that was removed in the meantime stays removed.
    pub(crate) fn note_measured(&self, name: &str, measured: Measured) -> Result<(), LocalError> {
        self.change(|models| {
            if let Some(model) = models.iter_mut().find(|model| model.name == name) {
                model.measured = Some(measured);
            }
            Ok(())
        })
    }

    /// Takes a model off the list, and deletes its file when we downloaded it. Answers what it was.
    /// Blocks as long as that takes.
    ///
    /// # Errors
    /// When there is none; when the file cannot be deleted, and then it stays on the list.
    pub fn remove(&self, name: &str) -> Result<ShelvedModel, LocalError> {
        let mut removed = None;
        self.change(|models| {
            let at = models.iter().position(|model| model.name == name);
            let at = at.ok_or_else(|| LocalError::NotFound { name: name.to_owned() })?;
            // Both must hold: what the list says, and where the file lies.
            if models[at].is_ours && models[at].path == self.file(name) {
                disk::delete(&models[at].path)?;
            }
            removed = Some(models.remove(at));
            Ok(())
        })?;
        removed.ok_or_else(|| LocalError::NotFound { name: name.to_owned() })
    }

    /// Reads the head of a file that the person has, for [`Shelf::put`]. Blocks for a moment.
    ///
    /// # Errors
    /// When the file is no model, or the name cannot be one.
    pub fn inspect(
        &self,
        path: &Path,
        name: Option<&str>,
        chat_template: Option<&Path>,
    ) -> Result<ShelvedModel, LocalError> {
        let absolute = std::path::absolute(path).map_err(|error| LocalError::disk("find", path, &error))?;
        let facts = GgufFacts::read(&absolute)?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => name_of(&absolute),
        };
        check_name(&name)?;
        let title = facts.name.clone().unwrap_or_else(|| name.clone());
        shelved(name, title, absolute, &facts).with_template(chat_template)
    }

    /// Where a download of that name lies.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.gguf"))
    }

    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.gguf.part"))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Holds a name while it is installed, against other programs; `None` when one of them holds it.
    pub(crate) fn hold(&self, name: &str) -> Result<Option<File>, LocalError> {
        disk::make_folder(&self.folder)?;
        let file = disk::lock_file(&self.folder.join(format!(".{name}.lock")))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(LocalError::disk("lock", &self.folder, &error)),
        }
    }

    fn list(&self) -> PathBuf {
        self.folder.join("models.json")
    }

    fn change(&self, change: impl FnOnce(&mut Vec<ShelvedModel>) -> Result<(), LocalError>) -> Result<(), LocalError> {
        disk::make_folder(&self.folder)?;
        let lock = disk::lock_file(&self.folder.join(".models.lock"))?;
        lock.lock().map_err(|error| LocalError::disk("lock", &self.folder, &error))?;
        let mut models = self.models()?;
        change(&mut models)?;
        let path = self.list();
        let text = serde_json::to_vec_pretty(&List { models }).map_err(|error| LocalError::Disk {
            what: "write",
            path: path.clone(),
            cause: error.to_string(),
        })?;
        disk::replace(&path, &text)
    }
}

impl ShelvedModel {
    /// As hosts are told of it.
    pub fn to_local_model(&self) -> LocalModel {
        LocalModel {
            name: self.name.clone(),
            title: self.title.clone(),
            keeper: LocalKeeper::Managed,
            bytes: Some(self.bytes),
            context_tokens: self.context_tokens,
            has_chat_template: Some(self.has_chat_template || self.chat_template.is_some()),
            path: Some(self.path.display().to_string()),
            is_ours: self.is_ours,
            is_in_use: false,
        }
    }

    /// Whether a server of one is a server of the other.
    pub(crate) fn is_served_like(&self, other: &Self) -> bool {
        (&self.name, &self.path, &self.chat_template) == (&other.name, &other.path, &other.chat_template)
    }

    /// The same with another template; the file must be readable.
    pub(crate) fn with_template(mut self, template: Option<&Path>) -> Result<Self, LocalError> {
        if let Some(template) = template {
            let unreadable = |_| LocalError::NoTemplate { path: template.to_owned() };
            let absolute = std::path::absolute(template).map_err(unreadable)?;
            std::fs::read_to_string(&absolute).map_err(unreadable)?;
            self.chat_template = Some(absolute);
        }
        Ok(self)
    }
}

pub(crate) fn shelved(name: String, title: String, path: PathBuf, facts: &GgufFacts) -> ShelvedModel {
    ShelvedModel {
        name,
        title,
        path,
        is_ours: false,
        bytes: facts.bytes,
        architecture: facts.architecture.clone(),
        context_tokens: facts.context_tokens,
        has_chat_template: facts.has_chat_template,
        sha256: None,
        chat_template: None,
        measured: None,
    }
}

/// It becomes the name of a file, and an argument of a program.
pub(crate) fn check_name(name: &str) -> Result<(), LocalError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_name = (1..=100).contains(&name.len()) && !name.starts_with(['.', '-']) && name.chars().all(fits);
    if is_name { Ok(()) } else { Err(LocalError::BadName { name: name.chars().take(100).collect() }) }
}

/// The name of a file without its end, with dashes for what a name cannot hold.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let plain: String = stem.chars().map(|c| if fits(c) { c } else { '-' }).take(100).collect();
    plain.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{check_name, name_of};
    use std::path::Path;

    #[test]
    fn the_name_of_a_file_becomes_a_name_that_is_allowed() {
        for (file, name) in [
            ("Qwen2.5-Coder 1.5B (Q4_K_M).gguf", "qwen2.5-coder-1.5b--q4_k_m"),
            ("/models/ಮಾದರಿ-1.gguf", "1"),
            ("a.gguf", "a"),
        ] {
            assert_eq!(name_of(Path::new(file)), name);
            assert_eq!(check_name(name), Ok(()));
        }
        for bad in ["", "../up", "-m", ".hidden", "a b", "ಮಾದರಿ"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
