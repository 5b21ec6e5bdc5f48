use crate::app_slot::AppSlot;
use namma_protocol::{AddAttachment, ApiError, AttachedFile, Attachment, FileId};
use tauri::State;

/// Keeps a file, so that a message or a draft can name it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn attachment_add(slot: State<'_, AppSlot>, request: AddAttachment) -> Result<Attachment, ApiError> {
    slot.app()?.attachment_add(request).await
}

/// The content of a file that was kept.
#[tauri::command]
#[specta::specta]
pub(crate) async fn attachment_get(slot: State<'_, AppSlot>, file_id: FileId) -> Result<AttachedFile, ApiError> {
    slot.app()?.attachment_get(&file_id).await
}
