//! What a setting may be, beyond its type.

use crate::schema::{Config, Connection, ProviderKind, Rule, RuleEffect};
use url::Url;

/// A value outside its limits.
pub(crate) struct Fault {
    pub(crate) key: String,
    /// Follows the key: "must be 1 to 10, but is 0".
    pub(crate) message: String,
    pub(crate) hint: String,
}

pub(crate) fn broken(config: &Config) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |key: &str, message: String, hint: &str| {
        faults.push(Fault { key: key.to_owned(), message, hint: hint.to_owned() });
    };

    let name = config.assistant.name.trim();
    if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
        fault("assistant.name", "must be 1 to 60 signs on one line".into(), "Give the assistant a short name.");
    }
    if let Some(url) = &config.provider.base_url
        && let Err(message) = check_url(url)
    {
        fault("provider.base_url", message, "Write it like http://127.0.0.1:11434/v1.");
    }
    if let Some(variable) = &config.provider.api_key_env
        && !is_variable_name(variable)
    {
        let hint = "Write the name of the variable, like OPENAI_API_KEY, and not the key itself.";
        fault("provider.api_key_env", "is not the name of an environment variable".into(), hint);
    }
    let ranges = [
        ("provider.max_retries", i128::from(config.provider.max_retries), 0, 10),
        ("provider.connect_timeout_seconds", seconds(config.provider.connect_timeout()), 1, 600),
        ("provider.first_token_timeout_seconds", seconds(config.provider.first_token_timeout()), 1, 3600),
        ("provider.idle_timeout_seconds", seconds(config.provider.idle_timeout()), 1, 3600),
        ("local_model.threads", i128::from(config.local_model.threads().unwrap_or(0)), 0, 256),
        ("local_model.idle_minutes", seconds(config.local_model.idle()) / 60, 1, 1440),
        ("local_model.start_timeout_seconds", seconds(config.local_model.start_timeout()), 1, 3600),
        ("conversation.result_limit_bytes", config.conversation.result_limit_bytes as i128, 1024, 1_048_576),
    ];
    for (key, value, least, most) in ranges {
        if !(least..=most).contains(&value) {
            fault(key, format!("must be {least} to {most}, but is {value}"), "Correct the number.");
        }
    }
    for (key, amount) in config.spending.amounts() {
        if !(0.0..=1e6).contains(&amount) {
            fault(
                key,
                format!("must be 0 to 1000000 US dollars, but is {amount}"),
                "Correct the amount; 0 is no limit.",
            );
        }
    }
    let mut names = vec![config.provider.name.as_str()];
    if !is_connection_name(&config.provider.name) {
        let name = &config.provider.name;
        fault("provider.name", format!("is not a name for a connection: {name:?}"), NAME_HINT);
    }
    for (index, connection) in config.provider.connections.iter().enumerate() {
        for (field, message, hint) in check_connection(connection, &mut names) {
            fault(&format!("provider.connections[{index}].{field}"), message, hint);
        }
    }
    let programs = [("server", &config.local_model.server), ("chat_template", &config.local_model.chat_template)];
    for (name, path) in programs {
        if let Some(path) = path.as_ref().filter(|path| !is_absolute(path)) {
            let hint = "Start it with `~/` or write it from the root.";
            fault(&format!("local_model.{name}"), format!("is not a whole path: {path}"), hint);
        }
    }
    for (index, folder) in config.security.folders.iter().enumerate() {
        if !is_absolute(folder) {
            let hint = "Start it with `~/` or write it from the root.";
            fault(&format!("security.folders[{index}]"), format!("is not a whole path: {folder}"), hint);
        }
    }
    for (index, rule) in config.security.rules.iter().enumerate() {
        if let Some((message, hint)) = check_rule(rule) {
            fault(&format!("security.rules[{index}]"), message.into(), hint);
        }
    }
    faults
}

const NAME_HINT: &str = "Give it a short name without `/` and without spaces around it.";

fn is_connection_name(name: &str) -> bool {
    let is_seen = |c: char| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let is_plain = |c: char| !c.is_control() && c != '/' && is_seen(c) && (c == ' ' || !c.is_whitespace());
    (1..=40).contains(&name.chars().count()) && name.trim() == name && name.chars().all(is_plain)
}

fn check_connection<'a>(
    connection: &'a Connection,
    names: &mut Vec<&'a str>,
) -> Vec<(&'static str, String, &'static str)> {
    let mut faults = Vec::new();
    let name = connection.name.as_str();
    if !is_connection_name(name) {
        faults.push(("name", format!("is not a name for a connection: {name:?}"), NAME_HINT));
    } else if names.contains(&name) {
        faults.push(("name", format!("is there twice: {name}"), "Give each connection a name of its own."));
    }
    names.push(name);
    let url = match &connection.base_url {
        Some(url) => check_url(url),
        None if connection.kind == ProviderKind::ManagedLocal => Ok(()),
        None => Err("is missing".into()),
    };
    if let Err(message) = url {
        faults.push(("base_url", message, "Write it like http://127.0.0.1:11434/v1."));
    }
    if connection.model.trim().is_empty() {
        faults.push(("model", "is empty".into(), "Name the model that answers."));
    }
    if connection.api_key_env.as_ref().is_some_and(|variable| !is_variable_name(variable)) {
        let hint = "Write the name of the variable, like OPENAI_API_KEY, and not the key itself.";
        faults.push(("api_key_env", "is not the name of an environment variable".into(), hint));
    }
    faults
}

fn seconds(time: std::time::Duration) -> i128 {
    i128::from(time.as_secs())
}

fn check_url(text: &str) -> Result<(), String> {
    let url = Url::parse(text).map_err(|error| format!("is not an address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("must start with http:// or https://".into());
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err("must hold no user name, password or query".into());
    }
    Ok(())
}

fn is_variable_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_absolute(folder: &str) -> bool {
    folder == "~" || folder.starts_with("~/") || std::path::Path::new(folder).is_absolute()
}

fn check_rule(rule: &Rule) -> Option<(&'static str, &'static str)> {
    let patterns = [&rule.command, &rule.path, &rule.host];
    if rule.tool.trim().is_empty() {
        return Some(("names no tool", "Write the tool's name, or `*` for all of them."));
    }
    if patterns.into_iter().flatten().any(|pattern| pattern.trim().is_empty()) {
        return Some(("has an empty pattern", "Remove the pattern, or say what it is for."));
    }
    let is_for_all = rule.tool.chars().all(|c| c == '*');
    if rule.effect == RuleEffect::Allow && is_for_all && patterns.into_iter().all(Option::is_none) {
        return Some(("would allow everything", "Name a tool, or add a command, path or host."));
    }
    None
}
