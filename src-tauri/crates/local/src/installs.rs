//! Bringing models here. One wish for a model is worked on once, however often it is made: whoever
//! comes second hears the same progress and gets the same result. When nobody waits any more the
//! work stops, and a download keeps what has arrived.

use crate::download::{Fetch, blocking};
use crate::error::LocalError;
use crate::run::Phase;
use crate::server::ServerSettings;
use crate::servers::LocalServers;
use crate::shelf::{ShelvedModel, check_name};
use futures_util::future::{Shared, WeakShared};
use futures_util::{FutureExt, StreamExt};
use namma_core::BoxFuture;
use namma_core::ports::{Clock, ProviderError};
use namma_protocol::{CatalogueModel, InstallProgress, LocalKeeper, LocalModel};
use namma_providers::{FileDownload, LmStudio, Ollama, ServedModel};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use url::Url;

/// How often LM Studio is asked how far it is; it does not tell by itself.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A file that the person has; it stays where it is.
    File { path: PathBuf, name: Option<String>, chat_template: Option<PathBuf> },
    /// One that is on the shelf already: it is tried again, and may get another template.
    Shelved { name: String, chat_template: Option<PathBuf> },
    /// A file of the catalogue.
    Catalogue { name: String, chat_template: Option<PathBuf> },
    /// Whatever Ollama calls so.
    Ollama { address: Url, name: String },
    /// Whatever LM Studio calls so.
    LmStudio { address: Url, name: String },
}

type Done = Result<LocalModel, LocalError>;
type Work = Shared<BoxFuture<'static, Done>>;
/// An installation that others may join, as long as somebody waits for it.
type Running = (WeakShared<BoxFuture<'static, Done>>, watch::Receiver<InstallProgress>);

/// The installations that run. Cheap to clone.
#[derive(Clone)]
pub struct Installs {
    servers: LocalServers,
    clock: Arc<dyn Clock>,
    download: Arc<FileDownload>,
    running: Arc<Mutex<HashMap<Source, Running>>>,
}

/// An installation that runs while somebody holds it and waits. Dropping the last one stops it.
pub struct Install {
    work: Work,
    progress: watch::Receiver<InstallProgress>,
}

impl Install {
    /// Waits for the end. `tell` hears how far it is, each time it is further.
    ///
    /// # Errors
    /// Why the model could not be installed; what has arrived of a download is kept.
    pub async fn finish(mut self, mut tell: impl FnMut(InstallProgress)) -> Done {
        let mut told = InstallProgress::Starting;
        loop {
            let done = tokio::select! {
                biased;
                done = self.work.clone() => Some(done),
                Ok(()) = self.progress.changed() => None,
            };
            // Whoever told it may be gone; the last word stays.
            let now = self.progress.borrow_and_update().clone();
            if now != told {
                tell(now.clone());
                told = now;
            }
            if let Some(done) = done {
                return done;
            }
        }
    }
}

impl Installs {
    pub fn new(servers: LocalServers, clock: Arc<dyn Clock>) -> Self {
        Self { servers, clock, download: Arc::default(), running: Arc::default() }
    }

    /// Begins to install, or joins whoever installs the same. Nothing happens until it is waited
    /// for. `catalogue` is the entry of a [`Source::Catalogue`].
    pub fn begin(&self, source: Source, catalogue: Option<CatalogueModel>, settings: ServerSettings) -> Install {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|_, (work, _)| work.upgrade().is_some_and(|work| work.peek().is_none()));
        if let Some((work, progress)) = running.get(&source)
            && let Some(work) = work.upgrade()
        {
            return Install { work, progress: progress.clone() };
        }
        let (tell, progress) = watch::channel(InstallProgress::Starting);
        let task = Task { installs: self.clone(), settings, tell };
        let work = task.run(source.clone(), catalogue).boxed().shared();
        if let Some(weak) = work.downgrade() {
            running.insert(source, (weak, progress.clone()));
        }
        Install { work, progress }
    }
}

struct Task {
    installs: Installs,
    settings: ServerSettings,
    tell: watch::Sender<InstallProgress>,
}

impl Task {
    async fn run(self, source: Source, catalogue: Option<CatalogueModel>) -> Done {
        match source {
            Source::File { path, name, chat_template } => {
                let shelf = self.installs.servers.shelf().clone();
                let inspect = move || shelf.inspect(&path, name.as_deref(), chat_template.as_deref());
                self.shelve(blocking(inspect).await?).await
            }
            Source::Shelved { name, chat_template } => {
                let model = self.installs.servers.shelf().find(&name)?;
                self.shelve_with(model, chat_template).await
            }
            Source::Catalogue { name, chat_template } => {
                let model = catalogue.ok_or(LocalError::NotFound { name })?;
                self.fetch(&model, chat_template).await
            }
            Source::Ollama { address, name } => self.pull(&Ollama::at(address), name).await,
            Source::LmStudio { address, name } => self.ask_lm_studio(&LmStudio::at(address), name).await,
        }
    }

