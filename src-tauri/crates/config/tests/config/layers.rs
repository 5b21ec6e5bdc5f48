use crate::home::Home;
use namma_config::{Rule, RuleEffect, Theme};

#[test]
fn later_layers_win_and_keep_what_they_do_not_mention() {
    let home = Home::with_overlay("assistant: { name: Overlay, user_name: Asha }\nui: { theme: dark }\n");
    let base = home.path("base.yaml");
    std::fs::write(&base, "assistant: { name: Base, persona: short }\nlogging: { level: warn }\n").unwrap();
    let home = home.variable("NAMMA_CONFIG", &base.display().to_string()).variable("NAMMA_UI__THEME", "light");
    let config = home.load().unwrap();
    assert_eq!(config.assistant.name, "Overlay", "the overlay wins over NAMMA_CONFIG");
    assert_eq!(config.assistant.persona.as_deref(), Some("short"), "NAMMA_CONFIG wins over the defaults");
    assert_eq!(config.assistant.user_name.as_deref(), Some("Asha"));
    assert_eq!(config.ui.theme, Theme::Light, "the environment wins over the overlay");
    assert_eq!(config.logging.level.as_str(), "warn");
    assert_eq!(config.provider.max_retries, 3, "what nobody mentions keeps its default");
}

#[test]
fn a_named_base_file_that_is_missing_is_an_error() {
    let home = Home::new();
    let missing = home.path("missing.yaml").display().to_string();
    let home = home.variable("NAMMA_CONFIG", &missing);
    assert_eq!(
        home.problems(),
        ["environment variable NAMMA_CONFIG: there is no file missing.yaml. Correct the path, or unset NAMMA_CONFIG."]
    );
}

#[test]
fn an_empty_overlay_is_fine_in_all_its_forms() {
    for text in ["", "\n\n", "# nothing yet\n", "\u{feff}", "---\n", "{}", "assistant:\nui:\n  theme:\n", "~"] {
        let home = Home::with_overlay(text);
        assert_eq!(home.load().unwrap(), Home::new().load().unwrap(), "for {text:?}");
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let home = Home::with_overlay("\u{feff}assistant:\r\n  name: ನಮ್ಮ\r\nui:\r\n  theme: dark\r\n");
    let config = home.load().unwrap();
    assert_eq!(config.assistant.name, "ನಮ್ಮ");
    assert_eq!(config.ui.theme, Theme::Dark);
}

#[test]
fn text_that_looks_like_another_type_stays_text_in_a_variable() {
    let home = Home::new().variable("NAMMA_PROVIDER__MODEL", "4.10").variable("NAMMA_ASSISTANT__NAME", "true");
    let config = home.load().unwrap();
    assert_eq!(config.provider.model.as_deref(), Some("4.10"));
    assert_eq!(config.assistant.name, "true");
}

#[test]
fn lists_are_replaced_and_rules_are_read_whole() {
    let home = Home::with_overlay(
        "security:\n  folders: [~/Documents, /srv/shared]\n  rules:\n    - { effect: deny, tool: '*', path: '~/Private/**' }\n",
    )
    .variable("NAMMA_SECURITY__FOLDERS", "[~/Notes]");
    let security = home.load().unwrap().security;
    assert_eq!(security.folders, ["~/Notes"]);
    let rule = Rule {
        effect: RuleEffect::Deny,
        tool: "*".into(),
        command: None,
        path: Some("~/Private/**".into()),
        host: None,
    };
    assert_eq!(security.rules, [rule]);
}

#[test]
fn the_assistant_can_be_named_by_the_old_variable() {
    let home = Home::with_overlay("assistant: { name: Overlay }").variable("ASSISTANT_NAME", "Gowri");
    assert_eq!(home.load().unwrap().assistant.name, "Gowri");
    let home = home.variable("NAMMA_ASSISTANT__NAME", "Kaveri");
    assert_eq!(home.load().unwrap().assistant.name, "Kaveri", "the variable of our own wins");
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let home = Home::new().variable("NAMMA_UI__THEME", "");
    assert_eq!(home.load().unwrap().ui.theme, Theme::System);
}
