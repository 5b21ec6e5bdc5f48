//! `namma config`: the settings.

use crate::arguments::Config as Command;
use crate::exit::Exit;
use crate::screen::{note, say, say_json};
use namma_config::{ConfigHandle, Environment, Paths, Problem};
use namma_protocol::{ApiError, ErrorCode};
use serde_json::{Value, json};

pub(crate) fn config(command: Command) -> anyhow::Result<Exit> {
    let environment = Environment::process();
    let paths = Paths::find(&environment).map_err(ApiError::from)?;
    match command {
        Command::Path(output) => path(&paths, &environment, output.json)?,
        Command::Get { key, output } => {
            let config = ConfigHandle::open(paths, environment).map_err(ApiError::from)?;
            let value = config.get_value(&key).map_err(ApiError::from)?;
            get(&value, output.json)?;
        }
        Command::Set { key, value } => {
            paths.prepare().map_err(ApiError::from)?;
            let config = ConfigHandle::open(paths, environment).map_err(ApiError::from)?;
            set(&config, &key, value)?;
        }
        Command::Check(output) => return check(paths, environment, output.json),
    }
    Ok(Exit::Done)
}

fn path(paths: &Paths, environment: &Environment, json: bool) -> anyhow::Result<()> {
    let base = environment.get("NAMMA_CONFIG");
    if json {
        return say_json(&json!({
            "settings": paths.overlay(),
            "base": base,
            "data": paths.data_dir(),
            "database": paths.database(),
            "cache": paths.cache_dir(),
        }));
    }
    let mut text = format!("settings  {}\n", paths.overlay().display());
    if let Some(base) = base {
        text.push_str(&format!("base      {base}\n"));
    }
    text.push_str(&format!("database  {}\n", paths.database().display()));
    text.push_str(&format!("cache     {}\n", paths.cache_dir().display()));
    Ok(say(&text)?)
}

fn get(value: &Value, json: bool) -> anyhow::Result<()> {
    match value {
        Value::String(text) if !json => Ok(say(text)?),
        other => say_json(other),
    }
}

fn set(config: &ConfigHandle, key: &str, value: Option<String>) -> anyhow::Result<()> {
    let before = config.get_value(key).map_err(ApiError::from)?;
    if let (Value::Object(section), None) = (&before, &value) {
        let names: Vec<String> = section.keys().map(|name| format!("{key}.{name}")).collect();
        let error = ApiError::new(ErrorCode::InvalidInput, format!("`{key}` is a section, not one setting"));
        return Err(error.hint(format!("Name one: {}.", names.join(", "))).into());
    }
    let value = value.map_or(Value::Null, |text| typed(&before, text));
    let saved = config.set(key, value).map_err(ApiError::from)?;
    for name in saved.overridden_by {
        note(&format!("namma: saved, but the environment variable {name} decides this setting"));
    }
    Ok(())
}

/// What was typed, as the kind that the setting has. What does not fit is left as text: the
/// configuration then says what it expected.
fn typed(before: &Value, text: String) -> Value {
    match before {
        Value::String(_) => Value::String(text),
        _ => namma_config::read_value(&text).unwrap_or(Value::String(text)),
    }
}

fn check(paths: Paths, environment: Environment, json: bool) -> anyhow::Result<Exit> {
    let (config, _) = ConfigHandle::open_or_cautious(paths, environment);
    let problems = config.problems();
    let exit = if problems.is_empty() { Exit::Done } else { Exit::Failed };
    if json {
        let listed: Vec<Value> = problems.iter().map(as_json).collect();
        say_json(&json!({ "problems": listed }))?;
        return Ok(exit);
    }
    for problem in &problems {
        note(&format!("namma: {problem}"));
        note(&format!("  {}", problem.hint));
    }
    if problems.is_empty() {
        say("the settings are in order")?;
    }
    Ok(exit)
}

fn as_json(problem: &Problem) -> Value {
    json!({
        "place": problem.place.as_ref().map(ToString::to_string),
        "key": problem.key,
        "message": problem.message,
        "hint": problem.hint,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_the_kind_of_the_setting() {
        assert_eq!(typed(&json!("llama"), "7".into()), json!("7"), "a model may be called 7");
        assert_eq!(typed(&json!(40), "7".into()), json!(7));
        for list in [r#"["~/Documents", "/tmp"]"#, "[~/Documents, /tmp]"] {
            assert_eq!(typed(&json!([]), list.into()), json!(["~/Documents", "/tmp"]));
        }
        let rules = typed(&json!([]), "[{ effect: allow, tool: list_dir }]".into());
        assert_eq!(rules, json!([{ "effect": "allow", "tool": "list_dir" }]));
        assert_eq!(typed(&json!(true), "maybe".into()), json!("maybe"));
    }
}
