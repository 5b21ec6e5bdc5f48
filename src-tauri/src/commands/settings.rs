use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, SetSetting, SettingsView, UsageOfDay};
use tauri::State;

/// What the interface needs to know of the configuration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settings_get(slot: State<'_, AppSlot>) -> Result<SettingsView, ApiError> {
    Ok(slot.app()?.settings_get())
}

/// Changes one setting; it counts at once.
#[tauri::command(async)]
#[specta::specta]
pub(crate) fn settings_set(slot: State<'_, AppSlot>, request: SetSetting) -> Result<(), ApiError> {
    slot.app()?.settings_set(request)
}

/// Tokens and what they cost, by day and model, over the last `days` days.
#[tauri::command]
#[specta::specta]
pub(crate) async fn usage_by_day(slot: State<'_, AppSlot>, days: u32) -> Result<Vec<UsageOfDay>, ApiError> {
    slot.app()?.usage_by_day(days).await
}
