//! What programs that we start may know of our environment: short lists, and never a key.

use std::ffi::OsString;
use std::path::Path;

const PASSED_ON: [&str; 5] = ["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"];
/// What finds libraries and graphics cards.
const FOR_MODELS: [&str; 10] =
    ["LD_LIBRARY_PATH", "CUDA_", "NVIDIA_", "GGML_", "HIP_", "HSA_", "ROCR_", "VK_", "OMP_", "XDG_DATA_DIRS"];
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The whole environment of a command; the launcher adds `TMPDIR`.
pub(super) fn of_a_command(home: &Path) -> Vec<(OsString, OsString)> {
    let mut variables = passed_on(&[]);
    variables.push(("HOME".into(), home.into()));
    variables.push(("TERM".into(), "dumb".into()));
    variables
}

/// What a model server gets beside what it is given.
pub(crate) fn of_a_model_server() -> Vec<(OsString, OsString)> {
    let mut variables = passed_on(&FOR_MODELS);
    if let Some(home) = std::env::home_dir() {
        variables.push(("HOME".into(), home.into()));
    }
    variables
}

#[expect(clippy::disallowed_methods, reason = "the environment of commands is made here, from a fixed list")]
fn passed_on(more: &[&str]) -> Vec<(OsString, OsString)> {
    let fits = |name: &str| {
        PASSED_ON.contains(&name) || name.starts_with("LC_") || more.iter().any(|start| name.starts_with(start))
    };
    let mut variables: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(fits)).collect();
    let path = std::env::var_os("PATH").unwrap_or_else(|| USUAL_PATH.into());
    variables.push(("PATH".into(), without_bundle(&path, std::env::var_os("APPDIR").as_deref().map(Path::new))));
    variables
}

/// The search path without the folders of an AppImage: they are ours, not the person's.
fn without_bundle(path: &std::ffi::OsStr, bundle: Option<&Path>) -> OsString {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let theirs = folders.filter(|folder| bundle.is_none_or(|bundle| !folder.starts_with(bundle)));
    std::env::join_paths(theirs).unwrap_or_else(|_| USUAL_PATH.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_path_holds_no_folder_of_the_bundle_and_no_relative_one() {
        let path = OsString::from("/tmp/.mount_x/usr/bin:/usr/bin:.:bin:/bin");
        assert_eq!(without_bundle(&path, Some(Path::new("/tmp/.mount_x"))), OsString::from("/usr/bin:/bin"));
    }
}
