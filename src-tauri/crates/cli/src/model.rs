//! `namma model`: models on this computer.

use crate::arguments::{InstallModel, Keeper, Model};
use crate::exit::Exit;
use crate::host;
use crate::interrupts::Interrupts;
use crate::screen::{note, plain, say, say_json};
use namma_app::App;
use namma_core::ports::DeclineAll;
use namma_protocol::{InstallLocalModel, InstallProgress, LocalKeeper, LocalModel, LocalModels, RemovedLocalModel};
use serde_json::json;
use std::sync::Arc;

pub(crate) async fn model(command: Model) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let done = match command {
        Model::List(output) => list(&app, output.json).await,
        Model::Install(wish) => install(&app, wish).await,
        Model::Remove { name, keeper, output } => remove(&app, &name, keeper, output.json).await,
    };
    app.close().await;
    done
}

async fn list(app: &App, json: bool) -> anyhow::Result<Exit> {
    let models = app.local_models().await?;
    if json {
        say_json(&models)?;
        return Ok(Exit::Done);
    }
    say(&plain(&page(&models)))?;
    Ok(Exit::Done)
}

fn page(models: &LocalModels) -> String {
    let mut lines = vec!["Here:".to_owned()];
    lines.extend(models.installed.iter().map(|model| {
        let mark = if model.is_in_use { "*" } else { " " };
        let size = model.bytes.map(size).unwrap_or_default();
        format!("{mark} {:<24} {:>8}  {:<12}  {}", model.name, size, keeper_name(model.keeper), model.title)
    }));
    if models.installed.is_empty() {
        lines.push("  no model yet".to_owned());
    }
    lines.push(format!("\nCan be installed (checked on {}):", models.catalogue_date));
    for model in models.offered.iter().filter(|model| !model.is_installed) {
        let memory = format!("needs {}", size(model.memory_bytes));
        lines.push(format!(
            "  {:<24} {:>8}  {memory:<12}  {} ({})",
            model.name,
            size(model.bytes),
            model.title,
            model.licence
        ));
    }
    lines.push("\nRun by:".to_owned());
    lines.extend(models.ways.iter().map(|way| {
        let state = if way.is_there { "yes" } else { "no " };
        format!("  {state}  {:<12}  {}", keeper_name(way.keeper), way.note)
    }));
    lines.join("\n")
}

async fn install(app: &App, arguments: InstallModel) -> anyhow::Result<Exit> {
    let mut interrupts = Interrupts::listen()?;
    let wish = InstallLocalModel {
        model: arguments.model,
        keeper: arguments.keeper.map(Into::into),
        name: arguments.name,
        chat_template: arguments.chat_template,
    };
    let mut steps = Steps::default();
    let work = async { app.local_install(wish).await?.finish(|progress| steps.tell(&progress)).await };
    let model = tokio::select! {
        done = work => done?,
        () = interrupts.next() => {
            note("namma: stopped; what has arrived is kept, and the next time it goes on there");
            return Ok(Exit::Cancelled);
        }
    };
    let is_chosen = arguments.use_it || !app.has_model();
    if is_chosen {
        for name in app.local_use(&model).await?.overridden_by {
            note(&format!("namma: saved, but the environment variable {name} decides this setting"));
        }
    }
    let model = LocalModel { is_in_use: is_chosen || model.is_in_use, ..model };
    tell_installed(&model, arguments.output.json)?;
    Ok(Exit::Done)
}

fn tell_installed(model: &LocalModel, json: bool) -> anyhow::Result<()> {
    if model.has_chat_template == Some(false) {
        note("namma: the file does not say how a conversation is written, so it may answer badly");
        note("  Install it again with `--chat-template FILE`.");
    }
    if json {
        return say_json(model);
    }
    say(&plain(&format!("installed {} ({})", model.name, keeper_name(model.keeper))))?;
    if model.is_in_use {
        note("namma: it answers from now on");
    } else {
        note("namma: another model answers; to change that, run");
        note(&format!("    {}", to_use_it(model)));
    }
    Ok(())
}

