//! `namma ask`: one question, one answer.

use crate::arguments::{Ask, TurnOptions};
use crate::exit::Exit;
use crate::first_run;
use crate::follow::Follower;
use crate::host;
use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::progress::{Progress, tell_end};
use crate::screen::{self, note};
use anyhow::Context;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Fuse};
use namma_app::App;
use namma_protocol::{ApiError, Delivery, OpenSession, SendMessage, SessionId, TurnEnvelope, TurnEvent, TurnOutcome};
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

pub(crate) async fn ask(ask: Ask) -> anyhow::Result<Exit> {
    if let Some(problem) = ask.files.iter().find_map(|path| problem_of(path)) {
        note(&format!("namma: {problem}"));
        note("  Give `--file` the path of a file that is there.");
        return Ok(Exit::Usage);
    }
    let question = question(ask.text)?;
    if question.text.trim().is_empty() && ask.files.is_empty() {
        note("namma: there is no question");
        note("  Write it after `namma ask`, or pipe it in.");
        return Ok(Exit::Usage);
    }
    let app = host::open(host::approver(ask.turn.approve, Lines::of_stdin, false)).await?;
    let printer = if ask.json { Printer::Json } else { Printer::text() };
    let exit = ask_in(&app, &ask.turn, question, &ask.files, printer).await;
    app.close().await;
    exit
}

/// Why a path cannot be attached, as far as that is seen before anything begins.
fn problem_of(path: &Path) -> Option<String> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Some(format!("there is no file `{}`", path.display()))
        }
        Ok(metadata) if metadata.is_dir() => Some(format!("`{}` is a folder", path.display())),
        // What else may be wrong is told when it is read.
        Err(_) | Ok(_) => None,
    }
}

/// What is asked.
struct Question {
    text: String,
    /// What was piped in behind the words of the question. It is data, not the person's own words.
    piped: Vec<u8>,
}

/// What stands for the name of a file when something is piped in.
const PIPE: &str = "standard input";

/// A `-` behind the words stands for data that is piped in; where there are no words, the pipe holds
/// the question.
fn question(mut words: Vec<String>) -> anyhow::Result<Question> {
    let is_asked_for = words.pop_if(|word| word == "-").is_some();
    let mut piped = Vec::new();
    if is_asked_for || (words.is_empty() && !std::io::stdin().is_terminal()) {
        std::io::stdin().read_to_end(&mut piped).context("could not read standard input")?;
    }
    if !words.is_empty() {
        return Ok(Question { text: words.join(" "), piped });
    }
    let text = String::from_utf8(piped).context("the question on standard input is not UTF-8 text")?;
    Ok(Question { text, piped: Vec::new() })
}

async fn ask_in(
    app: &App,
    options: &TurnOptions,
    question: Question,
    files: &[PathBuf],
    printer: Printer,
) -> anyhow::Result<Exit> {
    let mut message = message(app, options, question.text).await?;
    if !question.piped.iter().all(u8::is_ascii_whitespace) {
        message.attachments.push(app.attachment_add_bytes(PIPE, &question.piped).await?);
    }
    for path in files {
        message.attachments.push(app.attachment_add_file(path).await?);
    }
    let (session, outcome) = match turn(app, message, printer).await {
        // Whoever wanted the answer has gone, and the turn was stopped.
        Err(error) if screen::reader_is_gone(&error) => return Ok(Exit::Cancelled),
        ended => ended?,
    };
    tell_end(&outcome);
    if !app.has_model() {
        first_run::suggest(app).await;
    }
    note(&format!("session {session}"));
    Ok(Exit::from(&outcome))
}

/// The message as the options want it.
///
/// # Errors
/// When a session is named that does not exist.
pub(crate) async fn message(app: &App, options: &TurnOptions, text: String) -> Result<SendMessage, ApiError> {
    let session_id = options.session.as_deref().map(SessionId::from);
    if let Some(session_id) = &session_id {
        app.session_open(OpenSession { session_id: session_id.clone(), before: None, limit: 1 }).await?;
    }
    let mode = options.mode.map_or_else(|| app.config().get().conversation.default_mode, Into::into);
    Ok(SendMessage {
        session_id,
        text,
        attachments: Vec::new(),
        mode,
        model: options.model.clone(),
        think: options.think,
        allow_spending: options.over_limit,
        delivery: Delivery::Queue,
    })
}