    async fn fetch(&self, model: &CatalogueModel, chat_template: Option<PathBuf>) -> Done {
        check_name(&model.name)?;
        let shelf = self.installs.servers.shelf();
        let found = match shelf.find(&model.name) {
            // It is here, whole and as the catalogue wants it.
            Ok(there) if there.is_ours && is_wanted(&there, model) => Some(there),
            Ok(there) if !there.is_ours => {
                return Err(LocalError::NameTaken { name: there.name, path: there.path });
            }
            Ok(_) | Err(LocalError::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        let shelved = match found {
            Some(there) => there,
            None => {
                let (clock, download) = (self.installs.clock.as_ref(), self.installs.download.as_ref());
                Fetch { shelf, download, clock, model, progress: &self.tell }.run().await?
            }
        };
        self.shelve_with(shelved, chat_template).await
    }

    async fn shelve_with(&self, model: ShelvedModel, chat_template: Option<PathBuf>) -> Done {
        self.shelve(blocking(move || model.with_template(chat_template.as_deref())).await?).await
    }

    /// Puts a model on the list and tries it: a file that the server cannot load is told now.
    async fn shelve(&self, model: ShelvedModel) -> Done {
        let (shelf, listed) = (self.installs.servers.shelf().clone(), model.clone());
        blocking(move || shelf.put(listed)).await?;
        if let Err(error) = self.try_out(&model.name).await {
            self.tell.send_replace(InstallProgress::NotTried { why: error.to_string() });
        }
        Ok(model.to_local_model())
    }

    async fn try_out(&self, name: &str) -> Result<(), LocalError> {
        let lease = self.installs.servers.lease(name, &self.settings).await?;
        let tell = |phase: &Phase| {
            if let Phase::Measuring(threads) = phase {
                self.tell.send_replace(InstallProgress::Measuring { threads: *threads });
            }
        };
        lease.ready(tell).await?;
        Ok(())
    }

    async fn pull(&self, ollama: &Ollama, name: String) -> Done {
        let mut pull = ollama.pull(&name);
        while let Some(progress) = pull.next().await {
            let progress = progress?;
            self.note(progress);
        }
        let name = Ollama::full_name(&name);
        // It is there now; that nobody says how large it is changes nothing.
        let listed = ollama.models().await.unwrap_or_default();
        let bytes = listed.into_iter().find(|model| model.name == name).and_then(|model| model.bytes);
        Ok(kept_elsewhere(LocalKeeper::Ollama, ServedModel { name, bytes }))
    }

    async fn ask_lm_studio(&self, lm_studio: &LmStudio, name: String) -> Done {
        let job = lm_studio.begin(&name).await.map_err(|error| match error {
            ProviderError::BadRequest { status: 404, .. } => LocalError::Server(ProviderError::BadRequest {
                status: 404,
                message: "this LM Studio cannot be asked to download; download the model in its window".into(),
            }),
            other => other.into(),
        })?;
        if let Some(job) = job {
            while let Some(progress) = lm_studio.progress(&job).await? {
                self.note(progress);
                self.installs.clock.sleep(LOOK_EVERY).await;
            }
        }
        Ok(kept_elsewhere(LocalKeeper::LmStudio, ServedModel { name, bytes: None }))
    }

    fn note(&self, progress: namma_providers::PullProgress) {
        let (done_bytes, total_bytes) = (progress.done_bytes, progress.total_bytes);
        self.tell.send_replace(InstallProgress::Downloading { done_bytes, total_bytes });
    }
}

/// Whether what is on the shelf is the file of the catalogue.
fn is_wanted(there: &ShelvedModel, model: &CatalogueModel) -> bool {
    // Where the catalogue has no checksum, that of the server counted.
    let has_sum = model.sha256.as_ref().is_none_or(|sum| there.sha256 == Some(sum.to_lowercase()));
    has_sum && crate::disk::size(&there.path) == Some(model.bytes)
}

/// A model that another program keeps, as hosts are told of it.
pub fn kept_elsewhere(keeper: LocalKeeper, model: ServedModel) -> LocalModel {
    LocalModel {
        title: model.name.clone(),
        name: model.name,
        keeper,
        bytes: model.bytes,
        context_tokens: None,
        has_chat_template: None,
        path: None,
        is_ours: false,
        is_in_use: false,
    }
}
