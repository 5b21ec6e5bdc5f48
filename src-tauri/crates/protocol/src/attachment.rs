use serde::{Deserialize, Serialize};

/// A file the person attached, by its content: the SHA-256 of its bytes in hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct FileId(pub String);

impl FileId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A file that goes with a message. Its bytes are kept once, under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    pub file_id: FileId,
    /// As the person knows it.
    pub name: String,
    /// By its content: `image/png`, `text/plain`, `application/octet-stream`, …
    pub media_type: String,
    pub size_bytes: u32,
}

/// Keep a file, so that messages and drafts can name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AddAttachment {
    pub name: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// The content of a file that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AttachedFile {
    pub media_type: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// What stands in a composer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    pub text: String,
    pub attachments: Vec<Attachment>,
}

impl Draft {
    /// Nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.attachments.is_empty()
    }
}
