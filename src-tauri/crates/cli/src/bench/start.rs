//! From the start of the process until its request has reached the model.

use super::model::{Model, Seen};
use super::{Figure, percentile};
use anyhow::Context;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STARTS: usize = 20;

pub(crate) fn figures() -> anyhow::Result<[Figure; 1]> {
    let (model, home) = (Model::start()?, tempfile::tempdir()?);
    let mut samples = Vec::with_capacity(STARTS);
    // The first start makes the database and is not counted.
    for number in 0..=STARTS {
        let began = Instant::now();
        let mut ask = Command::new(std::env::current_exe()?)
            .args(["ask", "--approve", "never", "How long does it take?"])
            .env("NAMMA_HOME", home.path())
            .env("NAMMA_PROVIDER__BASE_URL", model.base_url())
            .env("NAMMA_PROVIDER__MODEL", "text-1")
            .env_remove("NAMMA_CONFIG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let seen = model.seen.recv_timeout(Duration::from_secs(30)).context("`namma ask` sent no request")?;
        anyhow::ensure!(ask.wait()?.success(), "`namma ask` failed");
        if let (Seen::Request(at), true) = (seen, number > 0) {
            samples.push(at.duration_since(began).as_secs_f64() * 1000.0);
        }
    }
    Ok([Figure::at_most("start_to_request_p50", percentile(&mut samples, 0.5), "ms", 60.0)])
}
