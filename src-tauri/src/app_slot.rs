use namma_app::{App, AppOptions, Who};
use namma_config::{Config, ConfigHandle, Environment, Paths};
use namma_protocol::{ApiError, ErrorCode, StartState};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// Where this process was started and what it may use.
#[derive(Clone)]
pub(crate) struct Launch {
    pub(crate) paths: Result<Paths, ApiError>,
    pub(crate) environment: Environment,
    cwd: PathBuf,
    program: PathBuf,
}

impl Launch {
    pub(crate) fn of_this_process() -> Self {
        let environment = Environment::process();
        let cwd = std::env::current_dir().ok().or_else(std::env::home_dir).unwrap_or_else(|| PathBuf::from("/"));
        // Inside an AppImage this is the mounted program, which lives as long as we do.
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("namma-desktop"));
        Self { paths: Paths::find(&environment).map_err(ApiError::from), environment, cwd, program }
    }

    /// The settings before the core is there; what is wrong with them is told when it opens.
    pub(crate) fn first_look(&self) -> Option<Arc<Config>> {
        let paths = self.paths.clone().ok()?;
        Some(ConfigHandle::open_or_cautious(paths, self.environment.clone()).0.get())
    }

    /// One instance for each home: a second start with the same one raises the window.
    pub(crate) fn bus_name(&self) -> String {
        let own_home = self.paths.as_ref().ok().filter(|_| self.environment.get("NAMMA_HOME").is_some());
        match own_home {
            Some(paths) => {
                let mut hasher = DefaultHasher::new();
                paths.data_dir().hash(&mut hasher);
                format!("org.namma.agent.home{:x}", hasher.finish())
            }
            None => "org.namma.agent".into(),
        }
    }

    /// Where the window was, in our own folder.
    pub(crate) fn window_state_file(&self) -> String {
        let in_home = self.paths.as_ref().ok().map(|paths| paths.data_dir().join("window.json"));
        in_home.map_or_else(|| "window.json".into(), |path| path.display().to_string())
    }
}

/// The core, or why there is none.
pub(crate) struct AppSlot {
    launch: Launch,
    slot: RwLock<Option<Result<App, ApiError>>>,
}

impl AppSlot {
    pub(crate) fn new(launch: Launch) -> Self {
        Self { launch, slot: RwLock::default() }
    }

    pub(crate) fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The core, for a command.
    pub(crate) fn app(&self) -> Result<App, ApiError> {
        let slot = self.slot.read().unwrap_or_else(PoisonError::into_inner);
        slot.clone().unwrap_or_else(|| {
            Err(ApiError::new(ErrorCode::Internal, "the assistant has not started yet").hint("Try again in a moment."))
        })
    }

    /// Opens the core unless it is open.
    pub(crate) async fn open(&self) -> Result<App, ApiError> {
        if let Ok(app) = self.app() {
            return Ok(app);
        }
        let opened = match self.options() {
            Ok(options) => App::open(options).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &opened {
            tracing::error!(code = ?error.code, "the assistant could not start");
        }
        *self.slot.write().unwrap_or_else(PoisonError::into_inner) = Some(opened.clone());
        opened
    }

    fn options(&self) -> Result<AppOptions, ApiError> {
        let Launch { paths, environment, cwd, program } = self.launch.clone();
        Ok(AppOptions::new(paths?, environment, cwd, program, Who::Desk))
    }

    /// What the page must know before it asks anything else.
    pub(crate) fn state(&self) -> StartState {
        match self.app() {
            Ok(app) => {
                let report = app.start_report();
                let saved = report.recovery.as_ref().map(|recovery| {
                    ApiError::new(ErrorCode::DatabaseDamaged, recovery.sentence())
                        .hint("The damaged file was kept beside the new one.")
                });
                StartState {
                    failure: None,
                    notes: report.config.iter().chain(&report.models).cloned().chain(saved).collect(),
                }
            }
            Err(error) => StartState { failure: Some(error), notes: Vec::new() },
        }
    }

    pub(crate) async fn close(&self) {
        if let Ok(app) = self.app() {
            app.close().await;
        }
    }
}
