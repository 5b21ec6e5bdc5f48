//! Opening the app for a command.

use crate::approver::{AllowAll, TerminalApprover};
use crate::arguments::Approve;
use crate::lines::Lines;
use crate::screen::{self, note};
use crate::{exit, log};
use anyhow::Context;
use namma_app::{App, AppOptions, Who};
use namma_config::{Environment, Paths};
use namma_core::ports::{Approver, DeclineAll};
use std::sync::Arc;

/// Opens the app; what a person should hear about the start goes to standard error.
///
/// # Errors
/// As [`App::open`].
pub(crate) async fn open(who: Arc<dyn Approver>) -> anyhow::Result<App> {
    let environment = Environment::process();
    log::start(&environment);
    let app = App::open(options(environment, who)?).await?;
    let start = app.start_report();
    if let Some(problem) = &start.config {
        note("namma: the settings are not in force, so every tool is refused until they are corrected");
        exit::explain_api(problem);
    }
    if let Some(problem) = &start.models {
        note("namma: your own table of models is not in force until it is corrected");
        exit::explain_api(problem);
    }
    if let Some(recovery) = &start.recovery {
        note(&format!("namma: {}", recovery.sentence()));
    }
    if start.interrupted > 0 {
        note(&format!(
            "namma: {} that ran when the program last ended {} marked as interrupted",
            crate::words::count(start.interrupted, "turn"),
            if start.interrupted == 1 { "is" } else { "are" },
        ));
    }
    Ok(app)
}

fn options(environment: Environment, who: Arc<dyn Approver>) -> anyhow::Result<AppOptions> {
    let paths = Paths::find(&environment).map_err(namma_protocol::ApiError::from)?;
    let cwd = std::env::current_dir().context("the folder you are in cannot be used")?;
    let launcher = std::env::current_exe().context("this program could not find itself")?;
    Ok(AppOptions::new(paths, environment, cwd, launcher, Who::Other(who)))
}

/// Whoever answers when a tool has to ask. `lasts`: more turns may follow in the same chat.
pub(crate) fn approver(chosen: Option<Approve>, lines: impl FnOnce() -> Lines, lasts: bool) -> Arc<dyn Approver> {
    let default = if screen::somebody_is_there() { Approve::Ask } else { Approve::Never };
    match chosen.unwrap_or(default) {
        Approve::Never => Arc::new(DeclineAll),
        Approve::Ask => Arc::new(TerminalApprover::new(lines(), screen::may_colour(&Environment::process()), lasts)),
        Approve::Always => Arc::new(AllowAll),
    }
}
