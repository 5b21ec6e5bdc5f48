use namma_core::ports::{ModelEvent, ProviderError};
use std::collections::VecDeque;

/// More text than this in one step is a fault of the server.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// More text than this in the calls of one step is a fault of the server.
const MAX_ARGUMENT_BYTES: usize = 4 * 1024 * 1024;

/// How much one step has said, within bounds.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    text_bytes: usize,
    argument_bytes: usize,
}

impl Spoken {
    /// Counts text or thinking.
    pub(crate) fn count(&mut self, text: &str) -> Result<(), ProviderError> {
        self.text_bytes += text.len();
        if self.text_bytes > MAX_TEXT_BYTES {
            return Err(ProviderError::Malformed { what: "an answer without end".to_owned() });
        }
        Ok(())
    }

    /// Counts text or thinking and makes it an event; nothing is no event.
    pub(crate) fn say(
        &mut self,
        text: &str,
        event: fn(String) -> ModelEvent,
        ready: &mut VecDeque<ModelEvent>,
    ) -> Result<(), ProviderError> {
        self.count(text)?;
        if !text.is_empty() {
            ready.push_back(event(text.to_owned()));
        }
        Ok(())
    }

    /// Counts what belongs to a call: its name and its arguments.
    pub(crate) fn count_call(&mut self, piece: &str) -> Result<(), ProviderError> {
        self.argument_bytes += piece.len();
        if self.argument_bytes > MAX_ARGUMENT_BYTES {
            return Err(ProviderError::Malformed { what: "tool arguments without end".to_owned() });
        }
        Ok(())
    }
}
