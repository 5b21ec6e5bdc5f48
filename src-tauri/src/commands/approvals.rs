use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, ResolveApproval};
use tauri::State;

/// The person's answer to a question; it counts only for exactly what they saw.
#[tauri::command]
#[specta::specta]
pub(crate) async fn approval_resolve(slot: State<'_, AppSlot>, request: ResolveApproval) -> Result<(), ApiError> {
    slot.app()?.approval_resolve(request)
}