/// The command that makes it the one that answers; its keeper is named, so that no other one is asked.
fn to_use_it(model: &LocalModel) -> String {
    let with = match model.keeper {
        LocalKeeper::Managed => "",
        LocalKeeper::Ollama => " --with ollama",
        LocalKeeper::LmStudio => " --with lm-studio",
    };
    format!("namma model install {}{with} --use", model.name)
}

async fn remove(app: &App, name: &str, keeper: Option<Keeper>, json: bool) -> anyhow::Result<Exit> {
    let removed = app.local_remove(name, keeper.map(Into::into)).await?;
    if json {
        say_json(&json!({ "removed": removed }))?;
        return Ok(Exit::Done);
    }
    say(&plain(&what_was_removed(&removed)))?;
    if removed.was_in_use {
        note("namma: it was the one that answered; choose another one");
        note("    namma model list");
    }
    Ok(Exit::Done)
}

fn what_was_removed(removed: &RemovedLocalModel) -> String {
    match &removed.kept_file {
        Some(file) => format!("removed {} from the list; its file stays: {file}", removed.name),
        None => format!("deleted {} for good, {} are free", removed.name, size(removed.freed_bytes)),
    }
}

/// Tells an installation in few lines.
#[derive(Default)]
struct Steps {
    /// The tenth that was told last.
    told: Option<u64>,
}

impl Steps {
    fn tell(&mut self, progress: &InstallProgress) {
        match progress {
            InstallProgress::Starting => {}
            InstallProgress::Downloading { done_bytes, total_bytes: Some(total) } if *total > 0 => {
                let tenth = done_bytes.saturating_mul(10) / total;
                if self.told.replace(tenth) != Some(tenth) {
                    note(&format!("… {} of {} ({} %)", size(*done_bytes), size(*total), tenth * 10));
                }
            }
            InstallProgress::Downloading { .. } => {}
            InstallProgress::Checking => note("… checking the file"),
            InstallProgress::Measuring { threads } => {
                note(&format!("… trying it with {}", crate::words::count(*threads as usize, "thread")));
            }
            InstallProgress::NotTried { why } => {
                note(&format!("namma: it is installed, but could not be tried: {why}"))
            }
        }
    }
}

impl From<Keeper> for LocalKeeper {
    fn from(keeper: Keeper) -> Self {
        match keeper {
            Keeper::LlamaServer => Self::Managed,
            Keeper::Ollama => Self::Ollama,
            Keeper::LmStudio => Self::LmStudio,
        }
    }
}

fn keeper_name(keeper: LocalKeeper) -> &'static str {
    match keeper {
        LocalKeeper::Managed => "llama-server",
        LocalKeeper::Ollama => "Ollama",
        LocalKeeper::LmStudio => "LM Studio",
    }
}

/// `1.1 GB`, `12 MB`.
fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let gigabytes = bytes as f64 / 1e9;
    if gigabytes >= 1.0 { format!("{gigabytes:.1} GB") } else { format!("{:.0} MB", (gigabytes * 1e3).ceil()) }
}

#[cfg(test)]
mod tests {
    use super::{size, to_use_it};
    use namma_protocol::{LocalKeeper, LocalModel};

    #[test]
    fn the_hint_names_the_keeper() {
        let model = |keeper| LocalModel {
            name: "m".into(),
            title: "m".into(),
            keeper,
            bytes: None,
            context_tokens: None,
            has_chat_template: None,
            path: None,
            is_ours: false,
            is_in_use: false,
        };
        let hint = |keeper| to_use_it(&model(keeper));
        assert_eq!(hint(LocalKeeper::Managed), "namma model install m --use");
        assert_eq!(hint(LocalKeeper::Ollama), "namma model install m --with ollama --use");
        assert_eq!(hint(LocalKeeper::LmStudio), "namma model install m --with lm-studio --use");
    }

    #[test]
    fn a_size_is_told_in_two_digits() {
        let told = [1_117_320_768, 12_400_000, 3, 0].map(size);
        assert_eq!(told, ["1.1 GB", "13 MB", "1 MB", "0 MB"]);
    }
}
