use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, ChooseModel, OpenSession, SearchHit, SessionId, SessionSummary, SessionView};
use tauri::State;

/// Every chat, the one used last first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_list(slot: State<'_, AppSlot>) -> Result<Vec<SessionSummary>, ApiError> {
    slot.app()?.session_list().await
}

/// A page of a chat, with the running turn as far as it got.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_open(slot: State<'_, AppSlot>, request: OpenSession) -> Result<SessionView, ApiError> {
    slot.app()?.session_open(request).await
}

/// Sets a chat to a model and a level of thinking.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_choose(slot: State<'_, AppSlot>, request: ChooseModel) -> Result<(), ApiError> {
    slot.app()?.session_choose(request).await
}

/// Gives a chat a title of the person's own.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_rename(
    slot: State<'_, AppSlot>,
    session_id: SessionId,
    title: String,
) -> Result<(), ApiError> {
    slot.app()?.session_rename(&session_id, &title).await
}

/// Deletes a chat; `session_restore` brings it back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_delete(slot: State<'_, AppSlot>, session_id: SessionId) -> Result<(), ApiError> {
    slot.app()?.session_delete(&session_id).await
}

/// Brings a deleted chat back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_restore(slot: State<'_, AppSlot>, session_id: SessionId) -> Result<(), ApiError> {
    slot.app()?.session_restore(&session_id).await
}

/// Finds messages by their words.
#[tauri::command]
#[specta::specta]
pub(crate) async fn session_search(
    slot: State<'_, AppSlot>,
    query: String,
    limit: u32,
) -> Result<Vec<SearchHit>, ApiError> {
    slot.app()?.session_search(&query, limit).await
}
