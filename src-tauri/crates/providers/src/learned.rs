use namma_core::ports::{ModelRequest, ProviderError};
use namma_protocol::ThinkLevel;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

/// By model: what it refused, kept while the program runs.
#[derive(Debug, Default)]
pub(crate) struct Learned(Mutex<HashMap<String, Lessons>>);

/// What a model does not take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lessons {
    /// The most tokens of one answer, as the vendor stated it.
    most_output_tokens: Option<u32>,
    dropped: BTreeSet<Part>,
}

/// What a request can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// How long to think.
    Thinking,
    /// The wish to read what it thinks.
    ThinkingSummary,
    /// The wish to get thinking back encrypted.
    EncryptedThinking,
    AnswerSchema,
    /// The older name of the cap; the newer one is sent.
    MaxTokens,
    /// The wish for costs at the end of the stream.
    StreamUsage,
}

/// Words by which vendors complain of a part.
const COMPLAINTS: &[(Part, &[&str])] = &[
    (Part::EncryptedThinking, &["encrypted content", "encrypted_content"]),
    (Part::ThinkingSummary, &["reasoning summar", "reasoning.summary"]),
    (
        Part::MaxTokens,
        &["max_completion_tokens' instead", "max_completion_tokens\" instead", "use max_completion_tokens"],
    ),
    (Part::StreamUsage, &["stream_options", "include_usage"]),
    (Part::AnswerSchema, &["response_format", "json_schema", "output_format", "text.format", "responseschema"]),
    (Part::Thinking, &["reasoning", "thinking", "effort", "enable_thinking", "chat_template_kwargs"]),
];

impl Learned {
    pub(crate) fn of(&self, model: &str) -> Lessons {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(model).cloned().unwrap_or_default()
    }

    /// Whether the error taught something new about a part of this request; then it is worth asking
    /// again, without it.
    pub(crate) fn learn(&self, request: &ModelRequest, error: &ProviderError) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lessons = all.entry(request.model.clone()).or_default();
        let is_new = lessons.learn(request, error);
        if is_new {
            tracing::info!(model = request.model, ?lessons, "the model does not take a part of the request");
        }
        is_new
    }
}

impl Lessons {
    pub(crate) fn has_dropped(&self, part: Part) -> bool {
        self.dropped.contains(&part)
    }

    /// The cap on the answer that this model takes.
    pub(crate) fn cap(&self, wanted: Option<u32>) -> Option<u32> {
        [wanted, self.most_output_tokens].into_iter().flatten().min()
    }

    fn learn(&mut self, request: &ModelRequest, error: &ProviderError) -> bool {
        let message = match error {
            ProviderError::BadRequest { message, .. } | ProviderError::NoCredit { message } => message.to_lowercase(),
            _ => return false,
        };
        if let Some(cap) = stated_cap(&message)
            && self.most_output_tokens.is_none_or(|known| cap < known)
        {
            self.most_output_tokens = Some(cap);
            return true;
        }
        if !matches!(error, ProviderError::BadRequest { status: 400 | 404 | 422, .. }) {
            return false;
        }
        let complained = COMPLAINTS.iter().find(|(part, words)| {
            is_sent(*part, request) && !self.dropped.contains(part) && words.iter().any(|word| message.contains(word))
        });
        complained.is_some_and(|(part, _)| self.dropped.insert(*part))
    }
}

fn is_sent(part: Part, request: &ModelRequest) -> bool {
    match part {
        Part::ThinkingSummary => request.thinking.level != ThinkLevel::Off,
        Part::Thinking => request.thinking.level != ThinkLevel::Off || request.thinking.control != Default::default(),
        Part::AnswerSchema => request.answer_schema.is_some(),
        Part::MaxTokens => request.max_output_tokens.is_some(),
        Part::EncryptedThinking | Part::StreamUsage => true,
    }
}

/// How much the model writes, or the account pays for, at most: the number behind the words for it.
fn stated_cap(message: &str) -> Option<u32> {
    if !message.contains("max_tokens")
        && !message.contains("max_output_tokens")
        && !message.contains("completion tokens")
    {
        return None;
    }
    // In the order of how exactly they say it.
    const BEFORE: [&str; 6] =
        ["can only afford ", "at most ", "maximum of ", "less than or equal to ", "maximum value is ", "> "];
    let after = BEFORE.iter().find_map(|words| message.split_once(words).map(|(_, after)| after))?;
    let digits: String = after.trim_start_matches(['`', '\'']).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|cap| *cap > 0)
}

#[cfg(test)]
mod tests {
    use super::{Lessons, Part, stated_cap};
    use namma_core::ports::{ModelRequest, ProviderError, Thinking, ThinkingControl};
    use namma_protocol::ThinkLevel;

    #[test]
    fn the_cap_is_read_where_it_is_stated() {
        let table = [
            ("max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for m", Some(8192)),
            ("max_tokens is too large: 16384. this model supports at most 4096 completion tokens", Some(4096)),
            ("you requested up to 8192 tokens (max_tokens), but can only afford 2051", Some(2051)),
            ("`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`", Some(8192)),
            ("max_tokens: field required", None),
            ("prompt is too long: 210000 tokens > 200000 maximum", None),
        ];
        for (message, cap) in table {
            assert_eq!(stated_cap(message), cap, "{message}");
        }
    }

    fn refused(status: u16, message: &str) -> ProviderError {
        ProviderError::BadRequest { status, message: message.to_owned() }
    }

    fn thinks() -> ModelRequest {
        let thinking = Thinking { level: ThinkLevel::High, control: ThinkingControl::Effort { off: None } };
        ModelRequest { thinking, ..ModelRequest::default() }
    }

    #[test]
    fn a_part_is_dropped_once_and_only_when_it_was_sent() {
        let mut lessons = Lessons::default();
        let error = refused(400, "Unsupported parameter: 'reasoning_effort' is not supported with this model.");
        assert!(!lessons.learn(&ModelRequest::default(), &error), "it was not sent");
        assert!(lessons.learn(&thinks(), &error));
        assert!(lessons.has_dropped(Part::Thinking));
        assert!(!lessons.learn(&thinks(), &error), "a second time would be an endless loop");
    }

    #[test]
    fn other_errors_teach_nothing() {
        let mut lessons = Lessons::default();
        for error in [
            refused(401, "reasoning"),
            refused(400, "something else"),
            ProviderError::ServerFailed { status: 500, retry_after: None, message: "reasoning".to_owned() },
        ] {
            assert!(!lessons.learn(&thinks(), &error), "{error:?}");
        }
        assert_eq!(lessons, Lessons::default());
    }

    #[test]
    fn the_cap_only_goes_down() {
        let mut lessons = Lessons::default();
        let said = |cap: u32| refused(400, &format!("max_tokens is too large: this model supports at most {cap}"));
        assert!(lessons.learn(&thinks(), &said(4096)));
        assert!(!lessons.learn(&thinks(), &said(4096)));
        assert!(!lessons.learn(&thinks(), &said(9000)));
        assert_eq!(
            (lessons.cap(Some(8192)), lessons.cap(Some(100)), lessons.cap(None)),
            (Some(4096), Some(100), Some(4096))
        );
    }
}
