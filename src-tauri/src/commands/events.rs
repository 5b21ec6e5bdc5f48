use crate::app_slot::AppSlot;
use crate::event_pump::EventPump;
use namma_protocol::{ApiError, AppEvent};
use tauri::State;
use tauri::ipc::Channel;

/// Everything that happens from now on; a later call takes the place of an earlier one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn events_subscribe(
    slot: State<'_, AppSlot>,
    pump: State<'_, EventPump>,
    channel: Channel<Vec<AppEvent>>,
) -> Result<(), ApiError> {
    pump.start(slot.app()?.subscribe(), move |batch| channel.send(batch).is_ok());
    Ok(())
}
