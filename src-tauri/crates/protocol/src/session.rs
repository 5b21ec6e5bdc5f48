use crate::{Attachment, MessageId, QueuedId, SessionId, TurnEvent, TurnId, UnixMs};
use serde::{Deserialize, Serialize};

/// Whether the assistant may use tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// With tools.
    #[default]
    Agent,
    /// Talk only: no tools, no skills.
    Chat,
}

/// How long the model thinks before it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ThinkLevel {
    /// As little as the model allows.
    #[default]
    Off,
    Low,
    Medium,
    High,
}

impl ThinkLevel {
    /// The word of the settings, of the database and of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Reads a word, in any case. `true` is high; `false` and nothing are off.
    pub fn of(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "" | "off" | "none" | "false" => Some(Self::Off),
            "low" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" | "true" => Some(Self::High),
            _ => None,
        }
    }
}

/// A session as the sidebar shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    pub session_id: SessionId,
    /// The person's title, or one made from the first question.
    pub title: String,
    pub created_at: UnixMs,
    pub updated_at: UnixMs,
    pub turn_count: u32,
    /// A turn runs in this program right now.
    pub running: bool,
    /// An approval waits for the person.
    pub waiting: bool,
}

/// One turn as a list of events: stored ones with joined deltas, the running one as far as it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnRecord {
    pub turn_id: TurnId,
    pub events: Vec<TurnEvent>,
}

/// A page of a session, oldest first, ending with the newest turn or before the cursor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub session: SessionSummary,
    pub turns: Vec<TurnRecord>,
    /// There are turns before the first one here.
    pub has_older: bool,
    /// Live events up to this number are contained in `turns`.
    pub last_seq: u32,
    pub queue: Vec<QueuedMessage>,
    pub draft: String,
    pub draft_attachments: Vec<Attachment>,
    /// What this chat is set to; `null`: as the settings say.
    pub chosen_model: Option<String>,
    pub chosen_think: Option<ThinkLevel>,
}

/// A message that waits for the running turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct QueuedMessage {
    pub queued_id: QueuedId,
    pub text: String,
    pub attachments: Vec<Attachment>,
}

/// One found message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    pub session_id: SessionId,
    pub session_title: String,
    pub turn_id: TurnId,
    pub message_id: MessageId,
    /// `user` or `assistant`.
    pub role: String,
    /// The part of the message around the match.
    pub excerpt: String,
    pub created_at: UnixMs,
}
