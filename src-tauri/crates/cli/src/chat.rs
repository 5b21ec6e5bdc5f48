//! `namma chat`: talk, line by line.

use crate::arguments::{Chat, TurnOptions};
use crate::ask::{Printer, message, turn};
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::progress::tell_end;
use crate::screen::{self, note, prompt, say};
use crate::{first_run, host, words};
use namma_app::App;
use namma_protocol::{ApiError, Mode, OpenSession, SessionId};

pub(crate) async fn chat(chat: Chat) -> anyhow::Result<Exit> {
    let lines = Lines::of_stdin();
    let app = host::open(host::approver(chat.turn.approve, || lines.clone(), true)).await?;
    let talked = Talk::new(app.clone(), chat.turn, lines).await?.until_the_end().await;
    app.close().await;
    talked
}

struct Talk {
    app: App,
    lines: Lines,
    options: TurnOptions,
    mode: Mode,
    /// Somebody types; otherwise the lines come from a file or another program.
    typed: bool,
    last: Exit,
}

/// What a line of the person means.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Nothing,
    Message(&'a str),
    New,
    Mode(&'a str),
    Model(&'a str),
    Sessions,
    Help,
    Quit,
    Unknown(&'a str),
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Nothing;
        }
        let Some(command) = line.strip_prefix('/') else { return Self::Message(line) };
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match name {
            "new" => Self::New,
            "mode" => Self::Mode(rest.trim()),
            "model" => Self::Model(rest.trim()),
            "sessions" => Self::Sessions,
            "help" | "?" => Self::Help,
            "quit" | "exit" | "q" => Self::Quit,
            // A path is a question, not a command.
            name if name.contains('/') => Self::Message(line),
            name => Self::Unknown(name),
        }
    }
}

const HELP: &str = "/new              start a new chat
/mode agent|chat  with tools, or talk only
/model NAME       another model; without a name the configured one
/sessions         the latest chats
/quit             leave; Ctrl-C stops an answer";

impl Talk {
    async fn new(app: App, options: TurnOptions, lines: Lines) -> Result<Self, ApiError> {
        let settings = app.settings_get();
        if let Some(id) = options.session.as_deref().map(SessionId::from) {
            let opened = app.session_open(OpenSession { session_id: id, before: None, limit: 1 }).await?;
            note(&format!("going on with: {}", opened.session.title));
        }
        let mode = options.mode.map_or(settings.mode, Into::into);
        let typed = screen::somebody_is_there();
        if typed {
            let status = app.provider_status().await;
            note(&format!("{} · {} · /help", settings.assistant_name, model_of(&options, &status.model)));
            if let Some(problem) = &status.problem {
                if app.has_model() {
                    note(&format!("namma: {}", problem.message));
                }
                first_run::introduce(&app).await;
            }
        }
        Ok(Self { app, lines, options, mode, typed, last: Exit::Done })
    }

    async fn until_the_end(mut self) -> anyhow::Result<Exit> {
        while let Some(line) = self.next_line().await? {
            match Line::read(&line) {
                Line::Nothing => {}
                Line::Message(text) => self.send(text).await?,
                Line::New => {
                    self.options.session = None;
                    note("a new chat");
                }
                Line::Mode(name) => self.set_mode(name),
                Line::Model(name) => {
                    self.options.model = Some(name.to_owned()).filter(|name| !name.is_empty());
                    let configured = self.app.provider_status().await.model;
                    note(&format!("model: {}", model_of(&self.options, &configured)));
                }
                Line::Sessions => self.list().await?,
                Line::Help => note(HELP),
                Line::Quit => break,
                Line::Unknown(name) => note(&format!("there is no command /{name}; /help lists them")),
            }
        }
        Ok(self.last)
    }

    /// The next line; `None` at the end, or when the person leaves with Ctrl-C.
    async fn next_line(&self) -> anyhow::Result<Option<String>> {
        let mut interrupts = Interrupts::listen()?;
        let mut warned = false;
        let mut next = std::pin::pin!(self.lines.next());
        loop {
            if self.typed {
                prompt("› ");
            }
            tokio::select! {
                line = &mut next => return Ok(line),
                () = interrupts.next() => {
                    note("");
                    if warned || !self.typed {
                        return Ok(None);
                    }
                    warned = true;
                    note("/quit leaves; so does Ctrl-C once more");
                }
            }
        }
    }

    /// Failures are told and the talk goes on; only a reader that has gone ends it.
    async fn send(&mut self, text: &str) -> anyhow::Result<()> {
        let mut options = self.options.clone();
        options.mode = None;
        let asked = match message(&self.app, &options, text.to_owned()).await {
            Ok(mut message) => {
                message.mode = self.mode;
                turn(&self.app, message, Printer::text()).await
            }
            Err(error) => Err(error.into()),
        };
        match asked {
            Ok((session, outcome)) => {
                tell_end(&outcome);
                self.last = Exit::from(&outcome);
                self.remember(session);
            }
            Err(error) if screen::reader_is_gone(&error) => return Err(error),
            Err(error) => self.last = crate::exit::explain(&error),
        }
        Ok(())
    }

    fn remember(&mut self, session: SessionId) {
        if self.options.session.is_none() {
            note(&format!("session {session}"));
        }
        self.options.session = Some(session.0);
    }

    fn set_mode(&mut self, name: &str) {
        match name {
            "agent" => self.mode = Mode::Agent,
            "chat" => self.mode = Mode::Chat,
            "" => {}
            other => return note(&format!("there is no mode {other}; agent and chat are the modes")),
        }
        let now = match self.mode {
            Mode::Agent => "agent: with tools",
            Mode::Chat => "chat: talk only",
        };
        note(&format!("mode {now}"));
    }

    async fn list(&self) -> anyhow::Result<()> {
        for session in self.app.session_list().await?.into_iter().take(20) {
            let line = format!("{}  {}  {}", session.session_id, words::moment(session.updated_at), session.title);
            say(&screen::plain(&line))?;
        }
        Ok(())
    }
}

fn model_of<'a>(options: &'a TurnOptions, configured: &'a str) -> &'a str {
    match options.model.as_deref().unwrap_or(configured) {
        "" => "no model yet",
        model => model,
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn a_line_is_a_message_or_a_known_command() {
        assert_eq!(Line::read("  hello "), Line::Message("hello"));
        assert_eq!(Line::read("/mode chat"), Line::Mode("chat"));
        assert_eq!(Line::read("/etc/passwd is what?"), Line::Message("/etc/passwd is what?"));
        assert_eq!(Line::read("/nwe"), Line::Unknown("nwe"));
        assert_eq!(Line::read("   "), Line::Nothing);
    }
}
