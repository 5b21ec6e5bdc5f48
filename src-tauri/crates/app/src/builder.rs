//! Where adapters meet ports.

use crate::approval_desk::ApprovalDesk;
use crate::brains::ProviderCache;
use crate::clock::SystemClock;
use crate::event_bus::{EventBus, Subscription};
use crate::health::HealthBook;
use crate::policy::{policy_of, resolved};
use crate::turns::RunningTurns;
use namma_config::{ConfigHandle, Environment, Keyring, ModelsHandle, Paths, SecretStore};
use namma_core::gate::{GateLimits, Machine, Redactor, Sandbox, ToolGate};
use namma_core::ports::{Approver, Clock, HttpClient};
use namma_core::tool::Place;
use namma_core::{ToolRegistry, TurnEngine};
use namma_local::{Installs, LocalServers, Shelf};
use namma_protocol::ApiError;
use namma_providers::{GuardedHttp, LocalPorts};
use namma_store::{OpenOptions, RecoveryReport, Store};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Who answers approvals.
pub enum Who {
    /// The person in front of the window, through [`App::approval_resolve`].
    Desk,
    /// Somebody else: a terminal, or nobody.
    Other(Arc<dyn Approver>),
}

/// What a host decides.
pub struct AppOptions {
    pub paths: Paths,
    pub environment: Environment,
    /// The folder that relative paths start from.
    pub cwd: PathBuf,
    /// A program of ours that can confine itself and become a command.
    pub launcher: PathBuf,
    pub who: Who,
    pub clock: Arc<dyn Clock>,
    /// Where keys are kept; `None` is the vault of the operating system.
    pub vault: Option<Arc<dyn SecretStore>>,
    /// The client of the tools; `None` is the guarded one.
    pub http: Option<Arc<dyn HttpClient>>,
    /// Where local model servers are looked for.
    pub local_ports: LocalPorts,
}

impl AppOptions {
    /// The usual choices for a host that starts in `cwd`.
    pub fn new(paths: Paths, environment: Environment, cwd: PathBuf, launcher: PathBuf, who: Who) -> Self {
        Self {
            paths,
            environment,
            cwd,
            launcher,
            who,
            clock: Arc::new(SystemClock),
            vault: None,
            http: None,
            local_ports: LocalPorts::default(),
        }
    }
}

/// What a person should hear about the start.
#[derive(Debug, Default)]
pub struct StartReport {
    /// The configuration is broken and cautious defaults are in force.
    pub config: Option<ApiError>,
    /// The person's table of models is broken, and the built-in one alone is in force.
    pub models: Option<ApiError>,
    /// The database was damaged and what could be saved was.
    pub recovery: Option<RecoveryReport>,
    /// Turns that were cut off when the program last died.
    pub interrupted: usize,
}

/// The program without its face. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) config: ConfigHandle,
    pub(crate) store: Store,
    pub(crate) engine: Arc<TurnEngine>,
    pub(crate) gate: Arc<ToolGate>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) bus: EventBus,
    pub(crate) desk: ApprovalDesk,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) vault: Arc<dyn SecretStore>,
    pub(crate) providers: ProviderCache,
    pub(crate) health: HealthBook,
    pub(crate) models: ModelsHandle,
    pub(crate) local: LocalServers,
    pub(crate) installs: Installs,
    pub(crate) redactor: Redactor,
    pub(crate) place: Place,
    pub(crate) sandbox: Sandbox,
    pub(crate) running: RunningTurns,
    pub(crate) tasks: TaskTracker,
    pub(crate) root: CancellationToken,
    pub(crate) local_ports: LocalPorts,
    pub(crate) start: StartReport,
    /// When the database was tidied last.
    pub(crate) tidied: Mutex<Option<i64>>,
}

