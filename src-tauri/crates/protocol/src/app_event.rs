use crate::TurnEnvelope;
use serde::{Deserialize, Serialize};

/// What hosts are told. Sent in order over one channel per subscriber, in batches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(clippy::large_enum_variant, reason = "the large ones are rare, and a box would cross the wire no differently")]
pub enum AppEvent {
    Turn {
        envelope: TurnEnvelope,
    },
    /// What a reader cached under these tags is out of date.
    DataChanged {
        tags: Vec<Tag>,
    },
    /// The subscriber was too slow and events were dropped: ask for each session since its last `seq`.
    Lagged,
    /// The person wants to quit while turns run: the page asks whether to stop them, and names them.
    QuitAsked {
        /// The titles of the chats.
        running: Vec<String>,
    },
}

/// The kinds of data that caches depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Tag {
    Sessions,
    Settings,
    Provider,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NoticeKind {
    /// The request will be made again.
    Retrying,
    /// The vendor is slow or asks to wait.
    Waiting,
    /// Part of the conversation was left out of the request.
    Shortened,
    /// The engine asked the model to check its work.
    Verifying,
    /// The model cannot do what was asked of it, and does without.
    Limited,
    /// A limit on spending is reached.
    Spending,
}
