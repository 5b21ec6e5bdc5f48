//! The tray icon and its menu. A desktop without a tray is normal: then the icon is missing, the
//! report on the real state says so, and closing the window quits.

use crate::{quit, window};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use tauri::menu::{CheckMenuItem, Menu, MenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_autostart::ManagerExt;

const ID: &str = "main";

/// The icon, once it is up.
#[derive(Default)]
pub(crate) struct Tray(Mutex<Option<Items>>);

struct Items {
    open: MenuItem<Wry>,
    login: CheckMenuItem<Wry>,
}

pub(crate) fn put_up(handle: &AppHandle) {
    // The library of the tray is loaded at run time and panics where it is not installed.
    let built = catch_unwind(AssertUnwindSafe(|| build(handle)));
    match built {
        Ok(Ok(items)) => *handle.state::<Tray>().0.lock().unwrap_or_else(PoisonError::into_inner) = Some(items),
        Ok(Err(error)) => tracing::warn!(%error, "there is no tray icon"),
        Err(_) => tracing::warn!("there is no tray icon: its library is not installed"),
    }
}

fn build(handle: &AppHandle) -> tauri::Result<Items> {
    let open = MenuItem::with_id(handle, "open", "Open", true, None::<&str>)?;
    let login = CheckMenuItem::with_id(handle, "login", "Start at login", true, starts_at_login(handle), None::<&str>)?;
    let quit = MenuItem::with_id(handle, "quit", "Quit", true, None::<&str>)?;
    let menu = Menu::with_items(handle, &[&open, &login, &quit])?;
    let builder = TrayIconBuilder::with_id(ID).menu(&menu).title("Namma Agent").on_menu_event(|handle, event| {
        match event.id().as_ref() {
            "open" => window::show(handle),
            "login" => toggle_login(handle),
            "quit" => quit::ask(handle.clone()),
            _ => {}
        }
    });
    match handle.default_window_icon() {
        Some(icon) => builder.icon(icon.clone()).build(handle)?,
        None => builder.build(handle)?,
    };
    Ok(Items { open, login })
}

/// The icon is up and somebody shows it.
pub(crate) fn is_shown(handle: &AppHandle) -> bool {
    handle.tray_by_id(ID).is_some() && has_host()
}

pub(crate) fn is_up(handle: &AppHandle) -> bool {
    handle.tray_by_id(ID).is_some()
}

/// The assistant's name, in its menu.
pub(crate) fn rename(handle: &AppHandle, name: &str) {
    let tray = handle.state::<Tray>();
    let items = tray.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(items) = items.as_ref()
        && let Err(error) = items.open.set_text(format!("Open {name}"))
    {
        tracing::warn!(%error, "the tray menu keeps the old name");
    }
}

pub(crate) fn starts_at_login(handle: &AppHandle) -> bool {
    let asked = handle.try_state::<tauri_plugin_autostart::AutoLaunchManager>().map(|start| start.is_enabled());
    matches!(asked, Some(Ok(true)))
}

fn toggle_login(handle: &AppHandle) {
    if handle.try_state::<tauri_plugin_autostart::AutoLaunchManager>().is_none() {
        return;
    }
    let start = handle.autolaunch();
    let changed = if starts_at_login(handle) { start.disable() } else { start.enable() };
    if let Err(error) = changed {
        tracing::warn!(%error, "start at login could not be changed");
    }
    let tray = handle.state::<Tray>();
    let items = tray.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(items) = items.as_ref()
        && let Err(error) = items.login.set_checked(starts_at_login(handle))
    {
        tracing::warn!(%error, "the tray menu shows the old state");
    }
}

/// Whether the desktop shows tray icons. Asked each time: panels come and go.
#[cfg(target_os = "linux")]
fn has_host() -> bool {
    use gio::glib::prelude::ToVariant;
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    const PATIENCE_MS: i32 = 500;
    let Ok(bus) = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE) else { return false };
    let asked = (WATCHER, "IsStatusNotifierHostRegistered").to_variant();
    let answer = bus.call_sync(
        Some(WATCHER),
        "/StatusNotifierWatcher",
        "org.freedesktop.DBus.Properties",
        "Get",
        Some(&asked),
        None,
        gio::DBusCallFlags::NO_AUTO_START,
        PATIENCE_MS,
        gio::Cancellable::NONE,
    );
    answer.ok().and_then(|answer| answer.child_value(0).as_variant()?.get::<bool>()).unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn has_host() -> bool {
    true
}