impl App {
    /// Opens everything.
    ///
    /// # Errors
    /// When the folders or the database cannot be used at all. A broken configuration is not an
    /// error: the app opens with cautious defaults and [`App::start_report`] says so.
    pub async fn open(options: AppOptions) -> Result<Self, ApiError> {
        namma_providers::install_tls();
        options.paths.prepare().map_err(ApiError::from)?;
        let environment = options.environment.with_key_files(options.paths.key_files());
        let (config, config_error) = ConfigHandle::open_or_cautious(options.paths.clone(), environment);
        let opened = Store::open(&options.paths.database(), &OpenOptions::new(options.clock.clone()))
            .await
            .map_err(|error| error.to_api_error())?;
        let home = resolved(&std::env::home_dir().unwrap_or_else(|| options.cwd.clone()));
        let place = Place { cwd: resolved(&options.cwd), home: home.clone() };
        let redactor = Redactor::default();
        let own = [options.paths.data_dir(), options.paths.config_dir(), options.paths.cache_dir()];
        let shelf = Shelf::at(options.paths.models_dir());
        let local = LocalServers::new(options.launcher.clone(), shelf, options.clock.clone());
        let installs = Installs::new(local.clone(), options.clock.clone());
        let sandbox = Sandbox::detect(options.launcher).at_home(home.clone()).hiding(own.map(resolved));
        let settings = config.get();
        let policy = {
            let (config, paths, sandbox) = (config.clone(), options.paths.clone(), sandbox.clone());
            Arc::new(move || Arc::new(policy_of(&config.get(), &paths, &home, &sandbox)))
        };
        let limits = GateLimits { result_bytes: settings.conversation.result_limit_bytes, ..GateLimits::default() };
        let http = options.http.unwrap_or_else(|| Arc::new(GuardedHttp::new()));
        let gate = Arc::new(ToolGate::new(
            namma_tools::built_in(),
            policy,
            Arc::new(opened.store.clone()),
            options.clock.clone(),
            Machine {
                http,
                sandbox: sandbox.clone(),
                results: Arc::new(opened.store.clone()),
                chats: Arc::new(opened.store.clone()),
                memory: Arc::new(opened.store.clone()),
            },
            redactor.clone(),
            limits,
        ));
        let engine = Arc::new(TurnEngine::new(gate.clone(), Arc::new(opened.store.clone()), options.clock.clone()));
        let bus = EventBus::new();
        let desk = ApprovalDesk::new(bus.clone());
        let approver: Arc<dyn Approver> = match options.who {
            Who::Desk => Arc::new(desk.clone()),
            Who::Other(approver) => approver,
        };
        let vault = options.vault.unwrap_or_else(|| Arc::new(Keyring::new(options.paths.vault_name())));
        let health = HealthBook::open(opened.store.clone(), options.clock.clone(), bus.clone()).await;
        let (models, models_error) = ModelsHandle::open(options.paths.clone());
        let start = StartReport {
            config: config_error.map(ApiError::from),
            models: models_error.map(ApiError::from),
            recovery: opened.recovery,
            interrupted: opened.interrupted.len(),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                config,
                store: opened.store,
                engine,
                gate,
                clock: options.clock,
                bus,
                desk,
                approver,
                vault,
                providers: ProviderCache::default(),
                health,
                models,
                local,
                installs,
                redactor,
                place,
                sandbox,
                running: RunningTurns::default(),
                tasks: TaskTracker::new(),
                root: CancellationToken::new(),
                local_ports: options.local_ports,
                start,
                tidied: Mutex::default(),
            }),
        })
    }

    /// What a person should hear about the start.
    pub fn start_report(&self) -> &StartReport {
        &self.inner.start
    }

    /// Everything that happens from now on.
    pub fn subscribe(&self) -> Subscription {
        self.inner.bus.subscribe()
    }

    /// The tools of this program.
    pub fn tools(&self) -> &ToolRegistry {
        self.inner.gate.registry()
    }

    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    pub fn config(&self) -> &ConfigHandle {
        &self.inner.config
    }

    /// Stops every turn, lets each close its books, ends our model server, and closes the database.
    pub async fn close(&self) {
        self.inner.root.cancel();
        self.inner.tasks.close();
        let all_ended = self.inner.tasks.wait();
        let too_long = self.inner.clock.sleep(Duration::from_secs(5));
        tokio::select! {
            () = all_ended => {}
            () = too_long => tracing::warn!("some turns did not end in time; the next start closes them"),
        }
        self.inner.local.close().await;
        self.inner.store.close().await;
    }
}
