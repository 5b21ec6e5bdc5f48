//! `namma doctor`: the real state of what the assistant depends on.

mod bus;
mod desktop;

use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::host;
use crate::screen::{note, plain, say, say_json};
use namma_config::Environment;
use namma_core::ports::DeclineAll;
use namma_protocol::{ApiError, Check, CheckState};
use std::sync::Arc;

pub(crate) async fn doctor(doctor: Doctor) -> anyhow::Result<Exit> {
    let mut checks = core_checks().await;
    checks.extend(desktop::checks(&Environment::process()));
    let failed = checks.iter().any(|check| check.state == CheckState::Failed);
    if doctor.output.json {
        say_json(&checks)?;
    } else {
        for check in &checks {
            say(&plain(&line(check)))?;
        }
        if failed {
            note("namma: something does not work");
        }
    }
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// What the app says of itself, or why it cannot be opened.
async fn core_checks() -> Vec<Check> {
    match host::open(Arc::new(DeclineAll)).await {
        Ok(app) => {
            let checks = app.status_checks().await;
            app.close().await;
            checks
        }
        Err(error) => {
            let (detail, fix) = match error.downcast_ref::<ApiError>() {
                Some(error) => (error.message.clone(), error.hint.clone()),
                None => (format!("{error:#}"), None),
            };
            vec![Check { name: "start".into(), state: CheckState::Failed, detail, fix }]
        }
    }
}

fn line(check: &Check) -> String {
    let mark = match check.state {
        CheckState::Ok => "ok      ",
        CheckState::Degraded => "degraded",
        CheckState::Failed => "FAILED  ",
        CheckState::Unknown => "unknown ",
    };
    let mut line = format!("{mark}  {:<9} {}", check.name, check.detail);
    if let Some(fix) = check.fix.as_ref().filter(|_| check.state != CheckState::Ok) {
        line.push_str(&format!("\n{:21}{fix}", ""));
    }
    line
}
