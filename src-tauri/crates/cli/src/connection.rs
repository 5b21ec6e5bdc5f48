//! `namma connection`: the places where models answer.

use crate::arguments::{Connection, SetConnection};
use crate::exit::Exit;
use crate::screen::{note, plain, say, say_json};
use crate::{hidden, host, words};
use namma_app::App;
use namma_core::ports::DeclineAll;
use namma_protocol::{ConfigureProvider, ConnectionView, KeySource, ModelFacts, TestVerdict};
use std::sync::Arc;

pub(crate) async fn connection(command: Connection) -> anyhow::Result<Exit> {
    let app = host::open(Arc::new(DeclineAll)).await?;
    let done = run(&app, command).await;
    app.close().await;
    done
}

async fn run(app: &App, command: Connection) -> anyhow::Result<Exit> {
    match command {
        Connection::List(output) => list(app, output.json)?,
        Connection::Set(wish) => return set(app, wish).await,
        Connection::Test { name, output } => return test(app, &name, output.json).await,
        Connection::Models { name, output } => models(app, &name, output.json).await?,
        Connection::Order { names } => {
            let named = |one: &ConnectionView| names.contains(&one.name);
            let behind = app.connections_list().into_iter().filter(|one| !named(one)).map(|one| one.name);
            let all: Vec<String> = names.iter().cloned().chain(behind).collect();
            app.connections_order(&all)?;
            note(&format!("namma: {} answers first now", names[0]));
        }
        Connection::Remove { name } => {
            app.connection_remove(&name).await?;
            note(&format!("namma: {name} is removed"));
        }
    }
    Ok(Exit::Done)
}

fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let all = app.connections_list();
    if json {
        return say_json(&all);
    }
    if all.is_empty() {
        note("namma: no model is set up yet");
        note("  `namma connection set main --url http://127.0.0.1:11434/v1` sets one up.");
        return Ok(());
    }
    let width = all.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = all.iter().enumerate().map(|(at, one)| line(at, one, width)).collect();
    Ok(say(&plain(&lines.join("\n")))?)
}

fn line(at: usize, one: &ConnectionView, width: usize) -> String {
    let place = match (at, one.fallback) {
        (0, _) => "answers first",
        (_, true) => "takes over",
        (_, false) => "when named",
    };
    let key = match one.key {
        KeySource::Vault => "key in the vault",
        KeySource::Environment => "key in the environment",
        KeySource::None => "no key",
    };
    let trouble = one.problem.as_ref().map(|error| error.message.clone());
    let below: String =
        [facts(&one.facts), trouble].into_iter().flatten().map(|words| format!("\n  {words}")).collect();
    format!("{:width$}  {place:13}  {}  {} ({key}){below}", one.name, one.label, one.model)
}

/// What is known of a model: `reads 200k tokens, sees images, $3.00 in, $15.00 out per million tokens`.
fn facts(facts: &ModelFacts) -> Option<String> {
    let dollars = |micros: u32| words::dollars(i64::from(micros) * 1000);
    let known = [
        facts.context_tokens.map(|tokens| format!("reads {}k tokens", tokens / 1000)),
        facts.images.unwrap_or(false).then(|| "sees images".to_owned()),
        facts.tools.is_some_and(|tools| !tools).then(|| "no tools".to_owned()),
        facts.price.map(|price| {
            format!("{} in, {} out per million tokens", dollars(price.input_micros), dollars(price.output_micros))
        }),
    ];
    let known: Vec<String> = known.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(", "))
}

async fn set(app: &App, wish: SetConnection) -> anyhow::Result<Exit> {
    let api_key = if wish.key {
        let Some(key) = hidden::read_key().await? else { return Ok(Exit::Cancelled) };
        Some(key)
    } else {
        None
    };
    let takes_over = app.connections_list().iter().any(|one| one.name == wish.name && one.fallback);
    let choice = ConfigureProvider {
        connection: Some(wish.name.clone()),
        kind: wish.kind,
        base_url: wish.url,
        model: wish.model,
        api_key,
        key_env: wish.key_env,
        keep_key: wish.keep_key,
        fallback: wish.fallback || (takes_over && !wish.no_fallback),
    };
    app.provider_configure(choice).await?;
    let all = app.connections_list();
    if let Some((at, one)) = all.iter().enumerate().find(|(_, one)| one.name == wish.name) {
        say(&plain(&line(at, one, one.name.len())))?;
    }
    Ok(Exit::Done)
}

async fn test(app: &App, name: &str, json: bool) -> anyhow::Result<Exit> {
    let test = app.connection_test(name).await?;
    if json {
        say_json(&test)?;
    } else {
        say(&plain(&test.message))?;
        if let Some(hint) = &test.hint {
            note(&format!("  {hint}"));
        }
    }
    Ok(if matches!(test.verdict, TestVerdict::Works | TestVerdict::NoTools) { Exit::Done } else { Exit::Failed })
}

async fn models(app: &App, name: &str, json: bool) -> anyhow::Result<()> {
    let list = app.connection_models(name).await?;
    if json {
        return say_json(&list);
    }
    if list.is_fallback {
        note("namma: the server did not say what it offers; these models are known of it");
    }
    Ok(say(&plain(&list.models.join("\n")))?)
}

#[cfg(test)]
mod tests {
    use super::facts;
    use namma_protocol::{ModelFacts, ModelPrice};

    #[test]
    fn what_is_known_of_a_model_is_said_in_words_and_nothing_else_is() {
        let unknown = ModelFacts { context_tokens: None, images: None, tools: None, price: None };
        assert_eq!(facts(&unknown), None);
        let known = ModelFacts {
            context_tokens: Some(200_000),
            images: Some(true),
            tools: Some(false),
            price: Some(ModelPrice { input_micros: 3_000_000, output_micros: 150_000 }),
        };
        let words = "reads 200k tokens, sees images, no tools, $3.00 in, $0.1500 out per million tokens";
        assert_eq!(facts(&known).as_deref(), Some(words));
        let plain = ModelFacts { images: Some(false), tools: Some(true), ..unknown };
        assert_eq!(facts(&plain), None, "what is usual is not said");
    }
}
