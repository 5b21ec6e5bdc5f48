//! A session store in memory, for the core's own tests; journeys use the real one.

use namma_core::BoxFuture;
use namma_core::ports::{Entry, NewTurn, SessionStore, Spent, StoreError, StoredTurn, micros};
use namma_protocol::{Attachment, FileId, SessionId, TurnId, TurnOutcome, UnixMs, Usage};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
pub struct MemoryStore {
    turns: Mutex<Vec<StoredTurn>>,
    partial: Mutex<Option<(TurnId, String)>>,
    files: Mutex<HashMap<FileId, Vec<u8>>>,
}

impl MemoryStore {
    pub fn all(&self) -> Vec<StoredTurn> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The partial text that a crash now would find.
    pub fn partial(&self) -> Option<String> {
        self.partial.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(_, text)| text.clone())
    }

    /// Keeps a file under its name, as if the person had attached it.
    pub fn attach(&self, name: &str, bytes: &[u8]) -> Attachment {
        let file_id = FileId(name.to_owned());
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(file_id.clone(), bytes.to_vec());
        Attachment {
            file_id,
            name: name.to_owned(),
            media_type: namma_core::attached::media_type(bytes).to_owned(),
            size_bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        }
    }

    fn with<T>(&self, turn: &TurnId, change: impl FnOnce(&mut StoredTurn) -> T) -> Result<T, StoreError> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let found = turns.iter_mut().find(|stored| stored.turn.turn_id == *turn);
        found.map(change).ok_or_else(|| StoreError::NotFound { what: format!("turn {turn}") })
    }
}

impl SessionStore for MemoryStore {
    fn begin_turn<'a>(&'a self, turn: &'a NewTurn) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            if turns.iter().any(|t| t.turn.session_id == turn.session_id && t.outcome.is_none()) {
                return Err(StoreError::Busy);
            }
            turns.push(StoredTurn {
                turn: turn.clone(),
                entries: Vec::new(),
                usage: Usage::default(),
                cost_micros: None,
                outcome: None,
                finished_at: None,
            });
            Ok(())
        })
    }

    fn append<'a>(
        &'a self,
        turn: &'a TurnId,
        entries: &'a [Entry],
        _: &'a [Spent],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            *self.partial.lock().unwrap_or_else(PoisonError::into_inner) = None;
            self.with(turn, |stored| stored.entries.extend_from_slice(entries))
        })
    }

    fn save_partial<'a>(&'a self, turn: &'a TurnId, text: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            *self.partial.lock().unwrap_or_else(PoisonError::into_inner) = Some((turn.clone(), text.to_owned()));
            Ok(())
        })
    }

    fn finish_turn<'a>(
        &'a self,
        turn: &'a TurnId,
        outcome: &'a TurnOutcome,
        spent: &'a [Spent],
        at: UnixMs,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.with(turn, |stored| {
                stored.outcome = Some(outcome.clone());
                stored.usage = spent.iter().fold(Usage::default(), |sum, one| sum.plus(one.usage));
                let nanos = spent.iter().filter_map(|one| one.cost_nanos).reduce(u64::saturating_add);
                stored.cost_micros = nanos.map(micros);
                stored.finished_at = Some(at);
            })
        })
    }

    fn turns<'a>(
        &'a self,
        session: &'a SessionId,
        before: Option<&'a TurnId>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<StoredTurn>, StoreError>> {
        Box::pin(async move {
            let all = self.all();
            let mut turns: Vec<StoredTurn> = all
                .into_iter()
                .filter(|t| t.turn.session_id == *session)
                .take_while(|t| before.is_none_or(|before| t.turn.turn_id != *before))
                .collect();
            let keep = turns.len().min(limit as usize);
            Ok(turns.split_off(turns.len() - keep))
        })
    }

    fn attached_bytes<'a>(&'a self, file: &'a FileId) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>> {
        Box::pin(async move { Ok(self.files.lock().unwrap_or_else(PoisonError::into_inner).get(file).cloned()) })
    }
}
