use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, QueuedId, SessionId};
use tauri::State;

/// Takes a waiting message out.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_remove(slot: State<'_, AppSlot>, queued_id: QueuedId) -> Result<(), ApiError> {
    slot.app()?.queue_remove(&queued_id).await
}

/// Sends a waiting message to the running turn.
#[tauri::command]
#[specta::specta]
pub(crate) async fn queue_send_now(
    slot: State<'_, AppSlot>,
    session_id: SessionId,
    queued_id: QueuedId,
) -> Result<(), ApiError> {
    slot.app()?.queue_send_now(&session_id, &queued_id).await
}
