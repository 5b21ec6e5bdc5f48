//! How the connections to models did last.

use crate::store::Store;
use namma_core::ports::StoreError;
use namma_protocol::{ApiError, UnixMs};
use sqlx::Row;

/// A connection whose last request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionHealth {
    /// Its name in the settings.
    pub name: String,
    /// In a row.
    pub failures: u32,
    /// Of the last one.
    pub error: ApiError,
    pub failed_at: UnixMs,
    /// Until then others are asked first.
    pub rests_until: UnixMs,
}

impl Store {
    /// Every connection whose last request failed.
    pub async fn connection_health(&self) -> Result<Vec<ConnectionHealth>, StoreError> {
        let read = async {
            let rows = sqlx::query("select name, failures, error, failed_at, rests_until from connections")
                .fetch_all(self.readers())
                .await?;
            let all = rows.iter().map(|row| {
                Ok(ConnectionHealth {
                    name: row.try_get(0)?,
                    failures: crate::read::count(row, 1)?,
                    error: serde_json::from_str(row.try_get(2)?)?,
                    failed_at: UnixMs(row.try_get(3)?),
                    rests_until: UnixMs(row.try_get(4)?),
                })
            });
            all.collect()
        };
        self.explain(read.await)
    }

    pub async fn keep_connection_health(&self, health: &ConnectionHealth) -> Result<(), StoreError> {
        let kept = async {
            sqlx::query(
                "insert into connections (name, failures, error, failed_at, rests_until)
                 values (?, ?, ?, ?, ?)
                 on conflict (name) do update set failures = excluded.failures, error = excluded.error,
                   failed_at = excluded.failed_at, rests_until = excluded.rests_until",
            )
            .bind(&health.name)
            .bind(i64::from(health.failures))
            .bind(serde_json::to_string(&health.error)?)
            .bind(health.failed_at.0)
            .bind(health.rests_until.0)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(kept.await)
    }

    /// It answered, or is another one now.
    pub async fn forget_connection_health(&self, name: &str) -> Result<(), StoreError> {
        let forgotten = async {
            sqlx::query("delete from connections where name = ?").bind(name).execute(self.writer()).await?;
            Ok(())
        };
        self.explain(forgotten.await)
    }
}
