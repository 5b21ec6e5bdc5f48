//! Notifications of the desktop: few, and only while nobody looks at the window.

use crate::app_slot::AppSlot;
use crate::window;
use namma_app::Subscription;
use namma_protocol::{AppEvent, SessionId, TurnEvent};
use std::collections::HashSet;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;

/// What the store remembers once the person has been told.
const TOLD_OF_THE_TRAY: &str = "desktop.told_of_the_tray";

/// Tells when it is the person's turn and the window is not in front: once a chat, until they
/// answered.
pub(crate) fn follow(handle: AppHandle, mut subscription: Subscription) {
    tauri::async_runtime::spawn(async move {
        let mut told: HashSet<SessionId> = HashSet::new();
        while let Some(event) = subscription.next().await {
            let AppEvent::Turn { envelope } = event else { continue };
            match envelope.event {
                TurnEvent::ApprovalRequested { request }
                    if !window::is_in_front(&handle) && told.insert(envelope.session_id.clone()) =>
                {
                    notify(&handle, &format!("Your turn: {}", request.sentence));
                }
                TurnEvent::ApprovalResolved { .. } | TurnEvent::TurnFinished { .. } => {
                    told.remove(&envelope.session_id);
                }
                _ => {}
            }
        }
    });
}

/// The first time the window hides in the tray, the person is told where it went.
pub(crate) fn tell_of_the_tray_once(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let Ok(app) = handle.state::<AppSlot>().app() else { return };
        if !matches!(app.store().setting_get(TOLD_OF_THE_TRAY).await, Ok(None)) {
            return;
        }
        if let Err(error) = app.store().setting_set(TOLD_OF_THE_TRAY, &true.into()).await {
            tracing::warn!(%error, "what the person was told is not remembered");
        }
        notify(&handle, "Still here, in the tray. Quit from its menu.");
    });
}

fn notify(handle: &AppHandle, body: &str) {
    let name = handle.state::<AppSlot>().app().map(|app| app.config().get().assistant.name.clone());
    let title = name.unwrap_or_else(|_| "Namma Agent".into());
    if let Err(error) = handle.notification().builder().title(title).body(body).show() {
        tracing::warn!(%error, "the desktop shows no notifications");
    }
}
