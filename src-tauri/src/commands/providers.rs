use crate::app_slot::AppSlot;
use namma_protocol::{
    ApiError, ConfigureProvider, ConnectionTest, ConnectionView, FoundProvider, ModelList, ProviderStatus,
};
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

/// Every place where models answer, in order.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connections_list(slot: State<'_, AppSlot>) -> Result<Vec<ConnectionView>, ApiError> {
    Ok(slot.app()?.connections_list())
}

/// Puts the connections into this order; the first one answers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connections_order(slot: State<'_, AppSlot>, names: Vec<String>) -> Result<(), ApiError> {
    slot.app()?.connections_order(&names)
}

/// Whether a connection takes over when those before it do not answer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_fallback(
    slot: State<'_, AppSlot>,
    name: String,
    fallback: bool,
) -> Result<(), ApiError> {
    slot.app()?.connection_fallback(&name, fallback)
}

/// Takes a connection out, and its key out of the vault.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_remove(slot: State<'_, AppSlot>, name: String) -> Result<(), ApiError> {
    slot.app()?.connection_remove(&name).await
}

/// Asks a connection for one word, and says what exactly is the matter.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_test(slot: State<'_, AppSlot>, name: String) -> Result<ConnectionTest, ApiError> {
    slot.app()?.connection_test(&name).await
}

/// The models that a connection offers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_models(slot: State<'_, AppSlot>, name: String) -> Result<ModelList, ApiError> {
    slot.app()?.connection_models(&name).await
}
