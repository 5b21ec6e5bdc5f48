//! The main window: how it looks before the page does, when it hides, and what may load in it.

use crate::app_slot::{AppSlot, Launch};
use crate::{notices, quit, rendering, tray};
use namma_config::{Config, ConfigHandle, Theme};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tauri::utils::config::Color;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Theme as Look, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};
use tauri_plugin_window_state::StateFlags;

const MAIN: &str = "main";
const SIZE: (f64, f64) = (1180.0, 780.0);
const SMALLEST: (f64, f64) = (720.0, 520.0);
/// `--canvas` of the two themes, so that nothing flashes before the page has painted.
const CANVAS_LIGHT: Color = Color(242, 242, 247, 255);
const CANVAS_DARK: Color = Color(14, 13, 26, 255);

/// Not whether it was visible: a window hidden in the tray comes back at the next start.
pub(crate) const REMEMBERED: StateFlags =
    StateFlags::SIZE.union(StateFlags::POSITION).union(StateFlags::MAXIMIZED).union(StateFlags::FULLSCREEN);

/// Makes the window, and shows it unless it was asked not to.
pub(crate) fn open(handle: &AppHandle, hidden: bool) -> tauri::Result<()> {
    let slot = handle.state::<AppSlot>();
    let config = slot.app().ok().map(|app| app.config().get()).or_else(|| slot.launch().first_look());
    rendering::note_attempt(slot.launch());
    let window = builder(handle, slot.launch(), config.as_deref()).build()?;
    if let Some(config) = &config {
        dress(&window, config);
    }
    clamp(&window)?;
    let start_hidden = hidden || config.is_some_and(|config| config.ui.start_hidden);
    // Hidden without a tray is not lost: a second start shows the window of the first.
    if !start_hidden || slot.app().is_err() {
        window.show()?;
    }
    Ok(())
}

fn builder<'a>(
    handle: &'a AppHandle,
    launch: &Launch,
    config: Option<&Config>,
) -> WebviewWindowBuilder<'a, tauri::Wry, AppHandle> {
    let name = config.map_or("Namma Agent", |config| &config.assistant.name);
    let builder = WebviewWindowBuilder::new(handle, MAIN, WebviewUrl::default())
        .title(name)
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(SMALLEST.0, SMALLEST.1)
        .prevent_overflow()
        .visible(false)
        .devtools(cfg!(debug_assertions))
        // The page takes what is dropped on it itself.
        .disable_drag_drop_handler()
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny);
    match &launch.paths {
        Ok(paths) => builder.data_directory(paths.data_dir().join("webview")),
        Err(_) => builder,
    }
}

/// The page never leaves itself: links open in the browser, through a command.
fn is_ours(url: &Url) -> bool {
    let development = cfg!(debug_assertions) && url.host_str() == Some("localhost") && url.port() == Some(5173);
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("tauri.localhost") || development,
        _ => false,
    }
}

fn dress(window: &WebviewWindow, config: &Config) {
    let theme = match config.ui.theme {
        Theme::System => None,
        Theme::Light => Some(Look::Light),
        Theme::Dark => Some(Look::Dark),
    };
    let dressed = window.set_title(&config.assistant.name).and_then(|()| window.set_theme(theme)).and_then(|()| {
        let look = theme.map_or_else(|| window.theme(), Ok)?;
        window.set_background_color(Some(if look == Look::Dark { CANVAS_DARK } else { CANVAS_LIGHT }))
    });
    if let Err(error) = dressed {
        tracing::warn!(%error, "the window keeps its old look");
    }
}

/// A size remembered from a larger screen is cut to this one.
fn clamp(window: &WebviewWindow) -> tauri::Result<()> {
    let Some(monitor) = window.current_monitor()?.or(window.primary_monitor()?) else { return Ok(()) };
    let (room, size) = (monitor.work_area().size, window.inner_size()?);
    if size.width > room.width || size.height > room.height {
        let fitting = tauri::PhysicalSize::new(size.width.min(room.width), size.height.min(room.height));
        window.set_size(fitting)?;
    }
    Ok(())
}

pub(crate) fn follow_settings(handle: AppHandle, config: ConfigHandle) {
    tauri::async_runtime::spawn(async move {
        let mut changes = config.subscribe();
        while changes.changed().await.is_ok() {
            let now = config.get();
            if let Some(window) = handle.get_webview_window(MAIN) {
                dress(&window, &now);
            }
            tray::rename(&handle, &now.assistant.name);
        }
    });
}

/// Closing hides the window while the tray can bring it back; without a tray it ends the program,
/// which would otherwise go on where nobody sees it.
pub(crate) fn on_event(window: &tauri::Window, event: &WindowEvent) {
    let handle = window.app_handle();
    let api = match event {
        WindowEvent::CloseRequested { api, .. } => api,
        WindowEvent::Focused(false) => return handle.state::<LastFocus>().note_loss(),
        _ => return,
    };
    api.prevent_close();
    let app = handle.state::<AppSlot>().app();
    let wanted = app.as_ref().is_ok_and(|app| app.config().get().ui.close_to_tray);
    if wanted && tray::is_shown(handle) {
        hide(handle);
        notices::tell_of_the_tray_once(handle.clone());
    } else {
        quit::ask(handle.clone());
    }
}

pub(crate) fn hide(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window(MAIN)
        && let Err(error) = window.hide()
    {
        tracing::warn!(%error, "the window could not be hidden");
    }
    // Nobody looks, so nobody waits.
    if let Ok(app) = handle.state::<AppSlot>().app() {
        tauri::async_runtime::spawn(async move { app.tidy().await });
    }
}

/// Brings the window to the front, from wherever it is.
pub(crate) fn show(handle: &AppHandle) {
    let Some(window) = handle.get_webview_window(MAIN) else { return };
    let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Shown and in front: hides it. Otherwise brings it to the front.
pub(crate) fn toggle(handle: &AppHandle) {
    let was_in_front = is_in_front(handle) || (is_visible(handle) && handle.state::<LastFocus>().lost_just_now());
    if was_in_front { hide(handle) } else { show(handle) }
}

/// When the window lost the focus: X takes it away for the moment in which a global key is down.
#[derive(Default)]
pub(crate) struct LastFocus(Mutex<Option<Instant>>);

impl LastFocus {
    fn note_loss(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn lost_just_now(&self) -> bool {
        const KEY_IS_DOWN: Duration = Duration::from_millis(300);
        let lost = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.is_some_and(|at| at.elapsed() < KEY_IS_DOWN)
    }
}

pub(crate) fn is_in_front(handle: &AppHandle) -> bool {
    let focused = handle.get_webview_window(MAIN).is_some_and(|window| window.is_focused().unwrap_or(false));
    focused && is_visible(handle)
}

fn is_visible(handle: &AppHandle) -> bool {
    handle.get_webview_window(MAIN).is_some_and(|window| window.is_visible().unwrap_or(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stays_on_its_own_page() {
        let allowed = |url: &str| is_ours(&Url::parse(url).unwrap());
        assert!(allowed("tauri://localhost/"));
        assert!(allowed("http://tauri.localhost/index.html"));
        for url in [
            "https://evil.example/",
            "http://localhost:8080/",
            "tauri://evil/",
            "https://tauri.localhost.evil.example/",
            "file:///etc/passwd",
            "data:text/html,hello",
            "about:blank",
            "javascript:alert(1)",
        ] {
            assert!(!allowed(url), "{url}");
        }
    }
}
