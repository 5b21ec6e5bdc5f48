//! What is special about opening: a file that would run, an address nearby.

use crate::address::{is_private_name, is_public};
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

/// Ends of the names of scripts, and of documents that may hold macros: what happens is up to the
/// program. The older kinds of Office files do not tell by their names whether there are any.
const MAY_RUN: &[&str] = &[
    "accdb",
    "accde",
    "ade",
    "adp",
    "applescript",
    "awk",
    "bas",
    "bash",
    "chm",
    "cjs",
    "csh",
    "dash",
    "doc",
    "docm",
    "dot",
    "dotm",
    "fish",
    "groovy",
    "ipynb",
    "iqy",
    "jl",
    "js",
    "ksh",
    "lua",
    "mdb",
    "mde",
    "mjs",
    "nu",
    "phar",
    "php",
    "pl",
    "pm",
    "pot",
    "potm",
    "ppa",
    "ppam",
    "pps",
    "ppsm",
    "ppt",
    "pptm",
    "ps1",
    "psm1",
    "py",
    "pyc",
    "pyw",
    "pyz",
    "r",
    "rb",
    "scpt",
    "sh",
    "sldm",
    "slk",
    "tcl",
    "tcsh",
    "vb",
    "wiz",
    "ws",
    "wsc",
    "wsh",
    "xla",
    "xlam",
    "xll",
    "xlm",
    "xls",
    "xlsb",
    "xlsm",
    "xlt",
    "xltm",
    "xlw",
    "zsh",
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

/// Is this host no part of the public internet? Pages of this computer and its network may act on a
/// mere visit.
pub(super) fn is_nearby(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match host.parse() {
        Ok(address) => !is_public(address),
        // A mail goes to somebody, and waits for the person to send it.
        Err(_) => !host.contains('@') && is_private_name(host),
    }
}
