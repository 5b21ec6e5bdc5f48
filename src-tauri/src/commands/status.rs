use crate::app_slot::AppSlot;
use crate::status;
use namma_protocol::{ApiError, Check};
use tauri::{AppHandle, State};

/// The report on the real state of things, the desktop included.
#[tauri::command]
#[specta::specta]
pub(crate) async fn status_checks(handle: AppHandle, slot: State<'_, AppSlot>) -> Result<Vec<Check>, ApiError> {
    let mut checks = slot.app()?.status_checks().await;
    checks.extend(status::checks(&handle));
    Ok(checks)
}
