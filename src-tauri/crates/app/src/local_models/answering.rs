//! Answering with the model that we serve ourselves.

use crate::builder::App;
use futures_util::StreamExt;
use namma_config::Config;
use namma_core::ports::{ModelEvent, ModelMessage, ModelRequest, Provider, ProviderError};
use namma_local::{ManagedLocal, ServerSettings, find_server};
use namma_protocol::{ApiError, ErrorCode, ProviderStatus};
use namma_providers::Timeouts;
use std::sync::Arc;

/// What people know it by.
const LABEL: &str = "the model on this computer";

impl App {
    /// The model that we serve ourselves. Starts nothing until it is asked.
    pub(crate) fn local_provider(&self, config: &Config) -> Arc<dyn Provider> {
        let label = config.provider.label.clone().unwrap_or_else(|| LABEL.into());
        Arc::new(ManagedLocal::new(self.inner.local.clone(), self.local_settings(config), label))
    }

    /// What the assistant would answer with, when we serve it ourselves. Starts nothing.
    pub(crate) fn local_status(&self, config: &Config) -> ProviderStatus {
        let settings = &config.provider;
        let model = settings.model.clone().unwrap_or_default();
        let problem = if model.is_empty() {
            let error = ApiError::new(ErrorCode::ModelNotFound, "no model is chosen yet");
            Some(error.hint("Run `namma model list` to see what is here, and `namma model install NAME --use`."))
        } else {
            let found = self.inner.local.shelf().find(&model);
            found.and_then(|_| find_server(&self.local_settings(config))).err().map(ApiError::from)
        };
        ProviderStatus {
            ready: problem.is_none(),
            label: settings.label.clone().unwrap_or_else(|| LABEL.into()),
            model,
            base_url: String::new(),
            local: true,
            problem,
        }
    }

    /// Asks it for one word; its server may have to be started.
    pub(crate) async fn local_test(&self, config: &Config) -> Result<(), ProviderError> {
        let request = ModelRequest {
            model: config.provider.model.clone().unwrap_or_default(),
            messages: vec![ModelMessage::User { text: "Answer with the one word: ready".into() }],
            max_output_tokens: Some(16),
            ..ModelRequest::default()
        };
        let provider = self.local_provider(config);
        let mut answer = provider.stream(request).await?;
        while let Some(event) = answer.next().await {
            if matches!(event?, ModelEvent::Text(_) | ModelEvent::Thinking(_) | ModelEvent::Stop(_)) {
                return Ok(());
            }
        }
        Err(ProviderError::StreamCut { cause: "the answer was empty".into() })
    }

    /// How servers are run, from the settings as they are.
    pub(crate) fn local_settings(&self, config: &Config) -> ServerSettings {
        let (local, provider) = (&config.local_model, &config.provider);
        let path = |text: &String| self.inner.config.paths().expand_home(text).into();
        ServerSettings {
            program: local.server.as_ref().map(path),
            search_path: self.inner.config.environment().get("PATH").unwrap_or_default(),
            context_tokens: local.context_tokens(),
            threads: local.threads(),
            idle: local.idle(),
            start_limit: local.start_timeout(),
            chat_template: local.chat_template.as_ref().map(path),
            timeouts: Timeouts {
                connect: provider.connect_timeout(),
                first_byte: provider.first_token_timeout(),
                idle: provider.idle_timeout(),
            },
        }
    }
}
