use super::model::Model;
use anyhow::Context;
use namma_app::{App, AppOptions, Who};
use namma_config::{Environment, Paths};
use namma_core::ports::DeclineAll;
use namma_protocol::{AppEvent, Delivery, Mode, SendMessage, SessionId, TurnEvent, TurnOutcome};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The app in a home of its own, as a desktop would have it.
///
/// # Errors
/// As [`App::open`].
pub(crate) async fn open(home: &Path, base_url: &str) -> anyhow::Result<App> {
    let environment = Environment::given([
        ("NAMMA_HOME", home.to_str().context("a temporary folder with a strange name")?),
        ("NAMMA_PROVIDER__BASE_URL", base_url),
        ("NAMMA_PROVIDER__MODEL", "text-20"),
    ]);
    let paths = Paths::find(&environment)?;
    let work = home.join("work");
    std::fs::create_dir_all(&work)?;
    let launcher = std::env::current_exe()?;
    Ok(App::open(AppOptions::new(paths, environment, work, launcher, Who::Other(Arc::new(DeclineAll)))).await?)
}

/// The app and its model in a folder that goes with them.
pub(crate) struct Core {
    pub(crate) app: App,
    pub(crate) model: Model,
    pub(crate) home: tempfile::TempDir,
}

impl Core {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let (model, home) = (Model::start()?, tempfile::tempdir()?);
        let app = open(home.path(), &model.base_url()).await?;
        Ok(Self { app, model, home })
    }
}

/// How long a turn took, in milliseconds.
pub(crate) struct Took {
    pub(crate) first_token: f64,
    pub(crate) end: f64,
}

/// A message for the model of that name.
pub(crate) fn message(session_id: Option<SessionId>, model: &str) -> SendMessage {
    SendMessage {
        session_id,
        text: "How long does it take?".into(),
        attachments: Vec::new(),
        mode: Mode::Agent,
        model: Some(model.to_owned()),
        think: None,
        allow_spending: false,
        delivery: Delivery::Queue,
    }
}

/// One turn, listened to by somebody.
///
/// # Errors
/// When it was not answered: then there is nothing to measure.
pub(crate) async fn turn(app: &App, message: SendMessage) -> anyhow::Result<Took> {
    let mut events = app.subscribe();
    let began = Instant::now();
    let receipt = app.turn_send(message).await?;
    let mut first_token = f64::NAN;
    while let Some(event) = events.next().await {
        let AppEvent::Turn { envelope } = event else { continue };
        if envelope.session_id != receipt.session_id {
            continue;
        }
        match envelope.event {
            TurnEvent::TextDelta { .. } if first_token.is_nan() => first_token = since(began),
            TurnEvent::TurnFinished { outcome: TurnOutcome::Answered { .. }, .. } => {
                return Ok(Took { first_token, end: since(began) });
            }
            TurnEvent::TurnFinished { outcome, .. } => anyhow::bail!("a turn was not answered: {outcome:?}"),
            _ => {}
        }
    }
    anyhow::bail!("a turn never ended")
}

pub(crate) fn since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
