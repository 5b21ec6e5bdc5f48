//! Sessions: listing, opening, renaming, deleting, searching, drafts.

use crate::builder::App;
use crate::choice::with_connection;
use namma_core::ports::{SessionStore, StoreError, StoredTurn};
use namma_core::turn::turn_events;
use namma_protocol::{
    ApiError, ChooseModel, Draft, ErrorCode, OpenSession, SearchHit, SessionId, SessionSummary, SessionView, Tag,
    TurnRecord,
};
use namma_store::{Choice, ExportedSession};

impl App {
    /// Every session, the one used last first.
    pub async fn session_list(&self) -> Result<Vec<SessionSummary>, ApiError> {
        let mut sessions = self.inner.store.sessions_list().await.map_err(api)?;
        let waiting = self.inner.desk.waiting();
        for session in &mut sessions {
            session.waiting = waiting.contains(&session.session_id);
        }
        Ok(sessions)
    }

    /// A page of a session, with the running turn as far as it got.
    pub async fn session_open(&self, request: OpenSession) -> Result<SessionView, ApiError> {
        let session_id = &request.session_id;
        let limit = request.limit.clamp(1, 500);
        // Read again if something happened meanwhile, so that turns and number belong together.
        for _ in 0..20 {
            let snapshot = self.inner.bus.snapshot(session_id);
            let turns = self.inner.store.turns(session_id, request.before.as_ref(), limit + 1);
            let mut stored = turns.await.map_err(api)?;
            let has_older = stored.len() > limit as usize;
            if has_older {
                stored.remove(0);
            }
            let session = self.session_summary(session_id).await?;
            let queue = self.inner.store.queue_list(session_id).await.map_err(api)?;
            let draft = self.inner.store.draft_get(Some(session_id)).await.map_err(api)?;
            if self.inner.bus.snapshot(session_id).last_seq != snapshot.last_seq && snapshot.live.is_none() {
                continue;
            }
            let mut turns: Vec<TurnRecord> = stored
                .iter()
                .filter(|turn| turn.outcome.is_some())
                .filter(|turn| snapshot.live.as_ref().is_none_or(|(id, _)| *id != turn.turn.turn_id))
                .map(record)
                .collect();
            if let (Some((turn_id, events)), None) = (snapshot.live, &request.before) {
                turns.push(TurnRecord { turn_id, events });
            }
            let queue = queue.into_iter().map(Into::into).collect();
            let chosen = self.inner.store.session_choice(session_id).await.map_err(api)?;
            return Ok(SessionView {
                session,
                turns,
                has_older,
                last_seq: snapshot.last_seq,
                queue,
                draft: draft.text,
                draft_attachments: draft.attachments,
                chosen_model: chosen.model,
                chosen_think: chosen.think,
            });
        }
        Err(ApiError::new(ErrorCode::Busy, "this chat changes too fast to be opened").hint("Try again in a moment."))
    }

    async fn session_summary(&self, session: &SessionId) -> Result<SessionSummary, ApiError> {
        let mut summary = self.inner.store.session_summary(session).await.map_err(api)?;
        summary.waiting = self.inner.desk.waiting().contains(session);
        Ok(summary)
    }

    /// Sets a chat to a model and a level of thinking, from its next turn on.
    pub async fn session_choose(&self, choose: ChooseModel) -> Result<(), ApiError> {
        let model = with_connection(&self.connections(), choose.model.as_deref());
        let choice = Choice { model, think: choose.think };
        self.inner.store.session_choose(&choose.session_id, &choice).await.map_err(api)?;
        self.inner.bus.data_changed([Tag::Sessions]);
        Ok(())
    }

    pub async fn session_rename(&self, session: &SessionId, title: &str) -> Result<(), ApiError> {
        if title.trim().is_empty() {
            return Err(ApiError::new(ErrorCode::InvalidInput, "the title is empty").hint("Give the chat a name."));
        }
        self.inner.store.session_rename(session, title).await.map_err(api)?;
        self.inner.bus.data_changed([Tag::Sessions]);
        Ok(())
    }

    /// Deletes a session; [`App::session_restore`] brings it back. A running turn is stopped first.
    pub async fn session_delete(&self, session: &SessionId) -> Result<(), ApiError> {
        self.turn_cancel(session).await?;
        self.inner.store.session_delete(session).await.map_err(api)?;
        self.inner.bus.data_changed([Tag::Sessions]);
        Ok(())
    }

    pub async fn session_restore(&self, session: &SessionId) -> Result<(), ApiError> {
        self.inner.store.session_restore(session).await.map_err(api)?;
        self.inner.bus.data_changed([Tag::Sessions]);
        Ok(())
    }

    pub async fn session_search(&self, query: &str, limit: u32) -> Result<Vec<SearchHit>, ApiError> {
        self.inner.store.search(query, limit.clamp(1, 200)).await.map_err(api)
    }

    pub async fn session_export(&self, session: &SessionId) -> Result<ExportedSession, ApiError> {
        self.inner.store.export_session(session).await.map_err(api)
    }

    /// Keeps what is being written; `None` is the chat that does not exist yet.
    pub async fn draft_save(&self, session: Option<&SessionId>, draft: &Draft) -> Result<(), ApiError> {
        self.inner.store.draft_save(session, draft).await.map_err(api)
    }

    pub async fn draft_get(&self, session: Option<&SessionId>) -> Result<Draft, ApiError> {
        self.inner.store.draft_get(session).await.map_err(api)
    }
}

fn record(stored: &StoredTurn) -> TurnRecord {
    TurnRecord { turn_id: stored.turn.turn_id.clone(), events: turn_events(stored) }
}

fn api(error: StoreError) -> ApiError {
    error.to_api_error()
}
