use namma_core::ports::{ModelCall, ModelEvent, Replay, StopReason};
use serde_json::Value;
use std::collections::VecDeque;

/// What is known of a step once its last word came.
pub(crate) struct Ending {
    pub(crate) calls: Vec<ModelCall>,
    pub(crate) replay: Option<Replay>,
    pub(crate) stop: Option<StopReason>,
}

impl Ending {
    pub(crate) fn tell(self, ready: &mut VecDeque<ModelEvent>) {
        let stop = match self.stop {
            // Some vendors say the same of an answer and of calls.
            Some(StopReason::End) if !self.calls.is_empty() => StopReason::ToolCalls,
            other => other.unwrap_or(StopReason::Other(None)),
        };
        ready.extend(self.calls.into_iter().map(ModelEvent::ToolCall));
        ready.extend(self.replay.map(ModelEvent::Replay));
        ready.push_back(ModelEvent::Stop(stop));
    }
}

/// A number of tokens, which some gateways write as text or with a fraction.
pub(crate) fn tokens(value: &Value) -> Option<u32> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast from a float saturates")]
    (number >= 0.0).then(|| number.ceil() as u32)
}

#[cfg(test)]
mod tests {
    use super::tokens;
    use serde_json::{Value, json};

    #[test]
    fn tokens_are_read_however_they_are_written() {
        let read = |value: Value| tokens(&value);
        assert_eq!(read(json!(17)), Some(17));
        assert_eq!(read(json!(16.2)), Some(17), "a part of a token costs a token");
        assert_eq!(read(json!(" 17 ")), Some(17));
        assert_eq!(read(json!(u64::MAX)), Some(u32::MAX));
        for nothing in [json!(-1), json!("many"), json!("NaN"), json!(null), json!(true), json!([1])] {
            assert_eq!(read(nothing.clone()), None, "{nothing}");
        }
    }
}
