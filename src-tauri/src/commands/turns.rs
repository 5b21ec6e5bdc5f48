use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, EventsSince, SendMessage, SendReceipt, SessionId};
use tauri::State;

/// Takes a message. When this answers, the message is stored.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_send(slot: State<'_, AppSlot>, request: SendMessage) -> Result<SendReceipt, ApiError> {
    slot.app()?.turn_send(request).await
}

/// Stops the running turn and waits until its books are closed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_cancel(slot: State<'_, AppSlot>, session_id: SessionId) -> Result<(), ApiError> {
    slot.app()?.turn_cancel(&session_id).await
}

/// Asks the last question again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_retry(slot: State<'_, AppSlot>, session_id: SessionId) -> Result<SendReceipt, ApiError> {
    slot.app()?.turn_retry(&session_id).await
}

/// The live events of a chat after a number.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_events_since(
    slot: State<'_, AppSlot>,
    session_id: SessionId,
    seq: u32,
) -> Result<EventsSince, ApiError> {
    Ok(slot.app()?.turn_events_since(&session_id, seq))
}
