//! The desktop shell: a window, a tray icon and the commands of `namma-app`, nothing else.
//!
//! It takes no decision of its own: what may run, what is kept and what is shown belongs to the
//! core and to the page. To add a command, see `commands.rs`.

mod app_slot;
mod commands;
mod event_pump;
mod hotkey;
mod log;
mod notices;
mod quit;
mod rendering;
mod status;
mod tray;
mod window;

use app_slot::{AppSlot, Launch};
use event_pump::EventPump;
use std::process::ExitCode;
use tauri::{AppHandle, Manager, RunEvent};

/// Opens the window and stays until the person quits.
pub fn run(hidden: bool) -> ExitCode {
    let launch = Launch::of_this_process();
    log::start(&launch);
    rendering::start_safely_after_a_blank_window(&launch);
    match build(launch, hidden) {
        Ok(app) => {
            app.run(|handle, event| {
                if let RunEvent::ExitRequested { api, code, .. } = event {
                    quit::on_exit(handle, &api, code);
                }
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            ExitCode::FAILURE
        }
    }
}

fn build(launch: Launch, hidden: bool) -> tauri::Result<tauri::App> {
    let commands = commands::builder();
    let only_one = tauri_plugin_single_instance::Builder::new()
        .dbus_id(launch.bus_name())
        .callback(|app, _arguments, _cwd| window::show(app))
        .build();
    let states = tauri_plugin_window_state::Builder::new()
        .with_filename(launch.window_state_file())
        .with_state_flags(window::REMEMBERED)
        .build();
    tauri::Builder::default()
        .plugin(only_one)
        .plugin(states)
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .manage(AppSlot::new(launch))
        .manage(EventPump::default())
        .manage(commands::local_models::Installing::default())
        .manage(hotkey::Hotkey::default())
        .manage(tray::Tray::default())
        .manage(window::LastFocus::default())
        .manage(quit::Ending::default())
        .invoke_handler(commands.invoke_handler())
        .on_window_event(window::on_event)
        .setup(move |app| Ok(set_up(app.handle(), hidden)?))
        .build(tauri::generate_context!())
}

fn set_up(handle: &AppHandle, hidden: bool) -> tauri::Result<()> {
    quit::on_signal(handle.clone());
    // What a desktop lacks is a line in the report on the real state, never a reason not to start.
    status::add_plugins(handle);
    tray::put_up(handle);
    let slot = handle.state::<AppSlot>();
    let opened = tauri::async_runtime::block_on(slot.open());
    window::open(handle, hidden)?;
    if let Ok(app) = opened {
        follow(handle, &app);
    }
    Ok(())
}

/// From now on the shell does what the settings and the running turns say.
pub(crate) fn follow(handle: &AppHandle, app: &namma_app::App) {
    hotkey::follow_settings(handle.clone(), app.config().clone());
    window::follow_settings(handle.clone(), app.config().clone());
    notices::follow(handle.clone(), app.subscribe());
}
