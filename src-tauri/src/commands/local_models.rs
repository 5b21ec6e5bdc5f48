use crate::app_slot::AppSlot;
use namma_protocol::{
    ApiError, ErrorCode, InstallLocalModel, InstallProgress, LocalKeeper, LocalModel, LocalModels, RemovedLocalModel,
};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::State;
use tauri::ipc::Channel;
use tokio::sync::oneshot;

/// The installations that the window began, by what was asked for: sending stops one.
#[derive(Default)]
pub(crate) struct Installing(Mutex<HashMap<String, oneshot::Sender<()>>>);

impl Installing {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything about models on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn local_models(slot: State<'_, AppSlot>) -> Result<LocalModels, ApiError> {
    slot.app()?.local_models().await
}

/// Brings a model here, and says how far it is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn local_install(
    slot: State<'_, AppSlot>,
    installing: State<'_, Installing>,
    request: InstallLocalModel,
    channel: Channel<InstallProgress>,
) -> Result<LocalModel, ApiError> {
    let name = request.model.clone();
    let install = slot.app()?.local_install(request).await?;
    let (stop, stopped) = oneshot::channel();
    installing.lock().insert(name.clone(), stop);
    // A window that is gone stops nothing: the model is wanted all the same.
    let tell = |progress| drop(channel.send(progress));
    let done = tokio::select! {
        done = install.finish(tell) => done,
        Ok(()) = stopped => Err(ApiError::new(ErrorCode::InvalidInput, format!("installing {name} was stopped"))
            .hint("What has arrived is kept; installing it again goes on from there.")),
    };
    installing.lock().remove(&name);
    done
}

/// Stops an installation. What has arrived is kept.
#[tauri::command(async)]
#[specta::specta]
pub(crate) fn local_install_stop(installing: State<'_, Installing>, model: String) -> Result<(), ApiError> {
    if let Some(stop) = installing.lock().remove(&model) {
        // It may have ended at this moment.
        let _ = stop.send(());
    }
    Ok(())
}

/// Removes a model: a file that we downloaded is deleted, one that the person brought stays.
#[tauri::command]
#[specta::specta]
pub(crate) async fn local_remove(
    slot: State<'_, AppSlot>,
    name: String,
    keeper: Option<LocalKeeper>,
) -> Result<RemovedLocalModel, ApiError> {
    slot.app()?.local_remove(&name, keeper).await
}

/// Makes that model the one that answers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn local_use(slot: State<'_, AppSlot>, model: LocalModel) -> Result<(), ApiError> {
    slot.app()?.local_use(&model).map(|_| ())
}
