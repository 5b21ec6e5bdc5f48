use crate::think_level::{effort, is_told};
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

/// What one refusal teaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lesson {
    MostOutputTokens(u32),
    Dropped(Part),
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

/// Less than this is no room for an answer; the conversation has to become shorter.
const LEAST_ROOM: u32 = 2048;

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

    /// Whether the error teaches more about this request than was known when it was tried; then it
    /// is worth asking again. Another request may have taught the same in the meantime.
    pub(crate) fn learn(&self, request: &ModelRequest, tried: &Lessons, error: &ProviderError) -> bool {
        let Some(lesson) = tried.lesson(request, error) else { return false };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(request.model.clone()).or_default().note(lesson);
        tracing::info!(model = request.model, ?lesson, "the model does not take a part of the request");
        true
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

    /// The same, with no more than so many tokens for one answer.
    #[must_use]
    pub(crate) fn within(mut self, room: Option<u32>) -> Self {
        self.most_output_tokens = self.cap(room);
        self
    }

    /// What the error teaches beyond these.
    fn lesson(&self, request: &ModelRequest, error: &ProviderError) -> Option<Lesson> {
        let ProviderError::BadRequest { status, message } = error else { return None };
        let message = message.to_lowercase();
        if let Some(cap) = stated_cap(&message)
            && self.most_output_tokens.is_none_or(|known| cap < known)
        {
            return Some(Lesson::MostOutputTokens(cap));
        }
        if !matches!(status, 400 | 404 | 422) {
            return None;
        }
        let complained = COMPLAINTS.iter().find(|(part, words)| {
            is_sent(*part, request) && !self.dropped.contains(part) && words.iter().any(|word| message.contains(word))
        });
        complained.map(|(part, _)| Lesson::Dropped(*part))
    }

    fn note(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::MostOutputTokens(cap) => self.most_output_tokens = self.cap(Some(cap)),
            Lesson::Dropped(part) => drop(self.dropped.insert(part)),
        }
    }
}

/// How long the answer to this one request may be, as its refusal says: what the account still pays
/// for, or what the conversation leaves of the model's window. The next request may take more.
pub(crate) fn stated_room(error: &ProviderError) -> Option<u32> {
    match error {
        ProviderError::NoCredit { message } => number_after(&message.to_lowercase(), &["can only afford "]),
        ProviderError::ContextTooLong { message } => room_in_window(message).filter(|room| *room >= LEAST_ROOM),
        _ => None,
    }
}

/// `input length and max_tokens exceed context limit: 190000 + 20000 > 200000` leaves 10000.
fn room_in_window(message: &str) -> Option<u32> {
    let (_, sum) = message.split_once("context limit: ")?;
    let (sent, rest) = sum.split_once(" + ")?;
    let window = number_after(rest, &["> "])?;
    window.checked_sub(sent.parse().ok()?)
}

fn is_sent(part: Part, request: &ModelRequest) -> bool {
    match part {
        Part::ThinkingSummary => request.thinking.level != ThinkLevel::Off && effort(&request.thinking).is_some(),
        Part::Thinking => is_told(&request.thinking),
        Part::AnswerSchema => request.answer_schema.is_some(),
        Part::MaxTokens => request.max_output_tokens.is_some(),
        Part::EncryptedThinking | Part::StreamUsage => true,
    }
}

/// How much the model writes at most: the number behind the words for it.
fn stated_cap(message: &str) -> Option<u32> {
    if !message.contains("max_tokens")
        && !message.contains("max_output_tokens")
        && !message.contains("completion tokens")
    {
        return None;
    }
    // In the order of how exactly they say it.
    number_after(
        message,
        &[
            "valid range of max_tokens is [1, ",
            "at most ",
            "maximum of ",
            "less than or equal to ",
            "maximum value is ",
            "> ",
        ],
    )
}

