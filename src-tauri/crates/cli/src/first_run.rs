//! What to do when no model is set up: nothing dead-ends.

use crate::screen::note;
use namma_app::App;

/// Says that no model answers, looks for what could, and says how to choose it.
pub(crate) async fn suggest(app: &App) {
    if app.start_report().config.is_some() {
        // The settings are broken, which was said; they may well name a model.
        return;
    }
    if !app.has_model() {
        note("namma: no model is set up: simple requests only");
    }
    let found = app.provider_discover().await;
    if found.is_empty() {
        note("  Start a local server such as Ollama, or set the key of a vendor in the environment,");
        note("  for example OPENAI_API_KEY, and try again. Any server that speaks the same way works:");
        note("    namma connection set main --url http://127.0.0.1:11434/v1");
        note("  A model of your own, on this computer, is one line away:");
        note("    namma model list");
        return;
    }
    note("  Found on this computer. To use one, run its lines:");
    for brain in found {
        note(&format!("  {}:", brain.label));
        let key = brain.key_env.as_ref().map(|variable| format!(" --key-env {variable}")).unwrap_or_default();
        note(&format!("    namma connection set main --url {}{key}", brain.base_url));
    }
}
