//! What to do when no model is set up: nothing dead-ends.

use crate::screen::note;
use namma_app::App;

/// Says in one line that no model answered, and how to choose one. An answer that did not
/// understand says the rest itself.
pub(crate) async fn suggest(app: &App) {
    if app.start_report().config.is_some() || app.has_model() {
        // Settings that are broken, which was said, may well name a model.
        return;
    }
    let found = app.provider_discover().await;
    let address =
        found.first().map_or_else(|| "ADDRESS".to_owned(), |brain| address(&brain.base_url, brain.key_env.as_deref()));
    note(&format!(
        "namma: no model is set up: simple requests only; `namma connection set main --url {address}` sets one up"
    ));
}

/// Says at the start of a conversation that no model answers, what there could be, and how to choose it.
pub(crate) async fn introduce(app: &App) {
    if app.start_report().config.is_some() {
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
        note(&format!("    namma connection set main --url {}", address(&brain.base_url, brain.key_env.as_deref())));
    }
}

/// An address with the option that names its key.
fn address(base_url: &str, key_env: Option<&str>) -> String {
    let key = key_env.map(|variable| format!(" --key-env {variable}")).unwrap_or_default();
    format!("{base_url}{key}")
}
