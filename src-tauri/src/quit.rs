//! The ways out. Whatever asks for the end, every turn closes its books first.

use crate::app_slot::AppSlot;
use crate::event_pump::EventPump;
use crate::window;
use namma_protocol::AppEvent;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::{AppHandle, ExitRequestApi, Manager};

/// How far the end has come.
#[derive(Default)]
pub(crate) struct Ending {
    begun: AtomicBool,
    closed: AtomicBool,
}

/// Ends the program; while turns run, the page asks first and names them.
pub(crate) fn ask(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let running = running_chats(&handle).await;
        if !running.is_empty() && handle.state::<EventPump>().tell(AppEvent::QuitAsked { running }) {
            window::show(&handle);
        } else {
            handle.exit(0);
        }
    });
}

async fn running_chats(handle: &AppHandle) -> Vec<String> {
    let Ok(app) = handle.state::<AppSlot>().app() else { return Vec::new() };
    let sessions = app.session_list().await.unwrap_or_else(|error| {
        tracing::warn!(%error, "whether a turn runs is not known; quitting stops it in order");
        Vec::new()
    });
    sessions.into_iter().filter(|session| session.running).map(|session| session.title).collect()
}

/// Holds the end back until the core is closed.
pub(crate) fn on_exit(handle: &AppHandle, api: &ExitRequestApi, code: Option<i32>) {
    let ending = handle.state::<Ending>();
    if ending.closed.load(Ordering::SeqCst) {
        return;
    }
    api.prevent_exit();
    if ending.begun.swap(true, Ordering::SeqCst) {
        return;
    }
    window::hide(handle);
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        handle.state::<AppSlot>().close().await;
        handle.state::<Ending>().closed.store(true, Ordering::SeqCst);
        handle.exit(code.unwrap_or(0));
    });
}

/// The end of the session and Ctrl-C close the books as Quit does.
#[cfg(unix)]
pub(crate) fn on_signal(handle: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};
    tauri::async_runtime::spawn(async move {
        let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
            tracing::warn!("signals cannot be heard; ended from outside, turns are closed at the next start");
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        handle.exit(0);
    });
}

#[cfg(not(unix))]
pub(crate) fn on_signal(_: AppHandle) {}
