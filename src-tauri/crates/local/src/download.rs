//! One file of the catalogue, onto the shelf: resumed where it stopped, checked, and then named.

use crate::disk;
use crate::error::LocalError;
use crate::gguf::GgufFacts;
use crate::shelf::{Shelf, ShelvedModel, shelved};
use namma_core::ports::Clock;
use namma_protocol::{CatalogueModel, InstallProgress};
use namma_providers::{DownloadError, FileDownload, OpenedFile};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::watch;

/// Lost connections in a row without a byte in between.
const MAX_FAILURES: u32 = 5;
/// Beside the file itself: a disk that is full to the last byte stops everything else.
const SPARE_BYTES: u64 = 64 << 20;
/// Written in one go.
const BATCH_BYTES: usize = 1 << 20;

/// What a download works with.
pub(crate) struct Fetch<'a> {
    pub(crate) shelf: &'a Shelf,
    pub(crate) download: &'a FileDownload,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) model: &'a CatalogueModel,
    pub(crate) progress: &'a watch::Sender<InstallProgress>,
}

/// The beginning of the file that is there, and its checksum so far. Holds the name against other
/// programs until the last byte is written, also when the download is dropped.
struct Part {
    path: PathBuf,
    file: Option<File>,
    sum: Sha256,
    bytes: u64,
    _held: File,
}

