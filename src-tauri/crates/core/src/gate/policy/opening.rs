//! What is special about opening: a file that would run, an address nearby.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

/// Ends of the names of programs, packages, and links to programs: to open one is to run it.
const PROGRAMS: &[&str] = &[
    "action",
    "apk",
    "app",
    "appimage",
    "application",
    "bat",
    "bin",
    "cmd",
    "com",
    "command",
    "cpl",
    "deb",
    "desktop",
    "dmg",
    "exe",
    "flatpak",
    "flatpakref",
    "flatpakrepo",
    "hta",
    "jar",
    "jnlp",
    "jse",
    "kdelnk",
    "lnk",
    "msc",
    "msi",
    "pif",
    "pkg",
    "reg",
    "rpm",
    "run",
    "scr",
    "service",
    "snap",
    "terminal",
    "url",
    "vbe",
    "vbs",
    "webloc",
    "workflow",
    "wsf",
];

/// Ends of the names of scripts, and of documents with macros: what happens is up to the program.
const MAY_RUN: &[&str] = &[
    "awk", "bash", "csh", "docm", "dotm", "fish", "js", "ksh", "lua", "php", "pl", "potm", "ppam", "ppsm", "pptm",
    "ps1", "py", "pyw", "rb", "sh", "tcl", "xlam", "xlsm", "xltm", "zsh",
];

/// Why a file is never opened, when to open it is to run it.
pub(super) fn runs(path: &str) -> Option<String> {
    has_end(path, PROGRAMS).then(|| {
        "a file of this kind runs when it is opened; it can be started by hand from its folder, which can be opened"
            .to_owned()
    })
}

/// Could the program that opens it run it?
pub(in crate::gate) fn may_run(path: &str) -> bool {
    has_end(path, MAY_RUN)
}

fn has_end(path: &str, ends: &[&str]) -> bool {
    let end = Path::new(path).extension().map(|end| end.to_string_lossy().to_lowercase());
    end.is_some_and(|end| ends.contains(&end.as_str()))
}

/// Is this host this computer, or one of its network? Pages there may act on a mere visit.
pub(super) fn is_nearby(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match host.parse() {
        Ok(IpAddr::V4(address)) => is_nearby_v4(address),
        Ok(IpAddr::V6(address)) => match address.to_ipv4() {
            Some(inner) => is_nearby_v4(inner) || address.is_loopback(),
            None => address.is_unique_local() || address.is_unicast_link_local() || address.is_multicast(),
        },
        // A mail goes to somebody, and waits for the person to send it.
        Err(_) if host.contains('@') => false,
        Err(_) => {
            let last = host.rsplit('.').next().unwrap_or(host);
            !host.contains('.') || ["localhost", "local", "internal", "lan", "home", "arpa"].contains(&last)
        }
    }
}

fn is_nearby_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || first == 0
        || is_shared
}
