//! Sizes, names and places of files.

use super::{our_files, read, root};

/// No file of code may be longer than this, tests included.
const HARD_LIMIT: usize = 700;
/// Code that is no test: the style asks for 400.
const LIMIT: usize = 450;

fn is_code(name: &str) -> bool {
    [".rs", ".ts", ".tsx"].iter().any(|end| name.ends_with(end)) && !name.starts_with("ui/src/protocol/")
}

fn is_test(name: &str) -> bool {
    name.starts_with("tests/")
        || name.starts_with("ui/e2e/")
        || name.contains("/tests/")
        || name.contains(".test.")
        || name.ends_with("tests.rs")
        || name.contains("/testing/")
        || name.starts_with("src-tauri/crates/testkit/")
}

#[test]
fn no_file_of_code_is_too_long_to_be_read() {
    let too_long: Vec<String> = our_files()
        .into_iter()
        .filter(|name| is_code(name))
        .filter_map(|name| {
            let lines = read(&name).lines().count();
            let limit = if is_test(&name) { HARD_LIMIT } else { LIMIT };
            (lines > limit).then(|| format!("{name}: {lines} lines, at most {limit}"))
        })
        .collect();
    assert_eq!(too_long, Vec::<String>::new());
}

#[test]
fn the_top_folder_holds_these_names_and_no_other() {
    const ALLOWED: [&str; 9] =
        ["Cargo.lock", "Cargo.toml", "README.md", "config", "docs", "skills", "src-tauri", "tests", "ui"];
    let mut names: Vec<String> = our_files()
        .into_iter()
        .filter_map(|name| name.split('/').next().map(str::to_owned))
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.dedup();
    let strange: Vec<String> = names.into_iter().filter(|name| !ALLOWED.contains(&name.as_str())).collect();
    assert_eq!(strange, Vec::<String>::new());
}

#[test]
fn no_module_is_called_mod_rs_and_no_name_says_nothing() {
    const EMPTY: [&str; 5] = ["manager", "helper", "util", "common", "processor"];
    let bad: Vec<String> = our_files()
        .into_iter()
        .filter(|name| is_code(name))
        .filter(|name| {
            let file = name.rsplit('/').next().unwrap_or(name).to_lowercase();
            let stem = file.split('.').next().unwrap_or(&file);
            file == "mod.rs" || EMPTY.iter().any(|word| stem == *word || stem == format!("{word}s"))
        })
        .collect();
    assert_eq!(bad, Vec::<String>::new());
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    // Split, so that this file does not find itself.
    let paths =
        [concat!("/ro", "ot/"), concat!("/wo", "rk/main"), concat!("/wo", "rk/shared"), concat!("/home/", "user/")];
    let mut found = Vec::new();
    for name in our_files() {
        let text = read(&name);
        for (number, line) in text.lines().enumerate() {
            if paths.iter().any(|path| line.contains(path)) {
                found.push(format!("{name}:{}: {}", number + 1, line.chars().take(100).collect::<String>()));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn packages_come_from_the_public_registries_only() {
    let sources: Vec<String> = read("Cargo.lock")
        .lines()
        .filter_map(|line| line.strip_prefix("source = "))
        .filter(|source| *source != "\"registry+https://github.com/rust-lang/crates.io-index\"")
        .map(str::to_owned)
        .collect();
    assert_eq!(sources, Vec::<String>::new(), "Cargo.lock");
    for name in our_files() {
        let file = name.rsplit('/').next().unwrap_or(&name);
        assert!(![".npmrc", "pip.conf", ".yarnrc"].contains(&file), "{name} names a registry");
        if file == "package-lock.json" {
            let resolved = read(&name);
            let strange: Vec<&str> = resolved
                .lines()
                .filter(|line| line.contains("\"resolved\": \"http"))
                .filter(|line| !line.contains("\"https://registry.npmjs.org/"))
                .collect();
            assert_eq!(strange, Vec::<&str>::new(), "{name}");
        }
    }
    let cargo = read(".cargo/config.toml");
    assert!(!cargo.contains("[source") && !cargo.contains("[registries"), "{cargo}");
    assert!(root().join(".cargo/deny.toml").is_file(), "the rules for licences, kept by `cargo xtask test`");
}