impl Fetch<'_> {
    /// Downloads the file, or what is missing of it. Dropping this keeps what has arrived.
    pub(crate) async fn run(&self) -> Result<ShelvedModel, LocalError> {
        let name = &self.model.name;
        let mut part = self.begin().await?;
        let mut expected = self.model.sha256.as_ref().map(|sum| sum.to_lowercase());
        // A whole part is not asked for: nobody would say what its checksum should be.
        if expected.is_none() && part.bytes == self.model.bytes {
            part = part.again().await?;
        }
        let (mut failures, mut furthest) = (0, part.bytes);
        while part.bytes < self.model.bytes {
            let asked = part.bytes;
            let opened = match self.download.open(&self.model.url, asked).await {
                Ok(opened) => Some(opened),
                Err(passing) if passing.is_passing() => self.after(passing, &mut failures).await.map(|()| None)?,
                Err(cause) => return Err(LocalError::Download { name: name.clone(), cause }),
            };
            let Some(mut opened) = opened else { continue };
            self.compare(&opened, &mut expected)?;
            // Without a checksum nobody could tell that the file changed in between.
            if opened.from != asked || (expected.is_none() && asked > 0) {
                part = part.again().await?;
                if opened.from != 0 {
                    if asked == 0 {
                        self.after(lost(format!("it began at byte {}", opened.from)), &mut failures).await?;
                    }
                    continue;
                }
            }
            let ended;
            (part, ended) = self.take(&mut opened, part).await?;
            if part.bytes > furthest {
                (failures, furthest) = (0, part.bytes);
            }
            if let Some(lost) = ended {
                self.after(lost, &mut failures).await?;
            }
        }
        self.progress.send_replace(InstallProgress::Checking);
        let facts = self.check(&mut part, expected.as_deref()).await?;
        let path = self.shelf.file(name);
        let (from, to) = (part.path.clone(), path.clone());
        blocking(move || disk::settle(&from, &to)).await?;
        let model = shelved(name.clone(), self.model.title.clone(), path, &facts);
        Ok(ShelvedModel { is_ours: true, sha256: expected, ..model })
    }

    /// Takes up what is there, if the disk has space for the rest.
    async fn begin(&self) -> Result<Part, LocalError> {
        let name = &self.model.name;
        let held = self.hold().await?;
        let path = self.shelf.part(name);
        let there = disk::size(&path).filter(|bytes| *bytes <= self.model.bytes).unwrap_or(0);
        let needed_bytes = (self.model.bytes - there).saturating_add(SPARE_BYTES);
        if let Some(free_bytes) = disk::free_bytes(self.shelf.folder())
            && free_bytes < needed_bytes
        {
            return Err(LocalError::NoSpace { name: name.clone(), needed_bytes, free_bytes });
        }
        let of = path.clone();
        let sum = match there {
            0 => Sha256::new(),
            _ => blocking(move || disk::digest(&of, there)).await?,
        };
        Ok(Part { path, file: None, sum, bytes: there, _held: held })
    }

    /// A download that was just stopped lets go of the name within moments.
    async fn hold(&self) -> Result<File, LocalError> {
        for _ in 0..20 {
            let (shelf, name) = (self.shelf.clone(), self.model.name.clone());
            if let Some(held) = blocking(move || shelf.hold(&name)).await? {
                return Ok(held);
            }
            self.clock.sleep(Duration::from_millis(100)).await;
        }
        Err(LocalError::Busy { name: self.model.name.clone() })
    }

    /// Whether the server has the file that the catalogue means.
    fn compare(&self, opened: &OpenedFile, expected: &mut Option<String>) -> Result<(), LocalError> {
        let differs = |why: String| Err(LocalError::Mismatch { name: self.model.name.clone(), why });
        if let Some(total) = opened.total
            && total != self.model.bytes
        {
            return differs(format!("the server has {total} bytes, and it should be {}", self.model.bytes));
        }
        match (expected.as_ref(), &opened.sha256) {
            (Some(wanted), Some(listed)) if wanted != listed => {
                differs("the server lists another checksum than the catalogue".into())
            }
            (None, Some(listed)) => {
                *expected = Some(listed.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes pieces until the end, or until the connection is lost.
    async fn take(&self, opened: &mut OpenedFile, mut part: Part) -> Result<(Part, Option<DownloadError>), LocalError> {
        let mut batch = Vec::new();
        loop {
            let (piece, fault) = match opened.piece().await {
                Ok(piece) => (piece, None),
                Err(fault) => (None, Some(fault)),
            };
            let is_end = piece.is_none();
            batch.extend_from_slice(&piece.unwrap_or_default());
            if part.bytes + batch.len() as u64 > self.model.bytes {
                delete(part.path).await?;
                let why = "the server sends more than the file has".into();
                return Err(LocalError::Mismatch { name: self.model.name.clone(), why });
            }
            if batch.len() >= BATCH_BYTES || is_end {
                let ready = std::mem::take(&mut batch);
                part = blocking(move || part.append(&ready)).await?;
                let (done_bytes, total_bytes) = (part.bytes, Some(self.model.bytes));
                self.progress.send_replace(InstallProgress::Downloading { done_bytes, total_bytes });
            }
            if is_end {
                let is_early = part.bytes < self.model.bytes;
                let fault = fault.or_else(|| is_early.then(|| lost("the file ended early".into())));
                return Ok((part, fault));
            }
        }
    }

    /// Waits before the next attempt, unless there were enough of them.
    async fn after(&self, cause: DownloadError, failures: &mut u32) -> Result<(), LocalError> {
        *failures += 1;
        if *failures > MAX_FAILURES {
            return Err(LocalError::Download { name: self.model.name.clone(), cause });
        }
        tracing::info!(failures, %cause, "a download is tried again");
        self.clock.sleep(Duration::from_secs(1 << (*failures - 1))).await;
        Ok(())
    }

    /// What is not what it should be is deleted: the next attempt must not build on it.
    async fn check(&self, part: &mut Part, expected: Option<&str>) -> Result<GgufFacts, LocalError> {
        let found = hex::encode(std::mem::take(&mut part.sum).finalize());
        let path = part.path.clone();
        let why = match expected {
            Some(wanted) if wanted != found => Some("its checksum is another".to_owned()),
            _ => None,
        };
        let of = path.clone();
        let facts = match why {
            None => blocking(move || GgufFacts::read(&of)).await.map_err(|error| error.to_string()),
            Some(why) => Err(why),
        };
        match facts {
            Ok(facts) => Ok(facts),
            Err(why) => {
                delete(path).await?;
                Err(LocalError::Mismatch { name: self.model.name.clone(), why })
            }
        }
    }
}

impl Part {
    fn append(mut self, bytes: &[u8]) -> Result<Self, LocalError> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => disk::open_part(&self.path, self.bytes)?,
        };
        file.write_all(bytes).map_err(|error| LocalError::disk("write", &self.path, &error))?;
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file = Some(file);
        Ok(self)
    }

    /// The same from the first byte.
    async fn again(mut self) -> Result<Self, LocalError> {
        delete(self.path.clone()).await?;
        (self.file, self.sum, self.bytes) = (None, Sha256::new(), 0);
        Ok(self)
    }
}

fn lost(cause: String) -> DownloadError {
    DownloadError::Lost { host: "the server".into(), cause }
}

async fn delete(path: PathBuf) -> Result<(), LocalError> {
    blocking(move || disk::delete(&path)).await
}

/// Work on files, away from the threads that wait.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LocalError> + Send + 'static,
) -> Result<T, LocalError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        Err(LocalError::Disk { what: "work on", path: PathBuf::new(), cause: format!("BUG: {error}") })
    })
}
