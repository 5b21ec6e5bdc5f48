use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::SessionId;
use sqlx::Row;

impl Store {
    /// Keeps what stands in the composer; `None` is the chat that does not exist yet. An empty
    /// text forgets it.
    pub async fn draft_save(&self, session: Option<&SessionId>, text: &str) -> Result<(), StoreError> {
        let saved = async {
            if text.is_empty() {
                sqlx::query("delete from drafts where scope = ?").bind(scope(session)).execute(self.writer()).await?;
                return Ok(());
            }
            sqlx::query(
                "insert into drafts (scope, text, saved_at)
                 values (?, ?, ?)
                 on conflict (scope) do update set text = excluded.text, saved_at = excluded.saved_at",
            )
            .bind(scope(session))
            .bind(text)
            .bind(self.now().0)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(saved.await)
    }

    /// Empty when nothing was kept.
    pub async fn draft_get(&self, session: Option<&SessionId>) -> Result<String, StoreError> {
        let read = async {
            let row = sqlx::query("select text from drafts where scope = ?")
                .bind(scope(session))
                .fetch_optional(self.readers())
                .await?;
            match row {
                Some(row) => Ok(row.try_get(0)?),
                None => Ok(String::new()),
            }
        };
        self.explain(read.await)
    }
}

fn scope(session: Option<&SessionId>) -> &str {
    session.map_or("", SessionId::as_str)
}
