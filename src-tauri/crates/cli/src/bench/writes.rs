//! What it costs to store turns of two kilobytes.

use super::Figure;
use super::core::Core;
use namma_app::bench::measure_writes;

const TURNS: u32 = 20_000;

pub(crate) async fn figures() -> anyhow::Result<[Figure; 2]> {
    let core = Core::start().await?;
    let cost = measure_writes(core.app.store(), TURNS).await?;
    core.app.close().await;
    Ok([
        Figure::at_most("write_p99", cost.p99_us as f64 / 1000.0, "ms", 5.0),
        Figure::at_most("write_file_to_text", cost.file_bytes as f64 / cost.payload_bytes as f64, "times", 3.0),
    ])
}
