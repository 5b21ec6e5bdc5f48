//! What programs that we start may know of our environment: short lists, and never a key.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const PASSED_ON: [&str; 5] = ["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"];
/// What finds libraries and graphics cards.
const FOR_MODELS: [&str; 10] =
    ["LD_LIBRARY_PATH", "CUDA_", "NVIDIA_", "GGML_", "HIP_", "HSA_", "ROCR_", "VK_", "OMP_", "XDG_DATA_DIRS"];
/// What a program needs to find the screen, the session and its theme.
const FOR_THE_DESKTOP: [&str; 19] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "SESSION_MANAGER",
    "GNOME_DESKTOP_SESSION_ID",
    "MATE_DESKTOP_SESSION_ID",
    "KDE_",
    "GTK_",
    "GDK_",
    "QT_",
    "XMODIFIERS",
    "XCURSOR_",
    "BROWSER",
    "TERMINAL",
    "SHELL",
    "PULSE_SERVER",
];
/// A variable whose name says this is never passed on, whatever it begins with.
const OF_A_SECRET: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL"];
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

/// The whole environment of what is opened on the desktop.
pub(in super::super) fn of_the_desktop(home: &Path) -> Vec<(OsString, OsString)> {
    let bundle = bundle();
    let passed_on = passed_on(&FOR_THE_DESKTOP).into_iter();
    let theirs =
        passed_on.filter_map(|(name, value)| of_the_person(&name, value, bundle.as_deref()).map(|v| (name, v)));
    theirs.chain([("HOME".into(), home.into())]).collect()
}

/// The value as it was before our bundle was started; `None` when it is a secret's or all ours.
fn of_the_person(name: &OsStr, value: OsString, bundle: Option<&Path>) -> Option<OsString> {
    let name = name.to_string_lossy().to_uppercase();
    if OF_A_SECRET.iter().any(|part| name.contains(part)) {
        return None;
    }
    match bundle {
        Some(bundle) if name == "XDG_DATA_DIRS" => Some(without_bundle(&value, Some(bundle))),
        Some(bundle) if value.to_string_lossy().contains(&*bundle.to_string_lossy()) => None,
        Some(_) | None => Some(value),
    }
}

/// Where an AppImage keeps its files while it runs.
#[expect(clippy::disallowed_methods, reason = "the environment of commands is made here, from a fixed list")]
fn bundle() -> Option<PathBuf> {
    std::env::var_os("APPDIR").map(PathBuf::from).filter(|bundle| bundle.is_absolute())
}

#[expect(clippy::disallowed_methods, reason = "the environment of commands is made here, from a fixed list")]
fn passed_on(more: &[&str]) -> Vec<(OsString, OsString)> {
    let fits = |name: &str| {
        PASSED_ON.contains(&name) || name.starts_with("LC_") || more.iter().any(|start| name.starts_with(start))
    };
    let mut variables: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(fits)).collect();
    let path = std::env::var_os("PATH").unwrap_or_else(|| USUAL_PATH.into());
    variables.push(("PATH".into(), without_bundle(&path, bundle().as_deref())));
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

    #[test]
    fn the_desktop_gets_no_secret_and_nothing_of_the_bundle() {
        let bundle = Some(Path::new("/tmp/.mount_x"));
        let passed = |name: &str, value: &str| of_the_person(OsStr::new(name), value.into(), bundle);
        assert_eq!(passed("DISPLAY", ":0"), Some(":0".into()));
        assert_eq!(passed("XDG_DATA_DIRS", "/tmp/.mount_x/share:/usr/share"), Some("/usr/share".into()));
        for (name, value) in [
            ("GTK_PATH", "/tmp/.mount_x/lib"),
            ("XDG_ACTIVATION_TOKEN", "x"),
            ("KDE_API_KEY", "x"),
            ("QT_PASSWORD", "x"),
        ] {
            assert_eq!(passed(name, value), None, "{name}");
        }
    }
}
