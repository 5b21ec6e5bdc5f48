use crate::home::Home;
use crate::vault::again;
use namma_config::{ConfigError, Environment, Paths};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn one_variable_moves_everything() {
    let home = Home::new();
    let paths = home.paths();
    assert_eq!(paths.data_dir(), home.path(""));
    assert_eq!(paths.database(), home.path("namma.db"));
    assert_eq!(paths.overlay(), home.path("config.local.yaml"));
    assert_eq!(paths.cache_dir(), home.path("cache"));
    assert_eq!(paths.run_dir(), home.path("run"));
    assert_eq!(paths.logs_dir(), home.path("logs"));
    assert_eq!(paths.vault_name(), format!("namma-agent:{}", home.path("").display()).trim_end_matches('/'));
}

#[test]
fn the_folders_are_private() {
    let home = Home::new();
    std::fs::create_dir(home.path("logs")).unwrap();
    std::fs::set_permissions(home.path("logs"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let inner = Environment::given([("NAMMA_HOME", home.path("a/b").display().to_string())]);
    home.paths().prepare().unwrap();
    Paths::find(&inner).unwrap().prepare().unwrap();
    for name in ["", "cache", "run", "logs", "a", "a/b", "a/b/run"] {
        let mode = std::fs::metadata(home.path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{name}");
    }
}

#[test]
fn a_folder_that_others_use_too_keeps_its_permissions() {
    let home = Home::new();
    std::fs::set_permissions(home.path(""), std::fs::Permissions::from_mode(0o1777)).unwrap();
    home.paths().prepare().unwrap();
    let mode = |name: &str| std::fs::metadata(home.path(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(""), mode("run")), (0o1777, 0o700));
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let home = Home::new();
    std::fs::write(home.path("run"), "a file is in the way").unwrap();
    let error = home.paths().prepare().unwrap_err();
    assert!(matches!(&error, ConfigError::Folder { path, .. } if path.ends_with("run")), "{error:?}");
    assert!(error.hint().contains("Check that the disk has space"), "{}", error.hint());
}

#[test]
fn a_relative_home_is_made_absolute() {
    let paths = Paths::find(&Environment::given([("NAMMA_HOME", "somewhere")])).unwrap();
    assert_eq!(paths.data_dir(), std::env::current_dir().unwrap().join("somewhere"));
}

#[test]
fn without_it_the_folders_of_the_platform_are_used() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).display().to_string();
    let ran = again("paths::without_it_the_folders_of_the_platform_are_used", |command| {
        command.env("HOME", at("home")).env("XDG_CONFIG_HOME", at("config")).env("XDG_DATA_HOME", at("data"));
        command.env_remove("XDG_CACHE_HOME");
    });
    if ran {
        return;
    }
    let variable = |name: &str| std::env::var(name).unwrap();
    let paths = Paths::find(&Environment::given::<&str, &str>([])).unwrap();
    assert_eq!(paths.overlay(), Path::new(&variable("XDG_CONFIG_HOME")).join("namma/config.local.yaml"));
    assert_eq!(paths.database(), Path::new(&variable("XDG_DATA_HOME")).join("namma/namma.db"));
    assert_eq!(paths.cache_dir(), Path::new(&variable("HOME")).join(".cache/namma"));
    assert_eq!(paths.expand_home("~/Documents/**"), format!("{}/Documents/**", variable("HOME")));
    assert_eq!(paths.expand_home("~other/x"), "~other/x");
    assert_eq!(paths.vault_name(), "namma-agent");
}
