//! Answering with the model that we serve ourselves.

use crate::brains::timeouts;
use crate::builder::App;
use crate::connections::Connection;
use namma_config::Config;
use namma_core::ports::Provider;
use namma_local::{ManagedLocal, ServerSettings, find_server};
use namma_protocol::{ApiError, ErrorCode, ProviderStatus};
use std::sync::Arc;

impl App {
    /// The model that we serve ourselves. Starts nothing until it is asked.
    pub(crate) fn local_provider(&self, connection: &Connection) -> Arc<dyn Provider> {
        let settings = self.local_settings(&self.inner.config.get());
        Arc::new(ManagedLocal::new(self.inner.local.clone(), settings, connection.label()))
    }

    /// What the assistant would answer with, when we serve it ourselves. Starts nothing.
    pub(crate) fn local_status(&self, connection: &Connection) -> ProviderStatus {
        let model = connection.model.clone().unwrap_or_default();
        let problem = if model.is_empty() {
            let error = ApiError::new(ErrorCode::ModelNotFound, "no model is chosen yet");
            Some(error.hint("Run `namma model list` to see what is here, and `namma model install NAME --use`."))
        } else {
            let found = self.inner.local.shelf().find(&model);
            let settings = self.local_settings(&self.inner.config.get());
            found.and_then(|_| find_server(&settings)).err().map(ApiError::from)
        };
        ProviderStatus {
            ready: problem.is_none(),
            label: connection.label(),
            model,
            base_url: String::new(),
            local: true,
            problem,
        }
    }

    /// How servers are run, from the settings as they are.
    pub(crate) fn local_settings(&self, config: &Config) -> ServerSettings {
        let local = &config.local_model;
        let path = |text: &String| self.inner.config.paths().expand_home(text).into();
        ServerSettings {
            program: local.server.as_ref().map(path),
            search_path: self.inner.config.environment().get("PATH").unwrap_or_default(),
            context_tokens: local.context_tokens(),
            threads: local.threads(),
            idle: local.idle(),
            start_limit: local.start_timeout(),
            chat_template: local.chat_template.as_ref().map(path),
            timeouts: timeouts(config),
        }
    }
}
