use crate::home::Home;
use namma_config::{Approvals, ConfigError, ConfigHandle};
use namma_protocol::{ApiError, ErrorCode};

#[test]
fn an_unknown_key_is_told_with_its_line_and_the_right_word() {
    let home = Home::with_overlay("ui:\n  theme: dark\nassistant:\n  user_name: Asha\n  nmae: Gowri\n");
    assert_eq!(
        home.problems(),
        [
            "config.local.yaml:5: there is no setting `assistant.nmae`. Use `assistant.name` instead, or remove the line."
        ]
    );
}

#[test]
fn a_key_in_the_wrong_section_is_told_where_it_belongs() {
    let home = Home::with_overlay("theme: dark\n");
    assert_eq!(
        home.problems(),
        ["config.local.yaml:1: there is no setting `theme`. Use `ui.theme` instead, or remove the line."]
    );
    let home = Home::with_overlay("asistant:\n  name: Gowri\n");
    assert_eq!(
        home.problems(),
        ["config.local.yaml:1: there is no setting `asistant`. Use `assistant` instead, or remove the line."]
    );
}

#[test]
fn a_wrong_type_says_what_was_expected_and_what_was_found() {
    let home = Home::with_overlay(
        "assistant:\n  name: 7\nui: dark\nprovider:\n  max_retries: \"3\"\nsecurity:\n  folders: ~/Documents\nspending:\n  per_day: 0,50\n",
    );
    assert_eq!(
        home.problems(),
        [
            "config.local.yaml:2: `assistant.name` should be text, but is a whole number. Put the value into quotes.",
            "config.local.yaml:3: `ui` should be a section, but is text. \
             Write its settings below it, each on a line that starts with spaces.",
            "config.local.yaml:5: `provider.max_retries` should be a whole number, but is text. \
             Write a whole number, without quotes.",
            "config.local.yaml:7: `security.folders` should be a list, but is text. Write a list: [first, second].",
            "config.local.yaml:9: `spending.per_day` should be a number with a fraction, but is text. \
             Write a number with a point, like 0.5, without quotes.",
        ]
    );
}

#[test]
fn a_wrong_word_says_which_words_there_are() {
    let home = Home::with_overlay("ui:\n  theme: purple\n");
    assert_eq!(
        home.problems(),
        ["config.local.yaml:2: `ui.theme` cannot be `purple`. Use one of: system, light, dark."]
    );
}

#[test]
fn a_broken_rule_is_told_with_its_line_and_nothing_loads() {
    let home = Home::with_overlay(
        "security:\n  rules:\n    - effect: allow\n      tool: read_file\n    - efect: deny\n      tool: '*'\n",
    );
    assert_eq!(
        home.problems(),
        ["config.local.yaml:5: there is no setting `security.rules[1].efect`. \
          Use one of: effect, tool, command, path, host."]
    );
    let home = Home::with_overlay("security:\n  rules:\n    - { effect: allow, tool: '*' }\n");
    assert_eq!(
        home.problems(),
        ["config.local.yaml:3: `security.rules[0]` would allow everything. \
          Name a tool, or add a command, path or host."]
    );
}

#[test]
fn numbers_out_of_range_and_addresses_that_are_none_are_told() {
    let home = Home::with_overlay(
        "provider:\n  base_url: localhost:11434\n  idle_timeout_seconds: 0\n  max_retries: -1\nsecurity:\n  folders: [Documents]\n",
    );
    assert_eq!(
        home.problems(),
        ["config.local.yaml:4: `provider.max_retries` should be a whole number that is not negative. \
          Correct the value, or remove it to use the default."]
    );
    home.write_overlay(
        "provider:\n  base_url: localhost:11434\n  idle_timeout_seconds: 0\nsecurity:\n  folders: [Documents]\n",
    );
    assert_eq!(
        home.problems(),
        [
            "config.local.yaml:2: `provider.base_url` must start with http:// or https://. \
             Write it like http://127.0.0.1:11434/v1.",
            "config.local.yaml:3: `provider.idle_timeout_seconds` must be 1 to 3600, but is 0. Correct the number.",
            "config.local.yaml:5: `security.folders[0]` is not a whole path: Documents. \
             Start it with `~/` or write it from the root.",
        ]
    );
}

