use crate::home::Home;
use namma_config::{Approvals, LogLevel, ProviderKind, Sandbox, Theme};
use namma_protocol::Mode;
use serde_json::Value;
use std::time::Duration;

const DEFAULTS: &str = include_str!("../../../../../config/default.yaml");

#[test]
fn an_empty_home_has_the_documented_defaults() {
    let config = Home::new().load().unwrap();
    assert_eq!(config.assistant.name, "Namma Agent");
    assert_eq!(config.assistant.user_name, None);
    assert_eq!(config.provider.kind, ProviderKind::Auto);
    assert_eq!(config.provider.base_url, None);
    assert_eq!(config.provider.max_tokens(), Some(8192));
    assert_eq!(config.provider.first_token_timeout(), Duration::from_secs(300));
    assert_eq!(config.conversation.default_mode, Mode::Agent);
    assert_eq!(config.conversation.tool_loop_limit(), Some(40));
    assert_eq!(config.security.approvals, Approvals::AskWhenItMatters);
    assert_eq!(config.security.rules, []);
    assert_eq!(config.security.sandbox, Sandbox::Auto);
    assert_eq!(config.ui.theme, Theme::System);
    assert_eq!(config.desktop.hotkey.as_deref(), Some("Ctrl+Shift+Space"));
    assert_eq!(config.logging.level, LogLevel::Info);
}

#[test]
fn every_setting_is_described_and_names_its_variable() {
    let everything = Home::new().open().get_value("").unwrap();
    let Value::Object(sections) = everything else { panic!("not a tree: {everything}") };
    for (section, settings) in sections {
        for key in settings.as_object().unwrap().keys() {
            let variable = format!("NAMMA_{section}__{key}").to_uppercase();
            let named = DEFAULTS.lines().any(|line| line.trim().trim_start_matches("# ").starts_with(&variable));
            assert!(named, "default.yaml does not name {variable} above its setting");
        }
    }
}

#[test]
fn every_setting_can_be_set_by_its_variable_to_its_own_default() {
    let home = Home::new();
    let plain = home.load().unwrap();
    let everything = home.open().get_value("").unwrap();
    let mut home = home;
    for (section, settings) in everything.as_object().unwrap() {
        for (key, value) in settings.as_object().unwrap() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            home = home.variable(&format!("NAMMA_{section}__{key}").to_uppercase(), &text);
        }
    }
    assert_eq!(home.load().unwrap(), plain);
}

#[test]
fn zero_or_less_means_no_limit_of_steps() {
    for value in ["0", "-1"] {
        let home = Home::new().variable("NAMMA_CONVERSATION__TOOL_LOOP_LIMIT", value);
        assert_eq!(home.load().unwrap().conversation.tool_loop_limit(), None, "for {value}");
    }
}
