use crate::home::Home;
use namma_config::{ConfigError, Saved, Theme};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_change_applies_at_once_and_is_found_again() {
    let home = Home::new();
    let config = home.open();
    let other = config.clone();
    let mut watcher = config.subscribe();
    assert_eq!(config.set("ui.theme", json!("dark")).unwrap(), Saved::default());
    assert_eq!(other.get().ui.theme, Theme::Dark);
    assert!(watcher.has_changed().unwrap());
    assert_eq!(watcher.borrow_and_update().ui.theme, Theme::Dark);
    assert_eq!(config.get_value("ui.theme").unwrap(), json!("dark"));
    assert_eq!(home.load().unwrap().ui.theme, Theme::Dark);
}

#[test]
fn the_overlay_holds_only_differences() {
    let home = Home::new();
    let config = home.open();
    config.set("ui.theme", json!("dark")).unwrap();
    config.set("assistant.name", json!("Gowri: the \"second\" #1")).unwrap();
    config.set("security.folders", json!(["~/Documents"])).unwrap();
    config.set("ui.theme", json!("system")).unwrap();
    config.set("security.folders", Value::Null).unwrap();
    assert_eq!(config.get().assistant.name, "Gowri: the \"second\" #1");
    assert_eq!(home.load().unwrap(), *config.get());
    assert_eq!(home.overlay_settings().lines().count(), 2, "{}", home.overlay_text());
    config.set("assistant", json!({ "name": "Namma Agent" })).unwrap();
    assert_eq!(home.overlay_settings(), "");
    assert_eq!(home.load().unwrap(), Home::new().load().unwrap());
}

#[test]
fn several_changes_are_made_together_or_not_at_all() {
    let home = Home::new();
    let config = home.open();
    let before = config.get();
    let changes = [("provider.base_url", json!("http://127.0.0.1:11434/v1")), ("provider.max_retries", json!(99))];
    let error = config.set_all(changes).unwrap_err();
    assert!(error.to_string().contains("`provider.max_retries` must be 0 to 10, but is 99"), "{error}");
    assert_eq!(config.get(), before);
    assert!(!home.overlay_path().exists());

    let changes = [("provider.base_url", json!("http://127.0.0.1:11434/v1")), ("provider.model", json!("qwen3:4b"))];
    config.set_all(changes).unwrap();
    assert_eq!(config.get().provider.model.as_deref(), Some("qwen3:4b"));
}

#[test]
fn an_unknown_or_badly_typed_setting_is_refused() {
    let home = Home::new();
    let config = home.open();
    let Err(ConfigError::UnknownKey { key, suggestion }) = config.set("ui.colour_theme", json!("dark")) else {
        panic!("an unknown key was accepted")
    };
    assert_eq!((key.as_str(), suggestion.as_deref()), ("ui.colour_theme", Some("ui.theme")));
    config.set("ui.theme", json!("purple")).unwrap_err();
    config.set("ui", json!({ "theme": "dark", "sparkle": true })).unwrap_err();
    config.set("ui", json!("dark")).unwrap_err();
    config.set("", json!({})).unwrap_err();
    assert!(matches!(config.get_value("ui.nothing"), Err(ConfigError::UnknownKey { .. })));
    assert!(!home.overlay_path().exists());
}

#[test]
fn a_key_is_never_written() {
    let home = Home::new();
    let config = home.open();
    let keys = [
        concat!("sk", "-ant-", "abcdefghijklmnopqrstuvwxyz"),
        "gsk_abcdefghijklmnopqrstuvwxyz",
        "AIzaSyA-abcdefghijklmnopqrstuvwxyz",
        "eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl",
        "Bearer sk-abcdefghijklmnop123456",
        "-----BEGIN PRIVATE KEY-----",
    ];
    for key in keys {
        for setting in ["provider.model", "provider.api_key_ref", "assistant.persona", "provider.api_key"] {
            let error = config.set(setting, json!(key)).unwrap_err();
            assert!(matches!(error, ConfigError::SecretRefused { .. }), "{setting}: {error:?}");
            assert!(!format!("{error:?} {}", error.hint()).contains(key));
        }
    }
    config.set("provider.base_url", json!("https://me:secret@example.org/v1")).unwrap_err();
    assert!(!home.overlay_path().exists());
}

