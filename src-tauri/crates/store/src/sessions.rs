use crate::attached::read_list;
use crate::fault::{Fault, not_found};
use crate::read::count;
use crate::store::Store;
use crate::title;
use crate::turns::mode_word;
use namma_core::attached;
use namma_core::ports::StoreError;
use namma_protocol::{Mode, SessionId, SessionSummary, UnixMs};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

impl Store {
    /// Every session that is not deleted, the one used last first. `waiting` is not known here.
    pub async fn sessions_list(&self) -> Result<Vec<SessionSummary>, StoreError> {
        let listed = async {
            let rows = sqlx::query(
                "select s.id, s.title, s.created_at, s.updated_at,
                   (select coalesce(max(t.ordinal), 0) from turns t where t.session_key = s.key),
                   exists (
                     select 1
                     from turns t
                     where t.session_key = s.key and t.finished_at is null and t.owner = ?
                   )
                 from sessions s
                 where s.deleted_at is null
                 order by s.updated_at desc, s.key desc",
            )
            .bind(self.instance())
            .fetch_all(self.readers())
            .await?;
            rows.iter().map(read_summary).collect()
        };
        self.explain(listed.await)
    }

    pub async fn session_summary(&self, session: &SessionId) -> Result<SessionSummary, StoreError> {
        let read = async {
            let row = sqlx::query(
                "select s.id, s.title, s.created_at, s.updated_at,
                   (select coalesce(max(t.ordinal), 0) from turns t where t.session_key = s.key),
                   exists (
                     select 1
                     from turns t
                     where t.session_key = s.key and t.finished_at is null and t.owner = ?
                   )
                 from sessions s
                 where s.id = ? and s.deleted_at is null",
            )
            .bind(self.instance())
            .bind(session.as_str())
            .fetch_optional(self.readers())
            .await?;
            read_summary(&row.ok_or_else(|| no_chat(session))?)
        };
        self.explain(read.await)
    }

    /// An empty session. Its title comes with its first question.
    pub async fn session_create(&self, session: &SessionId, mode: Mode, model: &str) -> Result<(), StoreError> {
        let created = async {
            sqlx::query(
                "insert into sessions (id, title, title_source, mode, model, created_at, updated_at)
                 values (?1, ?2, 'none', ?3, ?4, ?5, ?5)",
            )
            .bind(session.as_str())
            .bind(title::UNTITLED)
            .bind(mode_word(mode))
            .bind(model)
            .bind(self.now().0)
            .execute(self.writer())
            .await?;
            Ok(())
        };
        self.explain(created.await)
    }

    /// Gives it the person's title. An empty one brings back the title made from the first question.
    pub async fn session_rename(&self, session: &SessionId, title: &str) -> Result<(), StoreError> {
        let typed = title::from_person(title);
        let renamed = async {
            let (title, source) = match typed.as_str() {
                "" => self.title_from_first_question(session).await?,
                typed => (typed.to_owned(), "person"),
            };
            let changed = sqlx::query(
                "update sessions
                 set title = ?, title_source = ?
                 where id = ? and deleted_at is null",
            )
            .bind(title)
            .bind(source)
            .bind(session.as_str())
            .execute(self.writer())
            .await?;
            one_or(changed.rows_affected(), session)
        };
        self.explain(renamed.await)
    }

    /// Hides the session everywhere. It can be restored until it is purged, 30 days later.
    pub async fn session_delete(&self, session: &SessionId) -> Result<(), StoreError> {
        let deleted = async {
            let changed = sqlx::query(
                "update sessions
                 set deleted_at = ?
                 where id = ? and deleted_at is null",
            )
            .bind(self.now().0)
            .bind(session.as_str())
            .execute(self.writer())
            .await?;
            one_or(changed.rows_affected(), session)
        };
        self.explain(deleted.await)
    }

    /// Takes a deletion back.
    pub async fn session_restore(&self, session: &SessionId) -> Result<(), StoreError> {
        let restored = async {
            let changed = sqlx::query(
                "update sessions
                 set deleted_at = null
                 where id = ? and deleted_at is not null",
            )
            .bind(session.as_str())
            .execute(self.writer())
            .await?;
            one_or(changed.rows_affected(), session)
        };
        self.explain(restored.await)
    }

    async fn title_from_first_question(&self, session: &SessionId) -> Result<(String, &'static str), Fault> {
        let row = sqlx::query(
            "select m.text, m.attachments
             from sessions s
             join turns t on t.session_key = s.key
             join messages m on m.turn_key = t.key
             where s.id = ?
             order by t.ordinal, m.position
             limit 1",
        )
        .bind(session.as_str())
        .fetch_optional(self.readers())
        .await?;
        match row {
            Some(row) => {
                let question = attached::question(row.try_get(0)?, &read_list(&row, 1)?).into_owned();
                Ok((title::from_question(&question), "question"))
            }
            None => Ok((title::UNTITLED.to_owned(), "none")),
        }
    }
}

fn read_summary(row: &SqliteRow) -> Result<SessionSummary, Fault> {
    Ok(SessionSummary {
        session_id: SessionId(row.try_get(0)?),
        title: row.try_get(1)?,
        created_at: UnixMs(row.try_get(2)?),
        updated_at: UnixMs(row.try_get(3)?),
        turn_count: count(row, 4)?,
        running: row.try_get(5)?,
        waiting: false,
    })
}

fn one_or(changed: u64, session: &SessionId) -> Result<(), Fault> {
    if changed == 0 {
        return Err(no_chat(session));
    }
    Ok(())
}

fn no_chat(session: &SessionId) -> Fault {
    not_found(format!("chat `{session}`"))
}
