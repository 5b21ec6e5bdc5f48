//! The door cannot be forged: each file of `compile_fail/` is an attempt whose first line names the
//! error that the compiler must give, and no other.
//!
//! The compiler is asked directly, with the libraries that these tests were built with. A harness
//! that makes a project of each attempt would build three hundred crates once more for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/it/compile_fail");
/// An honest tool: it compiles, so that the attempts fail for their own reason.
const HONEST: &str = "an_honest_tool.rs";

#[test]
fn a_permit_cannot_be_forged_nor_lent_and_silence_about_effects_does_not_compile() {
    let libraries = libraries_that_fit();
    let mut attempts = 0;
    for entry in std::fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with(HONEST) {
            continue;
        }
        attempts += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let expected =
            text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("the error in the first line");
        let (code, words) = expected.split_once(": ").expect("code and words");
        let compiled = compile(&path, &libraries);
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(!compiled.status.success(), "{} compiles", path.display());
        assert!(said.contains(&format!("error[{code}]: {words}")), "{} gives another error:\n{said}", path.display());
        let errors = said.lines().filter(|line| line.starts_with("error[")).count();
        assert_eq!(errors, 1, "{} has other faults too:\n{said}", path.display());
    }
    assert_eq!(attempts, 3);
}

/// The libraries of the core and the protocol.
struct Libraries {
    folder: PathBuf,
    core: PathBuf,
    protocol: PathBuf,
}

/// Several builds of a library may lie side by side: the pair with which an honest tool compiles
/// is a right one.
fn libraries_that_fit() -> Libraries {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let mut said = String::new();
    for core in builds_of("namma_core", &folder) {
        for protocol in builds_of("namma_protocol", &folder) {
            let libraries = Libraries { folder: folder.clone(), core: core.clone(), protocol };
            let compiled = compile(&Path::new(FOLDER).join(HONEST), &libraries);
            if compiled.status.success() {
                return libraries;
            }
            said = String::from_utf8_lossy(&compiled.stderr).into_owned();
        }
    }
    panic!("an honest tool does not compile: {said}");
}

/// The newest first.
fn builds_of(name: &str, folder: &Path) -> Vec<PathBuf> {
    let start = format!("lib{name}-");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rlib"))
        .filter(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&start)))
        .collect();
    found.sort_by_key(|path| std::cmp::Reverse(path.metadata().and_then(|facts| facts.modified()).unwrap()));
    found
}

fn compile(file: &Path, libraries: &Libraries) -> Output {
    let out = tempfile::tempdir().unwrap();
    let named = |name: &str, path: &Path| format!("{name}={}", path.display());
    Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--cap-lints", "allow", "--out-dir"])
        .arg(out.path())
        .args(["-L", &named("dependency", &libraries.folder)])
        .args(["--extern", &named("namma_core", &libraries.core)])
        .args(["--extern", &named("namma_protocol", &libraries.protocol)])
        .arg(file)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}
