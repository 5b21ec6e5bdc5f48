use crate::attached::{list_json, read_list};
use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::{Draft, SessionId};
use sqlx::Row;

impl Store {
    /// Keeps what stands in the composer; `None` is the chat that does not exist yet. An empty
    /// draft is forgotten.
    pub async fn draft_save(&self, session: Option<&SessionId>, draft: &Draft) -> Result<(), StoreError> {
        let saved = async {
            if draft.is_empty() {
                sqlx::query("delete from drafts where scope = ?").bind(scope(session)).execute(self.writer()).await?;
                return Ok(());
            }
            sqlx::query(
                "insert into drafts (scope, text, attachments, saved_at)
                 values (?, ?, ?, ?)
                 on conflict (scope) do update set
                   text = excluded.text,
                   attachments = excluded.attachments,
                   saved_at = excluded.saved_at",
            )
            .bind(scope(session))
            .bind(&draft.text)
            .bind(list_json(&draft.attachments)?)
            .bind(self.now().0)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(saved.await)
    }

    /// Empty when nothing was kept.
    pub async fn draft_get(&self, session: Option<&SessionId>) -> Result<Draft, StoreError> {
        let read = async {
            let row = sqlx::query("select text, attachments from drafts where scope = ?")
                .bind(scope(session))
                .fetch_optional(self.readers())
                .await?;
            match row {
                Some(row) => Ok(Draft { text: row.try_get(0)?, attachments: read_list(&row, 1)? }),
                None => Ok(Draft::default()),
            }
        };
        self.explain(read.await)
    }
}

fn scope(session: Option<&SessionId>) -> &str {
    session.map_or("", SessionId::as_str)
}
