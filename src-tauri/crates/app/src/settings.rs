use crate::builder::App;
use namma_protocol::{ApiError, SetSetting, SettingsView, Tag};

impl App {
    /// What the interface needs to know of the configuration.
    pub fn settings_get(&self) -> SettingsView {
        let config = self.inner.config.get();
        SettingsView {
            assistant_name: config.assistant.name.clone(),
            user_name: config.assistant.user_name.clone(),
            theme: config.ui.theme.as_str().into(),
            mode: config.conversation.default_mode,
            approvals: config.security.approvals.as_str().into(),
            send_with_enter: config.ui.send_with_enter,
            think: config.conversation.think,
            spending_per_turn: dollars(config.spending.per_turn()),
            spending_per_day: dollars(config.spending.per_day()),
            spending_per_month: dollars(config.spending.per_month()),
            data_dir: self.inner.config.paths().data_dir().display().to_string(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }

    /// Changes one setting; it counts at once.
    pub fn settings_set(&self, request: SetSetting) -> Result<(), ApiError> {
        self.inner.config.set(&request.key, request.value).map_err(ApiError::from)?;
        self.inner.bus.data_changed([Tag::Settings, Tag::Provider]);
        Ok(())
    }
}

/// Billionths of a US dollar as a decimal number of dollars.
#[allow(clippy::cast_precision_loss, reason = "for people")]
fn dollars(nanos: Option<u64>) -> String {
    nanos.map_or_else(String::new, |nanos| (nanos as f64 / 1e9).to_string())
}
