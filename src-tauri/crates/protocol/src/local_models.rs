//! Models that run on this computer: what is there, what can be had, how far an installation is.

use serde::{Deserialize, Serialize};

/// Who keeps a model on this computer and runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LocalKeeper {
    /// A llama-server that the assistant starts and ends itself.
    Managed,
    Ollama,
    LmStudio,
}

/// A model that is on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LocalModel {
    pub name: String,
    pub title: String,
    pub keeper: LocalKeeper,
    /// `null` when its keeper does not say.
    #[specta(type = Option<i32>)]
    pub bytes: Option<u64>,
    /// The longest conversation it was trained for, in tokens.
    pub context_tokens: Option<u32>,
    /// Its file says how a conversation is written; without that it answers badly or not at all.
    pub has_chat_template: Option<bool>,
    /// The file, when the assistant runs it itself.
    pub path: Option<String>,
    /// The assistant downloaded the file, so removing the model deletes it.
    pub is_ours: bool,
    /// It is the one that answers.
    pub is_in_use: bool,
}

/// A model that can be installed by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OfferedModel {
    pub name: String,
    pub title: String,
    #[specta(type = i32)]
    pub bytes: u64,
    /// What it takes while it runs.
    #[specta(type = i32)]
    pub memory_bytes: u64,
    pub context_tokens: u32,
    pub licence: String,
    /// It calls tools with its own template.
    pub calls_tools: bool,
    /// The catalogue knows its checksum.
    pub has_checksum: bool,
    pub is_installed: bool,
}

/// An entry of the catalogue of models, as its file writes it. It never crosses to the window.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogueModel {
    /// Letters, digits, dots, dashes and underscores.
    pub name: String,
    pub title: String,
    /// The file, in GGUF.
    pub url: String,
    /// Of the file. Without it the server's own listing is used, or nothing but size and form.
    #[serde(default)]
    pub sha256: Option<String>,
    pub bytes: u64,
    pub context_tokens: u32,
    pub licence: String,
    /// What it takes while it runs.
    pub memory_bytes: u64,
    /// It calls tools with its own template.
    pub calls_tools: bool,
    /// Its name in the library of Ollama.
    #[serde(default)]
    pub ollama: Option<String>,
    /// Its name in the catalogue of LM Studio.
    #[serde(default)]
    pub lm_studio: Option<String>,
}

impl CatalogueModel {
    /// As hosts are told of it.
    pub fn offered(self, is_installed: bool) -> OfferedModel {
        OfferedModel {
            name: self.name,
            title: self.title,
            bytes: self.bytes,
            memory_bytes: self.memory_bytes,
            context_tokens: self.context_tokens,
            licence: self.licence,
            calls_tools: self.calls_tools,
            has_checksum: self.sha256.is_some(),
            is_installed,
        }
    }
}

/// What could run a model here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LocalWay {
    pub keeper: LocalKeeper,
    pub is_there: bool,
    /// Where it is, or what to do to have it.
    pub note: String,
}

/// Everything about models on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LocalModels {
    pub ways: Vec<LocalWay>,
    pub installed: Vec<LocalModel>,
    pub offered: Vec<OfferedModel>,
    /// The day the catalogue was made: "2026-11-30".
    pub catalogue_date: String,
}

/// A wish for a model on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct InstallLocalModel {
    /// A name of the catalogue, a name that the keeper knows, or the path of a GGUF file.
    pub model: String,
    /// `null`: whoever is there, Ollama before LM Studio before a server of our own.
    pub keeper: Option<LocalKeeper>,
    /// What to call it here; `null`: its name in the catalogue, or that of the file.
    pub name: Option<String>,
    /// A Jinja file that writes conversations for this model instead of its own template.
    pub chat_template: Option<String>,
}

/// How far an installation is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum InstallProgress {
    #[default]
    Starting,
    Downloading {
        #[specta(type = i32)]
        done_bytes: u64,
        #[specta(type = Option<i32>)]
        total_bytes: Option<u64>,
    },
    /// The whole file is read once more.
    Checking,
    /// It is tried how many threads answer fastest.
    Measuring { threads: u32 },
    /// It is installed, and could not be tried.
    NotTried { why: String },
}

/// What became of a model that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RemovedLocalModel {
    pub name: String,
    pub keeper: LocalKeeper,
    /// What was deleted for good; zero when the file was only taken off the list.
    #[specta(type = i32)]
    pub freed_bytes: u64,
    /// The file that stays, because the person brought it.
    pub kept_file: Option<String>,
    /// It was the one that answered: another one is to be chosen.
    pub was_in_use: bool,
}
