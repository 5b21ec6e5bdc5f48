//! Who may know whom: `docs/ARCHITECTURE.md`.

use super::{our_files, read, root};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};

/// Our crates with all of ours that each builds on; a change here is a change of the architecture.
const LAYERS: &[(&str, &[&str])] = &[
    ("namma-protocol", &[]),
    ("namma-core", &["namma-protocol"]),
    ("namma-store", &["namma-core", "namma-protocol"]),
    ("namma-providers", &["namma-core", "namma-protocol"]),
    ("namma-local", &["namma-core", "namma-protocol", "namma-providers"]),
    ("namma-tools", &["namma-core", "namma-protocol"]),
    ("namma-config", &["namma-core", "namma-protocol"]),
    (
        "namma-app",
        &[
            "namma-config",
            "namma-core",
            "namma-local",
            "namma-protocol",
            "namma-providers",
            "namma-store",
            "namma-tools",
        ],
    ),
    ("namma-cli", &["namma-app", "namma-config", "namma-core", "namma-protocol"]),
    ("namma-desktop", &["namma-app", "namma-config", "namma-core", "namma-protocol"]),
    ("namma-testkit", &["namma-core", "namma-protocol"]),
    ("namma-xtask", &[]),
    ("namma-tests", &[]),
];

fn packages() -> Vec<Package> {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).no_deps().other_options(["--offline".to_owned()]);
    command.exec().unwrap().packages
}

#[test]
fn each_crate_builds_on_exactly_the_layers_below_it() {
    let found: BTreeMap<String, BTreeSet<String>> = packages()
        .iter()
        .map(|package| {
            let ours = package.dependencies.iter().filter(|dependency| {
                dependency.kind != DependencyKind::Development && dependency.name.starts_with("namma-")
            });
            (package.name.to_string(), ours.map(|dependency| dependency.name.clone()).collect())
        })
        .collect();
    let expected: BTreeMap<String, BTreeSet<String>> = LAYERS
        .iter()
        .map(|(name, below)| ((*name).to_owned(), below.iter().map(|below| (*below).to_owned()).collect()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn the_heavy_libraries_stay_behind_their_fences() {
    const FENCES: &[(&str, &[&str])] = &[
        ("sqlx", &["namma-store"]),
        ("reqwest", &["namma-providers"]),
        ("rustls", &["namma-providers"]),
        ("tauri", &["namma-desktop"]),
        ("clap", &["namma-cli"]),
    ];
    let packages = packages();
    for (library, allowed) in FENCES {
        let users: Vec<&str> = packages
            .iter()
            .filter(|package| {
                package
                    .dependencies
                    .iter()
                    .any(|dependency| dependency.name == *library && dependency.kind != DependencyKind::Development)
            })
            .map(|package| package.name.as_str())
            .filter(|user| !allowed.contains(user))
            .collect();
        assert_eq!(users, Vec::<&str>::new(), "{library} belongs to {allowed:?}");
    }
}

#[test]
fn programs_that_nothing_confines_are_started_by_the_crate_of_local_models_only() {
    let starts_them = |name: &String| {
        let is_code = name.ends_with(".rs") && name.starts_with("src-tauri/") && !name.contains("/tests/");
        is_code && read(name).contains("KeptProgram")
    };
    let found: Vec<String> = our_files().into_iter().filter(starts_them).collect();
    assert_eq!(found, ["src-tauri/crates/core/src/kept.rs", "src-tauri/crates/local/src/server.rs"]);
}
