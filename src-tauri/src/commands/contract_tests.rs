//! The commands are written in four places: the functions, the names for the permission system, the
//! grants of the window and the TypeScript. These tests hold them together, and the window shut.

use super::{builder, names::NAMES};
use serde_json::Value;
use specta_typescript::Typescript;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(here(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

fn names() -> BTreeSet<String> {
    NAMES.iter().map(|name| (*name).to_owned()).collect()
}

fn bindings() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bindings.ts");
    builder().export(Typescript::default(), &path).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// The words that follow `before` in `text`, up to `after`.
fn between(text: &str, before: &str, after: char) -> BTreeSet<String> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).map(str::to_owned).collect()
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

#[test]
#[allow(clippy::disallowed_methods, reason = "writes the generated file when told so")]
fn the_typescript_is_what_rust_says() {
    let (path, wanted) = (here("../ui/src/protocol/bindings.ts"), bindings());
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == wanted,
        "ui/src/protocol/bindings.ts is out of date: UPDATE_BINDINGS=1 cargo test --workspace the_typescript"
    );
}

#[test]
fn every_name_is_a_command_and_every_command_has_a_name() {
    assert_eq!(between(&bindings(), "__TAURI_INVOKE(\"", '"'), names());
}

#[test]
fn the_window_may_call_our_commands_and_nothing_else() {
    let files: Vec<PathBuf> =
        std::fs::read_dir(here("capabilities")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [here("capabilities/main.json")], "one capability for the one window");
    let capability = json("capabilities/main.json");
    assert_eq!(capability["windows"], serde_json::json!(["main"]));
    assert_eq!(capability["local"], true);
    assert_eq!(capability.get("remote"), None, "no page from outside");
    assert_eq!(capability.get("webviews"), None);
    let granted: Vec<&str> = capability["permissions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let wanted: Vec<String> = NAMES.iter().map(|name| format!("allow-{}", name.replace('_', "-"))).collect();
    assert_eq!(granted, wanted);
}

#[test]
fn the_page_uses_every_command_and_knows_no_other() {
    let page = read("../ui/src/platform/tauri.ts");
    let wanted: BTreeSet<String> = NAMES.iter().map(|name| camel_case(name)).collect();
    assert_eq!(between(&page, "commands.", '('), wanted);
}

#[test]
fn no_type_differs_between_the_ways() {
    let bindings = bindings();
    assert!(!bindings.contains("_Serialize") && !bindings.contains("_Deserialize"));
    assert!(!bindings.contains("bigint"));
}

#[test]
fn the_page_runs_nothing_that_we_did_not_ship() {
    let config = json("tauri.conf.json");
    let app = &config["app"];
    assert_eq!(app["withGlobalTauri"], false);
    assert_eq!(app["windows"], serde_json::json!([]), "the window is made in Rust, with its rules");
    assert_eq!(config["build"].get("devUrl"), None, "a development server is named in tauri.dev.conf.json only");
    let security = &app["security"];
    assert_eq!(security["freezePrototype"], true);
    assert_eq!(security["dangerousDisableAssetCspModification"], false);
    assert_eq!(security["assetProtocol"]["enable"], false);
    assert_eq!(security["capabilities"], serde_json::json!(["main"]));
    assert_eq!(security.get("devCsp"), None);
    let policy = security["csp"].as_str().unwrap();
    for forbidden in ["unsafe-eval", "*", "https:", "http://localhost", "data: 'unsafe"] {
        assert!(!policy.contains(forbidden), "{forbidden} in {policy}");
    }
    let rule = |name: &str| policy.split("; ").find_map(|rule| rule.strip_prefix(name)).map(str::trim);
    assert_eq!(rule("default-src"), Some("'self'"));
    assert_eq!(rule("script-src"), Some("'self'"), "no inline script");
    assert_eq!(rule("connect-src"), Some("ipc: http://ipc.localhost"));
    assert_eq!(rule("img-src"), Some("'self' blob: data:"));
    assert_eq!(rule("object-src"), Some("'none'"));
    assert_eq!(rule("frame-src"), Some("'none'"));
}

#[test]
fn the_release_has_no_developer_tools() {
    let features = read("Cargo.toml") + &read("../Cargo.toml");
    assert!(!features.contains("devtools"), "the feature `devtools` opens them in release builds");
}
