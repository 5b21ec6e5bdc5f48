use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// A new random id, readable in a log by its prefix.
            pub fn fresh() -> Self {
                Self(format!(concat!($prefix, "_{}"), uuid::Uuid::new_v4().simple()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

id!(
    /// A conversation that is kept.
    SessionId, "ses"
);
id!(
    /// Everything from one input to the final answer, cancellation or failure.
    TurnId, "turn"
);
id!(
    /// What one side said in one go.
    MessageId, "msg"
);
id!(
    /// One request of the model to run a tool. Unique within the store, not only within the turn.
    ToolCallId, "call"
);
id!(
    /// One question to the person about one tool call.
    ApprovalId, "apr"
);
id!(
    /// A fact that was remembered.
    FactId, "fact"
);
id!(
    /// A message that waits for the running turn to end.
    QueuedId, "que"
);
