use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, Draft, SessionId};
use tauri::State;

/// Keeps what is being written; no id is the chat that does not exist yet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn draft_save(
    slot: State<'_, AppSlot>,
    session_id: Option<SessionId>,
    draft: Draft,
) -> Result<(), ApiError> {
    slot.app()?.draft_save(session_id.as_ref(), &draft).await
}

/// What was being written.
#[tauri::command]
#[specta::specta]
pub(crate) async fn draft_get(slot: State<'_, AppSlot>, session_id: Option<SessionId>) -> Result<Draft, ApiError> {
    slot.app()?.draft_get(session_id.as_ref()).await
}
