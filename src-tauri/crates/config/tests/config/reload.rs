use crate::home::Home;
use namma_config::Theme;
use serde_json::json;

#[test]
fn a_change_of_the_other_program_is_seen_at_the_next_reload() {
    let home = Home::new();
    let (app, command_line) = (home.open(), home.open());
    assert!(!app.reload().unwrap(), "nothing has changed yet");
    command_line.set("ui.theme", json!("dark")).unwrap();
    assert!(app.reload().unwrap());
    assert_eq!(app.get().ui.theme, Theme::Dark);
    assert_eq!(app.get_value("ui.theme").unwrap(), json!("dark"));
    assert!(!app.reload().unwrap(), "and only once");
}

#[test]
fn a_change_of_ones_own_needs_no_reload() {
    let home = Home::new();
    let config = home.open();
    config.set("ui.theme", json!("dark")).unwrap();
    assert!(!config.reload().unwrap());
}

#[test]
fn a_file_that_breaks_later_keeps_the_last_good_settings_and_says_so_each_time() {
    let home = Home::with_overlay("ui: { theme: dark }\n");
    let config = home.open();
    home.write_overlay("ui: { theme: dark\n");
    for _ in 0..2 {
        let error = config.reload().unwrap_err();
        assert!(error.to_string().contains("config.local.yaml"), "{error}");
        assert_eq!(config.get().ui.theme, Theme::Dark);
    }
    assert_eq!(config.problems().len(), 1);
    home.write_overlay("ui: { theme: light }\n");
    assert!(config.reload().unwrap());
    assert_eq!(config.problems(), []);
}

#[test]
fn a_removed_overlay_brings_back_the_defaults() {
    let home = Home::with_overlay("ui: { theme: dark }\n");
    let config = home.open();
    std::fs::remove_file(home.overlay_path()).unwrap();
    assert!(config.reload().unwrap());
    assert_eq!(config.get().ui.theme, Theme::System);
}

#[test]
fn a_change_of_comments_wakes_nobody() {
    let home = Home::with_overlay("ui: { theme: dark }\n");
    let config = home.open();
    let watcher = config.subscribe();
    home.write_overlay("# night\nui: { theme: dark }\n");
    assert!(!config.reload().unwrap());
    assert!(!watcher.has_changed().unwrap());
}
