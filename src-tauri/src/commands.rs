//! The commands of the window: one function per request, one file per area, three lines each:
//! check, call the core, convert.
//!
//! To add one: the function in the file of its area, a line in [`builder`], a line in `names.rs`
//! and a line in `capabilities/main.json`; the tests below say which of them is missing. Then
//! `UPDATE_BINDINGS=1 cargo test --workspace the_typescript` writes the TypeScript.

mod approvals;
mod attachments;
mod drafts;
mod events;
mod links;
pub(crate) mod local_models;
mod providers;
mod queue;
mod sessions;
mod settings;
mod start;
mod status;
mod turns;

#[cfg(test)]
mod contract_tests;
#[cfg(test)]
mod names;

use tauri_specta::{Builder, collect_commands};

/// Every command there is.
pub(crate) fn builder() -> Builder<tauri::Wry> {
    Builder::new().disable_serde_phases().constant("vendors", namma_app::vendors()).commands(collect_commands![
        start::start_state,
        start::start_again,
        start::app_quit,
        sessions::session_list,
        sessions::session_open,
        sessions::session_rename,
        sessions::session_delete,
        sessions::session_restore,
        sessions::session_search,
        turns::turn_send,
        turns::turn_cancel,
        turns::turn_retry,
        turns::turn_events_since,
        queue::queue_remove,
        queue::queue_send_now,
        approvals::approval_resolve,
        drafts::draft_save,
        drafts::draft_get,
        attachments::attachment_add,
        attachments::attachment_get,
        providers::provider_status,
        providers::provider_discover,
        providers::provider_configure,
        providers::connections_list,
        providers::connections_order,
        providers::connection_fallback,
        providers::connection_remove,
        providers::connection_test,
        providers::connection_models,
        local_models::local_models,
        local_models::local_install,
        local_models::local_install_stop,
        local_models::local_remove,
        local_models::local_use,
        settings::usage_by_day,
        sessions::session_choose,
        settings::settings_get,
        settings::settings_set,
        status::status_checks,
        links::link_open,
        events::events_subscribe,
    ])
}