#[test]
fn the_file_is_private_and_nothing_else_stays_behind() {
    let home = Home::new();
    home.open().set("ui.theme", json!("dark")).unwrap();
    assert_eq!(std::fs::metadata(home.overlay_path()).unwrap().permissions().mode() & 0o777, 0o600);
    let mut names: Vec<String> = std::fs::read_dir(home.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["config.local.lock", "config.local.yaml"]);
}

#[test]
fn a_failed_write_leaves_the_old_file_and_the_old_settings() {
    let home = Home::with_overlay("ui: { theme: dark }\n");
    let config = home.open();
    // A folder in place of the lock makes writing fail for every user, root included.
    std::fs::create_dir(home.path("config.local.lock")).unwrap();
    let error = config.set("ui.theme", json!("light")).unwrap_err();
    assert!(matches!(error, ConfigError::Write { .. }), "{error:?}");
    assert_eq!(home.overlay_text(), "ui: { theme: dark }\n");
    assert_eq!(config.get().ui.theme, Theme::Dark);
}

#[test]
fn comments_above_the_first_setting_are_kept() {
    let home = Home::with_overlay("# my laptop\n# second line\n\nui: { theme: dark } # night\n");
    home.open().set("assistant.name", json!("Gowri")).unwrap();
    assert_eq!(home.overlay_text(), "# my laptop\n# second line\n\nui:\n  theme: dark\nassistant:\n  name: Gowri\n");
}

#[test]
fn a_linked_overlay_is_written_through_the_link() {
    let home = Home::new();
    let target = home.path("dotfiles.yaml");
    std::fs::write(&target, "ui: { theme: dark }\n").unwrap();
    std::os::unix::fs::symlink(&target, home.overlay_path()).unwrap();
    home.open().set("assistant.name", json!("Gowri")).unwrap();
    assert!(home.overlay_path().is_symlink());
    assert!(std::fs::read_to_string(&target).unwrap().contains("Gowri"));
}

#[test]
fn a_variable_that_decides_is_told() {
    let home = Home::new().variable("NAMMA_UI__THEME", "light");
    let config = home.open();
    let saved = config.set("ui.theme", json!("dark")).unwrap();
    assert_eq!(saved, Saved { overridden_by: vec!["NAMMA_UI__THEME".into()] });
    assert_eq!(config.get().ui.theme, Theme::Light);
    assert_eq!(home.overlay_settings(), "ui:\n  theme: dark");
}

#[test]
fn what_a_variable_hides_must_be_valid_too() {
    let home = Home::new().variable("NAMMA_UI__THEME", "light");
    home.open().set("ui.theme", json!("purple")).unwrap_err();
    assert!(!home.overlay_path().exists());
}

#[test]
fn a_wrong_word_in_the_file_can_be_corrected_by_setting_it() {
    let home = Home::with_overlay("ui:\n  theme: purple\nassistant:\n  name: Gowri\n");
    let (config, error) = namma_config::ConfigHandle::open_or_cautious(home.paths(), home.environment());
    assert!(error.is_some());
    config.set("ui.theme", json!("dark")).unwrap();
    assert_eq!(config.get().assistant.name, "Gowri");
    assert_eq!(config.get().security.rules, [], "the cautious rule goes when the file is right");
}

#[test]
fn two_programs_that_write_at_once_lose_nothing() {
    let home = Home::new();
    let (app, command_line) = (home.open(), home.open());
    std::thread::scope(|scope| {
        scope.spawn(|| (0..20).for_each(|n| drop(app.set("assistant.user_name", json!(format!("n{n}"))).unwrap())));
        scope.spawn(|| (0..20).for_each(|n| drop(command_line.set("provider.model", json!(format!("m{n}"))).unwrap())));
    });
    let config = home.load().unwrap();
    assert_eq!(config.assistant.user_name.as_deref(), Some("n19"));
    assert_eq!(config.provider.model.as_deref(), Some("m19"));
}
