use namma_protocol::ToolOutcome;

/// Why a call did not run: a letter to the model that says what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The stage that said no, 1 to 8.
    pub(crate) stage: u8,
    pub(crate) code: &'static str,
    pub(crate) outcome: ToolOutcome,
}

impl Refusal {
    /// The model can correct the call.
    pub(crate) fn failed(stage: u8, code: &'static str, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { stage, code, outcome: ToolOutcome::Failed { message: message.into(), hint } }
    }

    /// Somebody or something said no; trying again in another way is not welcome.
    pub(crate) fn declined(stage: u8, code: &'static str, reason: impl Into<String>) -> Self {
        Self { stage, code, outcome: ToolOutcome::Declined { reason: reason.into() } }
    }

    pub(crate) fn interrupted(stage: u8) -> Self {
        Self { stage, code: "stopped", outcome: ToolOutcome::Interrupted }
    }
}
