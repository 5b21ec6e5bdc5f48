//! Batteries, as the kernel tells of them.

use crate::words;
use std::path::Path;

/// Where Linux lists what gives this computer its power.
pub(super) const SUPPLIES: &str = "/sys/class/power_supply";

/// One line for each battery, or one that says that there is none.
pub(super) fn lines(supplies: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(supplies).into_iter().flatten().flatten();
    let mut lines: Vec<String> = entries.filter_map(|entry| line(&entry.path())).collect();
    lines.sort();
    if lines.is_empty() {
        lines.push("battery: none found".into());
    }
    lines
}

fn line(supply: &Path) -> Option<String> {
    let fact = |name: &str| {
        let text = std::fs::read_to_string(supply.join(name)).ok()?;
        Some(words::one_line(text.trim())).filter(|text| !text.is_empty())
    };
    // Mice and keyboards have batteries of their own.
    if fact("type")? != "Battery" || fact("scope").is_some_and(|scope| scope == "Device") {
        return None;
    }
    let charge = fact("capacity").map_or_else(|| "charge unknown".into(), |percent| format!("{percent} %"));
    let state = fact("status").map(|state| format!(", {}", state.to_lowercase())).unwrap_or_default();
    Some(format!("battery: {charge}{state}"))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]
mod tests {
    use super::*;

    #[test]
    fn each_battery_of_the_computer_is_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let supply = |name: &str, facts: &[(&str, &str)]| {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            for (fact, text) in facts {
                std::fs::write(dir.path().join(name).join(fact), format!("{text}\n")).unwrap();
            }
        };
        assert_eq!(lines(dir.path()), ["battery: none found"]);
        supply("AC", &[("type", "Mains"), ("online", "1")]);
        supply("mouse", &[("type", "Battery"), ("scope", "Device"), ("capacity", "3")]);
        supply("BAT0", &[("type", "Battery"), ("capacity", "83"), ("status", "Discharging")]);
        supply("BAT1", &[("type", "Battery")]);
        assert_eq!(lines(dir.path()), ["battery: 83 %, discharging", "battery: charge unknown"]);
        assert_eq!(lines(&dir.path().join("missing")), ["battery: none found"]);
    }
}
