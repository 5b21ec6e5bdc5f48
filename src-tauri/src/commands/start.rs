use crate::app_slot::AppSlot;
use crate::{follow, rendering};
use namma_protocol::{ApiError, StartState};
use tauri::{AppHandle, State};

/// Whether the core is there; the page asks this before anything else.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_state(slot: State<'_, AppSlot>) -> Result<StartState, ApiError> {
    rendering::note_success(slot.launch());
    Ok(slot.state())
}

/// Tries to open the core once more.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_again(handle: AppHandle, slot: State<'_, AppSlot>) -> Result<StartState, ApiError> {
    if slot.app().is_err()
        && let Ok(app) = slot.open().await
    {
        follow(&handle, &app);
    }
    Ok(slot.state())
}

/// Ends the program; running turns are stopped in order.
#[tauri::command]
#[specta::specta]
pub(crate) async fn app_quit(handle: AppHandle) -> Result<(), ApiError> {
    handle.exit(0);
    Ok(())
}
