use namma_protocol::ToolOutcome;
use std::collections::HashMap;
use std::time::Duration;

/// Bounds on one turn. Read from the configuration when the turn starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Steps of one turn; `None` is unlimited.
    pub steps: Option<u32>,
    /// How often a request that failed for a passing reason is made again.
    pub retries: u32,
    /// A vendor that asks to wait longer than this is not waited for.
    pub longest_wait: Duration,
    pub max_output_tokens: Option<u32>,
    /// Text of one step beyond this is a fault of the server.
    pub step_bytes: usize,
    /// Ask once to check when files were changed and nothing looked at them afterwards.
    pub verify_changes: bool,
    /// Turns of the conversation that go into a request.
    pub history_turns: u32,
    /// The streamed text is kept at least this often.
    pub keep_partial_every: Duration,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            steps: Some(40),
            retries: 2,
            longest_wait: Duration::from_secs(60),
            max_output_tokens: None,
            step_bytes: 16 * 1024 * 1024,
            verify_changes: true,
            history_turns: 200,
            keep_partial_every: Duration::from_millis(500),
        }
    }
}

/// Trips when the same call gives the same result a third time: a fourth would teach nothing.
#[derive(Default)]
pub(crate) struct Breaker(HashMap<String, u32>);

impl Breaker {
    /// Notes a result; `true` means: stop.
    pub(crate) fn trips(&mut self, tool: &str, input: &str, outcome: &ToolOutcome) -> bool {
        let key = format!("{tool}\u{0}{input}\u{0}{outcome:?}");
        let seen = self.0.entry(key).or_insert(0);
        *seen += 1;
        *seen >= 3
    }
}
