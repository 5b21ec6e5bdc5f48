//! What a chat is set to, instead of what the settings say.

use crate::fault::not_found;
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::{SessionId, ThinkLevel};
use sqlx::Row;

/// `None`: as the settings say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub model: Option<String>,
    pub think: Option<ThinkLevel>,
}

impl Store {
    /// What a chat is set to; nothing for one that does not exist yet.
    pub async fn session_choice(&self, session: &SessionId) -> Result<Choice, StoreError> {
        let read = async {
            let row = sqlx::query("select chosen_model, chosen_think from sessions where id = ?")
                .bind(session.as_str())
                .fetch_optional(self.readers())
                .await?;
            let Some(row) = row else { return Ok(Choice::default()) };
            let think: Option<&str> = row.try_get(1)?;
            Ok(Choice { model: row.try_get(0)?, think: think.and_then(ThinkLevel::of) })
        };
        self.explain(read.await)
    }

    pub async fn session_choose(&self, session: &SessionId, choice: &Choice) -> Result<(), StoreError> {
        let chosen = async {
            let changed = sqlx::query(
                "update sessions
                 set chosen_model = ?, chosen_think = ?
                 where id = ? and deleted_at is null",
            )
            .bind(&choice.model)
            .bind(choice.think.map(ThinkLevel::as_str))
            .bind(session.as_str())
            .execute(self.writer())
            .await?;
            if changed.rows_affected() == 0 {
                return Err(not_found(format!("chat `{session}`")));
            }
            Ok(())
        };
        self.explain(chosen.await)
    }

    /// Chats that were set to that connection, or to a model of it, answer as the settings say.
    /// Tells how many there were.
    pub async fn forget_choices_of(&self, connection: &str) -> Result<u64, StoreError> {
        let forgotten = async {
            let changed = sqlx::query(
                "update sessions
                 set chosen_model = null
                 where chosen_model = ?1 or substr(chosen_model, 1, length(?1) + 1) = ?1 || '/'",
            )
            .bind(connection)
            .execute(self.writer())
            .await?;
            Ok(changed.rows_affected())
        };
        self.explain(forgotten.await)
    }
}
