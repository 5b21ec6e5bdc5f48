use crate::trust::{Taint, TaintSet};

/// What a tool gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    pub(crate) content: String,
    pub(crate) fact: Option<String>,
    pub(crate) taint: TaintSet,
    pub(crate) source: Option<String>,
}

impl ToolOutput {
    /// Words of our own: "wrote 3 lines to notes.txt". Never for text that came from elsewhere.
    pub fn ours(content: impl Into<String>) -> Self {
        Self { content: content.into(), fact: None, taint: TaintSet::CLEAN, source: None }
    }

    /// Text from outside. The gate wraps it as quoted data and taints the turn.
    /// `source` names it for people and for the model: a path, a host, a command.
    pub fn outside(taint: Taint, source: impl Into<String>, content: impl Into<String>) -> Self {
        Self { content: content.into(), fact: None, taint: taint.into(), source: Some(source.into()) }
    }

    /// Text that we kept together with where it came from: an earlier result, a fact.
    pub fn kept(taint: TaintSet, content: impl Into<String>) -> Self {
        Self { content: content.into(), fact: None, taint, source: None }
    }

    /// A short fact for the step's row: "11 entries".
    #[must_use]
    pub fn fact(mut self, fact: impl Into<String>) -> Self {
        self.fact = Some(fact.into());
        self
    }
}

/// Why a tool did not do it: a letter to the model, which may correct the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolFailure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl ToolFailure {
    /// The arguments are wrong in a way the model can correct.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { code: "args_invalid", message: message.into(), hint: None }
    }

    /// It was tried and did not work.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { code: "failed", message: message.into(), hint: None }
    }

    /// The tool did something it had not declared in its effects: a fault of the tool.
    pub fn undeclared(what: impl std::fmt::Display) -> Self {
        Self {
            code: "undeclared_effect",
            message: format!("this tool tried to {what}, which it had not declared; it was stopped"),
            hint: None,
        }
    }

    /// The program is not installed. `how` is a full sentence with the command for this platform.
    pub fn missing(program: &str, how: impl Into<String>) -> Self {
        Self { code: "missing_program", message: format!("`{program}` is not installed"), hint: Some(how.into()) }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn message(&self) -> &str {
        &self.message
    }
}
