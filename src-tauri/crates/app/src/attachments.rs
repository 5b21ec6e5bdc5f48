//! Files that the person attaches: kept before the message that names them.

use crate::builder::App;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use namma_core::attached::{MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, clean_name, media_type, size};
use namma_protocol::{AddAttachment, ApiError, AttachedFile, Attachment, ErrorCode, FileId};
use std::io::{ErrorKind, Read};
use std::path::Path;

impl App {
    /// Keeps a file whose bytes are given.
    pub async fn attachment_add(&self, request: AddAttachment) -> Result<Attachment, ApiError> {
        let name = clean_name(&request.name);
        // Looked at first: decoding needs memory.
        let about = request.base64.len() / 4 * 3;
        if about > MAX_FILE_BYTES + 2 {
            return Err(too_large(&name, about));
        }
        let bytes = STANDARD.decode(&request.base64).map_err(|_| {
            ApiError::new(ErrorCode::InvalidInput, format!("the content of `{name}` arrived damaged"))
                .hint("Attach it again.")
        })?;
        self.keep_attachment(name, &bytes).await
    }

    /// Keeps a file of this computer, for hosts that are given a path by the person.
    pub async fn attachment_add_file(&self, path: &Path) -> Result<Attachment, ApiError> {
        let owned = path.to_owned();
        let read = tokio::task::spawn_blocking(move || read_file(&owned)).await;
        let bytes = read.map_err(|_| ApiError::new(ErrorCode::Internal, "the file was not read"))??;
        self.keep_attachment(clean_name(&path.to_string_lossy()), &bytes).await
    }

    /// Keeps what came from somewhere else than a file, such as a pipe.
    pub async fn attachment_add_bytes(&self, name: &str, bytes: &[u8]) -> Result<Attachment, ApiError> {
        self.keep_attachment(clean_name(name), bytes).await
    }

    /// The content of a file that was kept.
    pub async fn attachment_get(&self, file: &FileId) -> Result<AttachedFile, ApiError> {
        let facts = self.inner.store.file_facts(file).await.map_err(|error| error.to_api_error())?;
        let bytes = self.inner.store.file_bytes(file).await.map_err(|error| error.to_api_error())?;
        let (Some(facts), Some(bytes)) = (facts, bytes) else { return Err(not_kept("this file")) };
        Ok(AttachedFile { media_type: facts.media_type, base64: STANDARD.encode(bytes) })
    }

    async fn keep_attachment(&self, name: String, bytes: &[u8]) -> Result<Attachment, ApiError> {
        if bytes.is_empty() {
            return Err(ApiError::new(ErrorCode::InvalidInput, format!("`{name}` is empty"))
                .hint("Save it once more, then attach it again."));
        }
        if bytes.len() > MAX_FILE_BYTES {
            return Err(too_large(&name, bytes.len()));
        }
        let media_type = media_type(bytes);
        let file_id = self.inner.store.file_keep(bytes, media_type).await.map_err(|error| error.to_api_error())?;
        let size_bytes = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        Ok(Attachment { file_id, name, media_type: media_type.to_owned(), size_bytes })
    }

    /// What a message may name: files that are kept, not too many, not too much. What they are is
    /// taken from the store and not from the request.
    pub(crate) async fn checked(&self, attachments: Vec<Attachment>) -> Result<Vec<Attachment>, ApiError> {
        if attachments.len() > MAX_FILES {
            let message = format!("a message may have {MAX_FILES} files, and this one has {}", attachments.len());
            return Err(
                ApiError::new(ErrorCode::InvalidInput, message).hint("Send some of them with the next message.")
            );
        }
        let mut checked = Vec::with_capacity(attachments.len());
        for Attachment { file_id, name, .. } in attachments {
            let name = clean_name(&name);
            let facts = self.inner.store.file_facts(&file_id).await.map_err(|error| error.to_api_error())?;
            let facts = facts.ok_or_else(|| not_kept(&format!("`{name}`")))?;
            checked.push(Attachment { file_id, name, media_type: facts.media_type, size_bytes: facts.size_bytes });
        }
        let total = checked.iter().map(|attachment| attachment.size_bytes as usize).sum::<usize>();
        if total > MAX_TOTAL_BYTES {
            let message = format!(
                "the files of a message may have {} together, and these have {}",
                size(MAX_TOTAL_BYTES),
                size(total)
            );
            return Err(
                ApiError::new(ErrorCode::InvalidInput, message).hint("Send some of them with the next message.")
            );
        }
        Ok(checked)
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, ApiError> {
    let shown = path.display();
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => ApiError::new(ErrorCode::NotFound, format!("there is no file `{shown}`"))
            .hint("Look at the path; the file may have been moved."),
        _ => ApiError::new(ErrorCode::InvalidInput, format!("could not read `{shown}`: {error}"))
            .hint("Make it readable for you, then attach it again."),
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    // Opening a pipe or a device may wait for ever.
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "is a folder" } else { "is no ordinary file" };
        return Err(ApiError::new(ErrorCode::InvalidInput, format!("`{shown}` {what}"))
            .hint("Attach files one by one; about a folder, ask with its path in the question."));
    }
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    if length > MAX_FILE_BYTES {
        return Err(too_large(&clean_name(&path.to_string_lossy()), length));
    }
    let mut bytes = Vec::with_capacity(length);
    // One more byte tells that it has grown meanwhile.
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn too_large(name: &str, bytes: usize) -> ApiError {
    let message = format!("`{name}` has {}, and a file may have {} at most", size(bytes), size(MAX_FILE_BYTES));
    ApiError::new(ErrorCode::InvalidInput, message).hint("Attach a smaller one, or ask about it with its path.")
}

fn not_kept(what: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("{what} is no longer kept")).hint("Attach it again.")
}
