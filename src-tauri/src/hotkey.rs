//! The keys that bring the window to the front from anywhere.

use crate::window;
use namma_config::ConfigHandle;
use std::sync::{Mutex, PoisonError};
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_global_shortcut::{GlobalShortcut, GlobalShortcutExt, ShortcutState};

/// What became of the keys in the settings.
#[derive(Default)]
pub(crate) struct Hotkey(Mutex<Registered>);

#[derive(Clone, Default)]
pub(crate) enum Registered {
    /// The person wants none.
    #[default]
    Off,
    Works(String),
    Failed {
        keys: String,
        reason: String,
    },
}

impl Hotkey {
    pub(crate) fn now(&self) -> Registered {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, registered: Registered) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = registered;
    }
}

pub(crate) fn follow_settings(handle: AppHandle, config: ConfigHandle) {
    let mut wanted = config.get().desktop.hotkey.clone();
    register(&handle, wanted.as_deref());
    tauri::async_runtime::spawn(async move {
        let mut changes = config.subscribe();
        while changes.changed().await.is_ok() {
            let now = config.get().desktop.hotkey.clone();
            if now != wanted {
                register(&handle, now.as_deref());
                wanted = now;
            }
        }
    });
}

fn register(handle: &AppHandle, keys: Option<&str>) {
    let registered = match keys {
        None => unregister(handle).map(|()| Registered::Off),
        Some(keys) => unregister(handle).and_then(|()| take(handle, keys)),
    };
    let registered = registered.unwrap_or_else(|reason| {
        tracing::warn!(reason, "the hotkey does not work");
        Registered::Failed { keys: keys.unwrap_or_default().into(), reason }
    });
    handle.state::<Hotkey>().note(registered);
}

fn unregister(handle: &AppHandle) -> Result<(), String> {
    if handle.try_state::<GlobalShortcut<Wry>>().is_none() {
        return Err("this desktop offers no global keys".into());
    }
    handle.global_shortcut().unregister_all().map_err(|error| error.to_string())
}

fn take(handle: &AppHandle, keys: &str) -> Result<Registered, String> {
    let pressed = |handle: &AppHandle, _: &_, event: tauri_plugin_global_shortcut::ShortcutEvent| {
        if event.state == ShortcutState::Pressed {
            window::toggle(handle);
        }
    };
    handle.global_shortcut().on_shortcut(keys, pressed).map_err(|error| error.to_string())?;
    Ok(Registered::Works(keys.to_owned()))
}
