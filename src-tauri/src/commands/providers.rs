use crate::app_slot::AppSlot;
use namma_protocol::{ApiError, ConfigureProvider, FoundProvider, ProviderStatus};
use tauri::State;

/// What the assistant would answer with. Asks nobody.
#[tauri::command]
#[specta::specta]
pub(crate) async fn provider_status(slot: State<'_, AppSlot>) -> Result<ProviderStatus, ApiError> {
    Ok(slot.app()?.provider_status().await)
}

/// Model servers on this computer, and keys in the environment.
#[tauri::command]
#[specta::specta]
pub(crate) async fn provider_discover(slot: State<'_, AppSlot>) -> Result<Vec<FoundProvider>, ApiError> {
    Ok(slot.app()?.provider_discover().await)
}

/// Tries a choice of brain, and keeps it when it works.
#[tauri::command]
#[specta::specta]
pub(crate) async fn provider_configure(
    slot: State<'_, AppSlot>,
    request: ConfigureProvider,
) -> Result<ProviderStatus, ApiError> {
    slot.app()?.provider_configure(request).await
}
