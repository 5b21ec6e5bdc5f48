use namma_core::BoxFuture;
use namma_core::ports::{Clock, Entry, NewTurn, SessionStore, Spent, StoredCall};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::{
    Attachment, Draft, FileId, Mode, SessionId, StepTitle, ToolCall, ToolCallId, ToolOutcome, TurnId, TurnOutcome,
    UnixMs, Usage,
};
use namma_store::{OpenOptions, OpenOutcome, Store};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// 2030-01-01T00:00:00Z.
pub(crate) const START: UnixMs = UnixMs(1_893_456_000_000);

/// A clock that stands still until it is moved.
pub(crate) struct HandClock(AtomicI64);

impl HandClock {
    pub(crate) fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> UnixMs {
        UnixMs(self.0.load(Ordering::SeqCst))
    }

    fn zone(&self) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::UTC
    }

    fn sleep(&self, _duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// A folder with a database, deleted at the end.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Arc<HandClock>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: Arc::new(HandClock(AtomicI64::new(START.0))) }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("home/namma.db")
    }

    pub(crate) fn options(&self) -> OpenOptions {
        OpenOptions::new(Arc::clone(&self.clock) as Arc<dyn Clock>)
    }

    pub(crate) async fn open(&self) -> OpenOutcome {
        Store::open(&self.path(), &self.options()).await.unwrap()
    }

    pub(crate) async fn store(&self) -> Store {
        self.open().await.store
    }

    /// The names in the database's folder that contain a word.
    pub(crate) fn files_with(&self, word: &str) -> Vec<PathBuf> {
        let folder = self.path().parent().unwrap().to_owned();
        let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.file_name().unwrap().to_string_lossy().contains(word))
            .collect();
        found.sort();
        found
    }
}

pub(crate) fn new_turn(session: &str, turn: &str, text: &str) -> NewTurn {
    NewTurn {
        turn_id: TurnId::from(turn),
        session_id: SessionId::from(session),
        user_text: text.to_owned(),
        attachments: Vec::new(),
        mode: Mode::Agent,
        model: "test-model".to_owned(),
        trust: Trust::Owner,
        started_at: START,
    }
}

/// A file of that name that need not be kept.
pub(crate) fn attachment(name: &str) -> Attachment {
    Attachment { file_id: FileId("f0".into()), name: name.into(), media_type: "text/plain".into(), size_bytes: 2048 }
}

/// A draft without files.
pub(crate) fn draft(text: &str) -> Draft {
    Draft { text: text.into(), attachments: Vec::new() }
}

pub(crate) fn said(text: &str) -> Entry {
    Entry::Assistant {
        text: text.to_owned(),
        thinking: String::new(),
        calls: Vec::new(),
        stopped: false,
        taint: TaintSet::CLEAN,
    }
}

pub(crate) fn called(text: &str, calls: &[&str]) -> Entry {
    Entry::Assistant {
        text: text.to_owned(),
        thinking: "let me look".to_owned(),
        calls: calls.iter().map(|id| stored_call(id)).collect(),
        stopped: false,
        taint: TaintSet::CLEAN,
    }
}

pub(crate) fn stored_call(id: &str) -> StoredCall {
    StoredCall {
        call: ToolCall {
            id: ToolCallId::from(id),
            name: "list_dir".to_owned(),
            input: serde_json::json!({"path": "/tmp", "deep": [1, null, "ನಮ್ಮ"]}),
        },
        broken_arguments: None,
        title: StepTitle { doing: "Looking into tmp".to_owned(), done: "Looked into tmp".to_owned() },
        started_at: UnixMs(START.0 + 5),
    }
}

pub(crate) fn succeeded(call: &str) -> Entry {
    Entry::Result {
        call_id: ToolCallId::from(call),
        outcome: ToolOutcome::Succeeded { content: "a.txt\nb.txt".to_owned() },
        fact: Some("2 entries".to_owned()),
        duration_ms: 12,
        approvals: Vec::new(),
        taint: TaintSet::CLEAN,
        whole: None,
    }
}

pub(crate) fn interrupted(call: &str, duration_ms: u32) -> Entry {
    Entry::Result {
        call_id: ToolCallId::from(call),
        outcome: ToolOutcome::Interrupted,
        fact: None,
        duration_ms,
        approvals: Vec::new(),
        taint: TaintSet::CLEAN,
        whole: None,
    }
}

/// What one model used, without a price.
pub(crate) fn spent(usage: Usage) -> Spent {
    Spent { model: "m".to_owned(), usage, cost_nanos: None }
}

pub(crate) fn answered(text: &str) -> TurnOutcome {
    TurnOutcome::Answered { text: text.to_owned() }
}

/// A whole turn: question and answer.
pub(crate) async fn talk(store: &Store, session: &str, turn: &str, question: &str, answer: &str) {
    store.begin_turn(&new_turn(session, turn, question)).await.unwrap();
    store.append(&TurnId::from(turn), &[said(answer)], &[]).await.unwrap();
    store.finish_turn(&TurnId::from(turn), &answered(answer), &[], START).await.unwrap();
}

/// The ids of the turns of a session.
pub(crate) async fn turn_ids(store: &Store, session: &str) -> Vec<String> {
    let turns = store.turns(&SessionId::from(session), None, u32::MAX).await.unwrap();
    turns.into_iter().map(|stored| stored.turn.turn_id.0).collect()
}

/// A plain connection to the file, past the store.
pub(crate) async fn raw(path: &std::path::Path) -> sqlx::SqliteConnection {
    use sqlx::ConnectOptions;
    sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

pub(crate) async fn execute(path: &std::path::Path, sql: &str) {
    use sqlx::Connection;
    let mut connection = raw(path).await;
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
