use crate::store::Store;
use namma_core::ports::StoreError;
use sqlx::Row;

impl Store {
    /// What the program remembers for itself (window, last session): not the configuration.
    pub async fn setting_set(&self, key: &str, value: &serde_json::Value) -> Result<(), StoreError> {
        let set = async {
            sqlx::query(
                "insert into settings (key, value, changed_at)
                 values (?, ?, ?)
                 on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at",
            )
            .bind(key)
            .bind(serde_json::to_string(value)?)
            .bind(self.now().0)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(set.await)
    }

    /// `None` when it was never set.
    pub async fn setting_get(&self, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let read = async {
            let row = sqlx::query("select value from settings where key = ?")
                .bind(key)
                .fetch_optional(self.readers())
                .await?;
            match row {
                Some(row) => Ok(Some(serde_json::from_str(row.try_get(0)?)?)),
                None => Ok(None),
            }
        };
        self.explain(read.await)
    }
}