#[test]
fn broken_yaml_is_told_with_its_line() {
    let home = Home::with_overlay("ui:\n  theme: dark\nassistant:\n  name: \"open\n");
    let problems = home.problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("config.local.yaml:4: the file is not valid YAML: "), "{problems:?}");
    let home = Home::with_overlay("ui: { theme: dark }\nui: { theme: light }\n");
    let problems = home.problems();
    assert!(problems[0].starts_with("config.local.yaml:2: the file is not valid YAML: "), "{problems:?}");
}

#[test]
fn a_wrong_variable_is_told_by_its_name() {
    let home = Home::new().variable("NAMMA_UI__THEM", "dark").variable("NAMMA_PROVIDER__MAX_RETRIES", "many");
    assert_eq!(
        home.problems(),
        [
            "environment variable NAMMA_PROVIDER__MAX_RETRIES: `provider.max_retries` should be a whole number, \
             but is text. Write a whole number, without quotes.",
            "environment variable NAMMA_UI__THEM: there is no setting `ui.them`. \
             Use `ui.theme` instead, or remove the line.",
        ]
    );
}

#[test]
fn bombs_are_refused_quickly() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = level - 1;
        let line =
            format!("a{level}: &a{level} [*a{before}, *a{before}, *a{before}, *a{before}, *a{before}, *a{before}]\n");
        bomb.push_str(&line);
    }
    for (name, text) in [("aliases", bomb), ("depth", "[".repeat(50_000)), ("size", "#".repeat(300 * 1024))] {
        let problems = Home::with_overlay(&text).problems();
        assert!(problems[0].starts_with("config.local.yaml"), "{name}: {problems:?}");
    }
    assert_eq!(
        Home::with_overlay(&"# x\n".repeat(80 * 1024)).problems(),
        ["config.local.yaml: the file is larger than 256 kB, which settings never are. \
          Move it away and write your settings anew."]
    );
}

#[test]
fn a_file_that_is_not_text_is_told() {
    let home = Home::new();
    std::fs::write(home.overlay_path(), b"ui:\n  theme: \xff\xfe\n").unwrap();
    assert_eq!(home.problems(), ["config.local.yaml:2: the file is not UTF-8 text. Save it as UTF-8."]);
}

#[test]
fn a_key_in_the_file_is_refused_and_never_repeated() {
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
    for text in [
        format!("provider:\n  api_key: {key}\n"),
        format!("provider:\n  api_key_env: {key}\n"),
        format!("provider:\n  type: {key}\n"),
        format!("ui:\n  theme: [{key}]\n"),
        format!("provider:\n  base_url: \"https://user:{key}@example.org/v1\"\n"),
    ] {
        let home = Home::with_overlay(&text);
        let error = home.load().unwrap_err();
        let shown = format!("{error} {error:?} {:?}", ApiError::from(&error));
        assert!(!shown.contains("abcdefgh"), "{shown}");
        assert!(error.to_string().contains("config.local.yaml:2"), "{error}");
    }
}

#[test]
fn with_a_broken_overlay_a_host_starts_without_tools_and_the_file_stays() {
    let broken = "security:\n  aprovals: ask_all\n";
    let home = Home::with_overlay(broken);
    let (config, error) = ConfigHandle::open_or_cautious(home.paths(), home.environment());
    let error = ApiError::from(error.unwrap());
    assert_eq!(error.code, ErrorCode::ConfigInvalid);
    assert!(error.message.contains("config.local.yaml:2"), "{}", error.message);
    let security = &config.get().security;
    assert_eq!(security.approvals, Approvals::AskAll);
    assert_eq!(security.rules.len(), 1, "rules that cannot be read mean no, never yes");
    assert_eq!(security.rules[0].tool, "*");

    let refused = config.set("ui.theme", "dark".into()).unwrap_err();
    assert!(matches!(refused, ConfigError::Invalid { .. }), "{refused:?}");
    assert_eq!(home.overlay_text(), broken);

    home.write_overlay("security:\n  approvals: folders\n");
    assert!(config.reload().unwrap());
    assert_eq!(config.get().security.approvals, Approvals::Folders);
    assert_eq!(config.get().security.rules, []);
}

#[test]
fn all_problems_are_found_at_once() {
    let home = Home::with_overlay("ui: { them: dark }\nlogging: { level: 3 }\n");
    assert_eq!(home.problems().len(), 2);
    let error = home.load().unwrap_err();
    assert!(error.to_string().ends_with("there is no setting `ui.them` (and 1 more)"), "{error}");
}
