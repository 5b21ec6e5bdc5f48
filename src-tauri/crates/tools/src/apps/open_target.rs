use super::target::{Target, whose};
use crate::words;
use namma_core::Tool;
use namma_core::gate::{Application, Look, Opened, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_protocol::{Effect, Preview, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Opens a file, a folder, an address or an application on the person's desktop.
pub(crate) struct OpenTarget;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// A path, an address such as https://example.org, or the name of an application.
    target: String,
}

impl Tool for OpenTarget {
    type Input = Input;
    const NAME: &'static str = "open_target";
    const TOOLSET: &'static str = "apps";

    fn description(&self) -> &'static str {
        "Opens a file, folder, web address or application on the person's screen. You do not see it; to read, use \
         read_file or web_fetch."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = match Target::address(&input.target) {
            Ok(Some(url)) => whose(&url),
            Ok(None) | Err(_) => words::short_name(input.target.trim()).to_owned(),
        };
        let name = words::one_line(&words::excerpt(&name, 60));
        StepTitle { doing: format!("Opening {name}"), done: format!("Opened {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        let effect = match Target::read(&input.target, place)? {
            Target::Path(path) => Effect::OpenFile { path: crate::files::path_text(&path)? },
            Target::Address(url) => Effect::OpenAddress { host: whose(&url), url: url.into() },
            Target::Application(name) => Application::named(&name, &place.home)?.effect(),
        };
        Ok(Effects::of([effect]))
    }

    async fn preview(&self, look: Look<'_, Self>) -> Result<Option<Preview>, ToolFailure> {
        let home = &look.place().home;
        let Target::Application(name) = Target::read(&look.input().target, look.place())? else { return Ok(None) };
        let words: Vec<String> = Application::named(&name, home)?.command.iter().map(|word| quoted(word)).collect();
        Ok(Some(Preview::Command { command: words.join(" "), cwd: crate::files::path_text(home)? }))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let opener = call.opener();
        let (what, opened) = match Target::read(&call.input().target, call.place())? {
            Target::Path(path) => (format!("`{}`", call.place().display(&path)), opener.file(&path).await?),
            Target::Address(url) => (url.to_string(), opener.address(&url, &whose(&url)).await?),
            Target::Application(name) => {
                let application = Application::named(&name, &call.place().home)?;
                let opened = opener.application(&application).await?;
                (application.name, opened)
            }
        };
        let seen = match opened {
            Opened::Runs => "its program runs",
            Opened::HandedOn => "the desktop took it without an error",
        };
        Ok(ToolOutput::ours(format!("opened {what} on the person's screen: {seen}")))
    }
}

/// A word of a command as people read it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
