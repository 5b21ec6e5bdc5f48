//! What the desktop offers, as it really is.

use crate::hotkey::{Hotkey, Registered};
use crate::{rendering, tray};
use namma_protocol::{Check, CheckState};
use tauri::{AppHandle, Manager};

/// Plugins that may be missing on this desktop.
pub(crate) fn add_plugins(handle: &AppHandle) {
    let login = tauri_plugin_autostart::Builder::new().app_name("Namma Agent").arg("--hidden").build();
    if let Err(error) = handle.plugin(login) {
        tracing::warn!(%error, "start at login is not to be had");
    }
    if let Err(error) = handle.plugin(tauri_plugin_global_shortcut::Builder::new().build()) {
        tracing::warn!(%error, "global keys are not to be had");
    }
}

/// The lines of the report that only the shell can write.
pub(crate) fn checks(handle: &AppHandle) -> Vec<Check> {
    vec![check_tray(handle), check_hotkey(handle), check_display(handle), check_login(handle)]
}

fn check_tray(handle: &AppHandle) -> Check {
    if tray::is_shown(handle) {
        return check("tray", CheckState::Ok, "the icon is in the tray", None);
    }
    let (detail, fix) = if tray::is_up(handle) {
        ("this desktop shows no tray icons", "Closing the window quits. On GNOME, install the extension AppIndicator.")
    } else {
        ("the tray library is missing", "Install it: `sudo apt install libayatana-appindicator3-1`.")
    };
    check("tray", CheckState::Degraded, detail, Some(fix))
}

fn check_hotkey(handle: &AppHandle) -> Check {
    match handle.state::<Hotkey>().now() {
        Registered::Off => check("hotkey", CheckState::Ok, "no hotkey is set", None),
        Registered::Works(keys) => check("hotkey", CheckState::Ok, &keys, None),
        Registered::Failed { keys, reason } => check(
            "hotkey",
            CheckState::Degraded,
            &format!("{keys} does not work: {reason}"),
            Some(
                "Choose other keys in the setting `desktop.hotkey`, or bind `namma-desktop` in your desktop's own settings.",
            ),
        ),
    }
}

fn check_display(handle: &AppHandle) -> Check {
    let monitors = handle.available_monitors().unwrap_or_default();
    let sizes: Vec<String> = monitors
        .iter()
        .map(|monitor| {
            format!(
                "{}×{} at {} %",
                monitor.size().width,
                monitor.size().height,
                (monitor.scale_factor() * 100.0).round()
            )
        })
        .collect();
    let drawing = if rendering::is_safe() { ", drawn in the safe way" } else { "" };
    match sizes.as_slice() {
        [] => check("display", CheckState::Unknown, "no monitor is reported", None),
        sizes => check("display", CheckState::Ok, &format!("{}{drawing}", sizes.join(", ")), None),
    }
}

fn check_login(handle: &AppHandle) -> Check {
    let detail = if tray::starts_at_login(handle) { "starts at login" } else { "does not start at login" };
    check("autostart", CheckState::Ok, detail, None)
}

fn check(name: &str, state: CheckState, detail: &str, fix: Option<&str>) -> Check {
    Check { name: name.into(), state, detail: detail.into(), fix: fix.map(Into::into) }
}