/// Runs one turn to its end and prints it. The first Ctrl-C stops the turn, the second the program.
///
/// # Errors
/// When the message could not be stored; when the reader of the answer has gone.
pub(crate) async fn turn(
    app: &App,
    message: SendMessage,
    mut printer: Printer,
) -> anyhow::Result<(SessionId, TurnOutcome)> {
    let mut interrupts = Interrupts::listen()?;
    let subscription = app.subscribe();
    let receipt = app.turn_send(message).await?;
    let session = receipt.session_id;
    let turn_id = receipt.turn_id.context("BUG: a new turn has no id")?;
    let mut follower = Follower::new(app.clone(), subscription, session.clone(), turn_id);
    let mut stopping: Fuse<BoxFuture<'static, Result<(), ApiError>>> = Fuse::terminated();
    let mut was_asked_to_stop = false;
    loop {
        tokio::select! {
            envelope = follower.next() => {
                let envelope = envelope.context("BUG: a turn ended without an outcome")?;
                if let Err(error) = printer.print(&envelope) {
                    // Nobody reads the answer any more: it is not worth another token.
                    app.turn_cancel(&session).await?;
                    return Err(error);
                }
                if let TurnEvent::TurnFinished { outcome, .. } = envelope.event {
                    return Ok((session, outcome));
                }
            }
            () = interrupts.next() => {
                if was_asked_to_stop {
                    std::process::exit(i32::from(Exit::Cancelled.code()));
                }
                was_asked_to_stop = true;
                note("namma: stopping; once more ends it at once");
                let (app, session) = (app.clone(), session.clone());
                stopping = async move { app.turn_cancel(&session).await }.boxed().fuse();
            }
            stopped = &mut stopping => stopped?,
        }
    }
}

/// Where the events of a turn go.
pub(crate) enum Printer {
    /// One event per line on standard output.
    Json,
    /// The answer on standard output, once it is known to be the answer.
    Text(Progress),
    /// Every word at once, for somebody who watches.
    Live { progress: Progress, in_line: bool },
}

impl Printer {
    /// As fits where standard output goes.
    pub(crate) fn text() -> Self {
        if screen::answers_on_screen() {
            Self::Live { progress: Progress::default(), in_line: false }
        } else {
            Self::Text(Progress::default())
        }
    }

    fn print(&mut self, envelope: &TurnEnvelope) -> anyhow::Result<()> {
        match self {
            Self::Json => screen::say_json_line(envelope)?,
            Self::Text(progress) => {
                progress.tell(&envelope.event);
                if let TurnEvent::TurnFinished { outcome, .. } = &envelope.event
                    && let Some(answer) = answer_of(outcome)
                {
                    screen::say(answer)?;
                }
            }
            Self::Live { progress, in_line } => print_live(progress, in_line, &envelope.event)?,
        }
        Ok(())
    }
}

fn print_live(progress: &mut Progress, in_line: &mut bool, event: &TurnEvent) -> anyhow::Result<()> {
    match event {
        TurnEvent::TextDelta { text } => {
            let text = screen::plain(text);
            screen::say_piece(&text)?;
            *in_line = !text.ends_with('\n');
        }
        TurnEvent::TextEnded { .. }
        | TurnEvent::ToolCallStarted { .. }
        | TurnEvent::Notice { .. }
        | TurnEvent::ContinuedWith { .. }
        | TurnEvent::TurnFinished { .. } => {
            if std::mem::take(in_line) {
                screen::say_piece("\n")?;
            }
            progress.tell(event);
        }
        other => progress.tell(other),
    }
    Ok(())
}

/// What counts as an answer: whole, or as far as a limit let it come.
fn answer_of(outcome: &TurnOutcome) -> Option<&str> {
    match outcome {
        TurnOutcome::Answered { text } | TurnOutcome::LimitReached { text, .. } => {
            (!text.is_empty()).then_some(text.as_str())
        }
        TurnOutcome::Cancelled { .. } | TurnOutcome::Failed { .. } | TurnOutcome::Interrupted { .. } => None,
    }
}
