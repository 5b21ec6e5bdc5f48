use crate::words;
use namma_core::Tool;
use namma_core::gate::{CommandEnding, CommandOutput, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

const USUAL_SECONDS: u32 = 120;
const MAX_SECONDS: u32 = 600;
/// What the launcher may take to start and to end everything, on top of the command's own time.
const MARGIN: Duration = Duration::from_secs(5);

/// Runs a command of the shell.
pub(crate) struct RunShell;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The command, for /bin/sh. It gets no input.
    command: String,
    /// The folder to run it in; the working folder when left out. It can write only there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    /// When to stop it; 120 when left out, 600 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout_seconds: Option<u32>,
}

impl Input {
    fn cwd(&self, place: &Place) -> Result<PathBuf, ToolFailure> {
        self.cwd.as_deref().map_or_else(|| Ok(place.cwd.clone()), |cwd| place.path(cwd))
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds.unwrap_or(USUAL_SECONDS).clamp(1, MAX_SECONDS).into())
    }
}

impl Tool for RunShell {
    type Input = Input;
    const NAME: &'static str = "run_shell";
    const TOOLSET: &'static str = "shell";

    fn description(&self) -> &'static str {
        "Runs a shell command in a sandbox, without input and usually without network, and answers its output and exit code. \
         Everything it started ends with it. Prefer the file tools for reading and changing files."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let command = words::one_line(&words::excerpt(&input.command, 60));
        StepTitle { doing: format!("Running {command}"), done: format!("Ran {command}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        if input.command.trim().is_empty() {
            return Err(ToolFailure::bad_input("the command is empty"));
        }
        if let Some(bad) = input.command.chars().find(|c| words::is_deceptive(*c)) {
            return Err(ToolFailure::bad_input(format!(
                "the command contains the invisible character U+{:04X}, so that people would read another command",
                u32::from(bad)
            )));
        }
        let cwd = crate::files::path_text(&input.cwd(place)?)?;
        Ok(Effects::of([Effect::RunCommand { command: input.command.clone(), cwd }]))
    }

    fn deadline(&self, input: &Input) -> Duration {
        input.timeout() + MARGIN
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let input = call.input();
        let cwd = input.cwd(call.place())?;
        let output = call.shell().run(&input.command, &cwd, input.timeout(), &|line| call.progress(line)).await?;
        let (first, fact) = ending(&output, input.timeout());
        let text = if output.text.trim().is_empty() { "[no output]" } else { output.text.trim_end() };
        let source = format!("`{}`", words::one_line(&words::excerpt(&input.command, 60)));
        Ok(ToolOutput::outside(Taint::Command, source, format!("{first}\n{text}")).fact(fact))
    }
}

/// How it ended: a line for the model and a fact for the person.
fn ending(output: &CommandOutput, timeout: Duration) -> (String, String) {
    match output.ending {
        CommandEnding::Exited(code) => (format!("[exit code {code}]"), format!("exit {code}")),
        CommandEnding::TimedOut => {
            let seconds = timeout.as_secs();
            let advice = if seconds < u64::from(MAX_SECONDS) {
                "give a longer timeout_seconds or do less"
            } else {
                "do less at once"
            };
            (
                format!("[stopped: not done after {seconds} s; {advice}; its output so far]"),
                format!("stopped after {seconds} s"),
            )
        }
        CommandEnding::TooMuchOutput => (
            "[stopped: it printed more than 10 MB; filter the output, for example with head or grep]".into(),
            "stopped: too much output".into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(command: &str) -> Result<Effects, ToolFailure> {
        let input = Input { command: command.into(), cwd: None, timeout_seconds: None };
        RunShell.effects(&input, &Place { cwd: "/w".into(), home: "/h".into() })
    }

    #[test]
    fn a_command_that_looks_like_another_is_refused() {
        for bad in ["", "  \n", "echo a\r\nrm x", "ls \u{202E}txt", "ls\u{200B}", "x\u{E0041}", "a\0b", "a\u{1b}[2K"] {
            assert!(effects(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn harmless_commands_are_taken_as_they_are() {
        let harmless = [
            "cd ${WORKSPACE}backend",
            "echo \"$(date)\"",
            "git commit -m \"remove rm -rf from docs\"",
            "grep -r 'rm -rf' .",
            "for f in *; do\n\techo $f\ndone",
        ];
        for command in harmless {
            let expected = Effects::of([Effect::RunCommand { command: command.into(), cwd: "/w".into() }]);
            assert_eq!(effects(command).unwrap(), expected);
        }
    }

    #[test]
    fn the_time_is_bounded() {
        let timeout = |timeout_seconds| Input { command: "x".into(), cwd: None, timeout_seconds }.timeout().as_secs();
        assert_eq!([timeout(None), timeout(Some(0)), timeout(Some(30)), timeout(Some(9999))], [120, 1, 30, 600]);
    }
}
