//! A folder, a clock, and files in the form of GGUF.

use jiff::tz::TimeZone;
use namma_core::BoxFuture;
use namma_core::ports::Clock;
use namma_local::{Install, Installs, LocalServers, ServerSettings, Shelf, ShelvedModel, Source};
use namma_protocol::{CatalogueModel, InstallProgress, UnixMs};
use namma_providers::Timeouts;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A promise.
pub(crate) struct Claim {
    pub(crate) name: &'static str,
    pub(crate) check: fn() -> BoxFuture<'static, ()>,
}

/// The claims of one file.
macro_rules! claims {
    ($($name:ident),* $(,)?) => {
        pub(crate) fn claims() -> Vec<$crate::support::Claim> {
            vec![$($crate::support::Claim {
                name: concat!(module_path!(), "::", stringify!($name)),
                check: || Box::pin($name()),
            }),*]
        }
    };
}

pub(crate) use claims;

/// Real time, in which waits are so many times shorter.
pub(crate) struct Hurried(pub(crate) u32);

impl Clock for Hurried {
    fn now(&self) -> UnixMs {
        UnixMs(jiff::Timestamp::now().as_millisecond())
    }

    fn zone(&self) -> TimeZone {
        TimeZone::UTC
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration / self.0))
    }
}

/// A shelf of its own, and what works on it. Everything goes with it.
pub(crate) struct Computer {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) shelf: Shelf,
    pub(crate) servers: LocalServers,
    pub(crate) installs: Installs,
}

impl Computer {
    pub(crate) fn new() -> Self {
        Self::with_clock(Hurried(1))
    }

    /// Waits of a second take a millisecond.
    pub(crate) fn hurried() -> Self {
        Self::with_clock(Hurried(1000))
    }

    pub(crate) fn with_clock(clock: Hurried) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::at(folder.path().join("models"));
        let clock: Arc<dyn Clock> = Arc::new(clock);
        let servers = LocalServers::new(std::env::current_exe().unwrap(), shelf.clone(), clock.clone());
        let installs = Installs::new(servers.clone(), clock);
        Self { folder, shelf, servers, installs }
    }

    /// A file of the person's.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn models_file(&self, name: &str) -> PathBuf {
        self.folder.path().join("models").join(name)
    }

    /// A model on the shelf whose server behaves as its name says; see `fake_server.rs`.
    pub(crate) fn shelve(&self, name: &str) -> ShelvedModel {
        let path = self.file(&format!("{name}.gguf"), &gguf("qwen2"));
        let model = self.shelf.inspect(&path, Some(name), None).unwrap();
        self.shelf.put(model.clone()).unwrap();
        model
    }

    /// How many servers were started for a model.
    pub(crate) fn starts(&self, name: &str) -> usize {
        let log = self.folder.path().join(format!("{name}.gguf.starts"));
        std::fs::read_to_string(log).unwrap_or_default().lines().count()
    }

    pub(crate) fn begin(&self, model: &CatalogueModel) -> Install {
        let source = Source::Catalogue { name: model.name.clone(), chat_template: None };
        self.installs.begin(source, Some(model.clone()), settings())
    }
}

/// One thread, and this program as the server.
pub(crate) fn settings() -> ServerSettings {
    ServerSettings {
        program: Some(std::env::current_exe().unwrap()),
        search_path: String::new(),
        context_tokens: Some(2048),
        threads: Some(1),
        idle: Duration::from_secs(600),
        start_limit: Duration::from_secs(6000),
        chat_template: None,
        timeouts: Timeouts::default(),
    }
}

/// A small whole file of that architecture.
pub(crate) fn gguf(architecture: &str) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let mut file = [b"GGUF".to_vec(), 3u32.to_le_bytes().to_vec(), 1u64.to_le_bytes().to_vec()].concat();
    file.extend(2u64.to_le_bytes());
    file.extend([text("general.architecture"), 8u32.to_le_bytes().to_vec(), text(architecture)].concat());
    let length = format!("{architecture}.context_length");
    file.extend([text(&length), 4u32.to_le_bytes().to_vec(), 4096u32.to_le_bytes().to_vec()].concat());
    file.extend([text("weights"), 1u32.to_le_bytes().to_vec(), 4u64.to_le_bytes().to_vec()].concat());
    file.extend([0; 12]);
    // The weights, so that a cut is in the middle of something.
    file.resize(file.len().next_multiple_of(32) + 100_000, 7);
    file
}

pub(crate) fn sum(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

/// The entry of a catalogue for this content at that address.
pub(crate) fn entry(url: &str, content: &[u8]) -> CatalogueModel {
    CatalogueModel {
        name: "small".into(),
        title: "A small one".into(),
        url: url.into(),
        sha256: Some(sum(content)),
        bytes: content.len() as u64,
        context_tokens: 4096,
        licence: "MIT".into(),
        memory_bytes: 1,
        calls_tools: false,
        ollama: None,
        lm_studio: None,
    }
}

pub(crate) fn ignore(_: InstallProgress) {}

pub(crate) fn size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|facts| facts.len())
}
