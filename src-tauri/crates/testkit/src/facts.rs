//! A memory of facts without a database.

use namma_core::BoxFuture;
use namma_core::ports::{Fact, Memory, NewFact, Remembered, StoreError};
use namma_core::trust::TaintSet;
use namma_protocol::{FactId, TurnId, UnixMs};
use std::sync::{Mutex, PoisonError};

/// Finds a fact by any word of the query.
#[derive(Debug, Default)]
pub struct MemoryFacts(Mutex<Vec<Fact>>);

impl MemoryFacts {
    /// With a fact of the owner.
    #[must_use]
    pub fn with(self, id: &str, sentence: &str) -> Self {
        self.with_taint(id, sentence, TaintSet::CLEAN)
    }

    /// With a fact that was kept after something was read.
    #[must_use]
    pub fn with_taint(self, id: &str, sentence: &str, taint: TaintSet) -> Self {
        let (id, sentence) = (FactId::from(id), sentence.to_owned());
        self.locked().push(Fact { id, sentence, learned_at: UnixMs(0), pinned: false, taint });
        self
    }

    /// The sentences that are kept.
    pub fn sentences(&self) -> Vec<String> {
        self.locked().iter().map(|fact| fact.sentence.clone()).collect()
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Vec<Fact>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory for MemoryFacts {
    fn remember<'a>(&'a self, new: NewFact<'a>) -> BoxFuture<'a, Result<Remembered, StoreError>> {
        let mut facts = self.locked();
        let known = facts.iter().find(|fact| fact.sentence == new.sentence).cloned();
        let is_new = known.is_none();
        let fact = known.unwrap_or_else(|| Fact {
            id: FactId::fresh(),
            sentence: new.sentence.to_owned(),
            learned_at: UnixMs(0),
            pinned: false,
            taint: new.taint,
        });
        if is_new {
            facts.push(fact.clone());
        }
        Box::pin(async move { Ok(Remembered { fact, is_new }) })
    }

    fn recall<'a>(
        &'a self,
        _: &'a TurnId,
        query: Option<&'a str>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>> {
        let fits =
            |fact: &&Fact| query.is_none_or(|query| query.split_whitespace().any(|word| fact.sentence.contains(word)));
        let found: Vec<Fact> = self.locked().iter().filter(fits).take(limit as usize).cloned().collect();
        Box::pin(async { Ok(found) })
    }

    fn look_up<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>> {
        let found: Vec<Fact> = self.locked().iter().filter(|fact| facts.contains(&fact.id)).cloned().collect();
        Box::pin(async { Ok(found) })
    }

    fn forget<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<u32, StoreError>> {
        let mut kept = self.locked();
        let before = kept.len();
        kept.retain(|fact| !facts.contains(&fact.id));
        let gone = u32::try_from(before - kept.len()).unwrap_or(u32::MAX);
        Box::pin(async move { Ok(gone) })
    }
}
