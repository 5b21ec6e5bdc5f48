use crate::app_slot::AppSlot;
use namma_protocol::{
    ApiError, ErrorCode, InstallLocalModel, InstallProgress, LocalKeeper, LocalModel, LocalModels, RemovedLocalModel,
};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::State;
use tauri::ipc::Channel;
use tokio::sync::oneshot;

/// The installations that the window began, by what was asked for: sending stops one. A window that
/// was loaded again may wait for the same one twice.
#[derive(Default)]
pub(crate) struct Installing(Mutex<HashMap<String, Vec<oneshot::Sender<()>>>>);

impl Installing {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<oneshot::Sender<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fires when that installation is to stop.
    fn begin(&self, name: &str) -> oneshot::Receiver<()> {
        let (stop, stopped) = oneshot::channel();
        self.lock().entry(name.to_owned()).or_default().push(stop);
        stopped
    }

    /// Forgets those that nobody waits for any more.
    fn tidy(&self) {
        self.lock().retain(|_, stops| {
            stops.retain(|stop| !stop.is_closed());
            !stops.is_empty()
        });
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
    let app = slot.app()?;
    let stopped = installing.begin(&name);
    // A window that is gone stops nothing: the model is wanted all the same.
    let tell = |progress| drop(channel.send(progress));
    let whole = async { app.local_install(request).await?.finish(tell).await };
    let done = tokio::select! {
        done = whole => done,
        Ok(()) = stopped => Err(ApiError::new(ErrorCode::Stopped, format!("installing {name} was stopped"))
            .hint("What has arrived is kept; installing it again goes on from there.")),
    };
    installing.tidy();
    done
}

/// Stops an installation. What has arrived is kept.
#[tauri::command(async)]
#[specta::specta]
pub(crate) fn local_install_stop(installing: State<'_, Installing>, model: String) -> Result<(), ApiError> {
    for stop in installing.lock().remove(&model).into_iter().flatten() {
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
    slot.app()?.local_use(&model).await.map(|_| ())
}
