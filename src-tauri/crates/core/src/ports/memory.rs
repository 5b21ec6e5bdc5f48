use crate::BoxFuture;
use crate::ports::StoreError;
use crate::trust::{TaintSet, Trust};
use namma_protocol::{FactId, TurnId, UnixMs};
use serde::Serialize;

/// Something the person wants kept for later chats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub id: FactId,
    /// The fact as it was said.
    pub sentence: String,
    pub learned_at: UnixMs,
    /// The person wants it shown first.
    pub pinned: bool,
    /// What the turn had read when it was kept; clean for the person's own words.
    #[serde(skip)]
    pub taint: TaintSet,
}

impl Fact {
    /// A fact is one sentence; longer texts belong into a file.
    pub const MOST_CHARS: usize = 300;
}

/// A fact to keep.
#[derive(Clone, Copy, Debug)]
pub struct NewFact<'a> {
    pub sentence: &'a str,
    /// The turn that asked for it.
    pub turn: &'a TurnId,
    pub trust: Trust,
    pub taint: TaintSet,
}

/// What became of a fact to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    pub fact: Fact,
    /// It was not known before.
    pub is_new: bool,
}

/// The facts of this home.
pub trait Memory: Send + Sync + 'static {
    /// Keeps a fact. One that is known already gets another source and stays as it is.
    fn remember<'a>(&'a self, fact: NewFact<'a>) -> BoxFuture<'a, Result<Remembered, StoreError>>;

    /// The facts that fit the query best; without one the pinned and the newest. `turn` is told them.
    fn recall<'a>(
        &'a self,
        turn: &'a TurnId,
        query: Option<&'a str>,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>>;

    /// These facts, in this order; what does not exist is left out.
    fn look_up<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<Vec<Fact>, StoreError>>;

    /// Removes facts, with every trace of them that the store knows of, and says how many there were.
    fn forget<'a>(&'a self, facts: &'a [FactId]) -> BoxFuture<'a, Result<u32, StoreError>>;
}
