use super::battery;
use crate::words;
use jiff::tz::TimeZone;
use namma_core::Tool;
use namma_core::gate::Permitted;
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use sysinfo::{CpuRefreshKind, Disks, MemoryRefreshKind, RefreshKind, System};

/// What is declared and read.
const KIND: &str = "system, processor, memory, disks, battery, time zone";

/// Tells what computer this is.
pub(crate) struct SystemInfo;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

impl Tool for SystemInfo {
    type Input = Input;
    const NAME: &'static str = "system_info";
    const TOOLSET: &'static str = "system";

    fn description(&self) -> &'static str {
        "Tells about this computer: operating system, processor, memory, disks, battery, how long it has been on, time zone."
    }

    fn title(&self, _input: &Input) -> StepTitle {
        StepTitle { doing: "Looking at this computer".into(), done: "Looked at this computer".into() }
    }

    fn effects(&self, _input: &Input, _place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::ReadSystem { what: KIND.into() }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let facts = call.system().read(KIND, facts).await?;
        Ok(ToolOutput::ours(facts))
    }
}

fn facts() -> String {
    let mut lines = vec![
        format!("system: {}, kernel {}", told(System::long_os_version()), told(System::kernel_version())),
        format!("architecture: {}", System::cpu_arch()),
        format!("name: {}", told(System::host_name())),
    ];
    let kinds = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing().with_frequency())
        .with_memory(MemoryRefreshKind::everything());
    match System::new_with_specifics(kinds) {
        Ok(system) => lines.extend(processor_and_memory(&system)),
        Err(error) => lines.push(format!("processor and memory: could not be read: {error}")),
    }
    lines.extend(disks());
    lines.extend(battery::lines(Path::new(battery::SUPPLIES)));
    lines.push(format!("on for: {}", told(System::uptime().map(duration))));
    lines.push(format!("time zone: {}", TimeZone::system().iana_name().unwrap_or("unknown")));
    lines.join("\n")
}

fn told(fact: Result<String, sysinfo::Error>) -> String {
    fact.map_or_else(|_| "unknown".into(), |fact| words::one_line(&fact))
}

fn processor_and_memory(system: &System) -> Vec<String> {
    let mut lines = vec![
        format!("processor: {}", processor(system)),
        format!("memory: {} free of {}", words::size(system.available_memory()), words::size(system.total_memory())),
    ];
    if system.total_swap() > 0 {
        lines.push(format!("swap: {} free of {}", words::size(system.free_swap()), words::size(system.total_swap())));
    }
    lines
}

fn processor(system: &System) -> String {
    let threads = words::count(system.cpus().len(), "thread");
    match system.cpus().first().map(|cpu| cpu.brand().trim()).filter(|brand| !brand.is_empty()) {
        Some(brand) => format!("{brand}, {threads}"),
        None => threads,
    }
}

/// One line for each disk; a disk that is mounted in several places is told once.
fn disks() -> Vec<String> {
    let Ok(disks) = Disks::new_with_refreshed_list() else { return vec!["disks: unknown".into()] };
    let mut seen = std::collections::BTreeSet::new();
    disks
        .iter()
        .filter(|disk| disk.total_space() > 0 && seen.insert((disk.name().to_owned(), disk.total_space())))
        .map(|disk| {
            let place = words::one_line(&disk.mount_point().to_string_lossy());
            let system = disk.file_system().to_string_lossy().into_owned();
            format!(
                "disk {place}: {} free of {} ({system})",
                words::size(disk.available_space()),
                words::size(disk.total_space())
            )
        })
        .collect()
}

fn duration(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    if days > 0 { format!("{days} d {hours} h") } else { format!("{hours} h {minutes} min") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_are_there() {
        let facts = facts();
        for line in ["system: ", "processor: ", "memory: ", "on for: ", "time zone: "] {
            assert!(facts.contains(line), "{line} in\n{facts}");
        }
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(59), "0 h 0 min");
        assert_eq!(duration(3_661), "1 h 1 min");
        assert_eq!(duration(90_000), "1 d 1 h");
    }
}