/// The number behind the first of these words that the message has.
fn number_after(message: &str, words: &[&str]) -> Option<u32> {
    let after = words.iter().find_map(|words| message.split_once(words).map(|(_, after)| after))?;
    let digits: String = after.trim_start_matches(['`', '\'']).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::{Lessons, Part, stated_cap, stated_room};
    use namma_core::ports::{ModelRequest, ProviderError, Thinking, ThinkingControl};
    use namma_protocol::ThinkLevel;

    #[test]
    fn the_cap_is_read_where_it_is_stated() {
        let table = [
            ("max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for m", Some(8192)),
            ("max_tokens is too large: 16384. this model supports at most 4096 completion tokens", Some(4096)),
            ("invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(8192)),
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
    fn the_room_of_one_request_is_read_where_it_is_stated() {
        let no_credit = |message: &str| ProviderError::NoCredit { message: message.to_owned() };
        let too_long = |message: &str| ProviderError::ContextTooLong { message: message.to_owned() };
        let sum = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease it";
        let table = [
            (no_credit("You requested up to 8192 tokens, but can only afford 50."), Some(50)),
            (no_credit("Insufficient balance"), None),
            (too_long(sum), Some(10_000)),
            (too_long(&sum.replace("190000", "199999")), None),
            (too_long(&sum.replace("190000", "210000")), None),
            (too_long("prompt is too long: 210000 tokens > 200000 maximum"), None),
            (refused(400, sum), None),
        ];
        for (error, room) in table {
            assert_eq!(stated_room(&error), room, "{error:?}");
        }
    }

    /// What is known after the error, if it teaches anything.
    fn after(mut lessons: Lessons, request: &ModelRequest, error: &ProviderError) -> Option<Lessons> {
        let lesson = lessons.lesson(request, error)?;
        lessons.note(lesson);
        Some(lessons)
    }

    #[test]
    fn a_part_is_dropped_once_and_only_when_it_was_sent() {
        let error = refused(400, "Unsupported parameter: 'reasoning_effort' is not supported with this model.");
        assert_eq!(after(Lessons::default(), &ModelRequest::default(), &error), None, "it was not sent");
        let lessons = after(Lessons::default(), &thinks(), &error).unwrap();
        assert!(lessons.has_dropped(Part::Thinking));
        assert_eq!(after(lessons, &thinks(), &error), None, "a second time would be an endless loop");
    }

    #[test]
    fn whether_thinking_was_asked_for_is_decided_by_the_control() {
        let error = refused(400, "thinking is not supported");
        let table = [
            (ThinkLevel::High, ThinkingControl::Prompt, false),
            (ThinkLevel::High, ThinkingControl::Fixed, false),
            (ThinkLevel::Off, ThinkingControl::Effort { off: None }, false),
            (ThinkLevel::Off, ThinkingControl::Effort { off: Some("minimal".into()) }, true),
            (ThinkLevel::High, ThinkingControl::Effort { off: None }, true),
            (ThinkLevel::Off, ThinkingControl::Budget { least: 0 }, true),
            (ThinkLevel::Off, ThinkingControl::Switch, true),
        ];
        for (level, control, is_sent) in table {
            let request = ModelRequest { thinking: Thinking { level, control }, ..ModelRequest::default() };
            let teaches = after(Lessons::default(), &request, &error).is_some();
            assert_eq!(teaches, is_sent, "{:?}", request.thinking);
        }
    }

    #[test]
    fn other_errors_teach_nothing() {
        for error in [
            refused(401, "reasoning"),
            refused(400, "something else"),
            ProviderError::ServerFailed { status: 500, retry_after: None, message: "reasoning".to_owned() },
            ProviderError::NoCredit { message: "max_tokens: you can only afford 50, at most 50".to_owned() },
            ProviderError::ContextTooLong { message: "`max_tokens` exceed context limit: 9 + 9 > 10".to_owned() },
        ] {
            assert_eq!(after(Lessons::default(), &thinks(), &error), None, "{error:?}");
        }
    }

    #[test]
    fn the_cap_only_goes_down() {
        let said = |cap: u32| refused(400, &format!("max_tokens is too large: this model supports at most {cap}"));
        let lessons = after(Lessons::default(), &thinks(), &said(4096)).unwrap();
        for other in [4096, 9000] {
            assert_eq!(after(lessons.clone(), &thinks(), &said(other)), None);
        }
        assert_eq!(
            (lessons.cap(Some(8192)), lessons.cap(Some(100)), lessons.cap(None)),
            (Some(4096), Some(100), Some(4096))
        );
        assert_eq!(lessons.clone().within(Some(50)).cap(Some(8192)), Some(50));
        assert_eq!(lessons.within(None).cap(Some(8192)), Some(4096));
    }
}
