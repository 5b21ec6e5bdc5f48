mod secret;

use crate::gate::{Redactor, TurnScope};
use crate::ports::{Fact, Memory, NewFact, Remembered, StoreError};
use crate::tool::place::hidden_in;
use crate::tool::{Effects, ToolFailure};
use namma_protocol::FactId;

/// What the person had remembered.
pub struct Facts<'a> {
    effects: &'a Effects,
    memory: &'a dyn Memory,
    turn: &'a TurnScope,
    redactor: &'a Redactor,
}

impl<'a> Facts<'a> {
    /// What a tool declares that reads them.
    pub const KIND: &'static str = "what you had remembered";

    pub(crate) fn new(
        effects: &'a Effects,
        memory: &'a dyn Memory,
        turn: &'a TurnScope,
        redactor: &'a Redactor,
    ) -> Self {
        Self { effects, memory, turn, redactor }
    }

    /// The text as the sentence of a fact, for the declaration.
    ///
    /// # Errors
    /// When it is empty, too long, of several lines, or holds what cannot be seen.
    pub fn sentence(text: &str) -> Result<&str, ToolFailure> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ToolFailure::bad_input("there is nothing to remember").hint("Give one whole sentence."));
        }
        if hidden_in(text).is_some() {
            return Err(ToolFailure::bad_input("the text has several lines, or characters that cannot be seen")
                .hint("Give one sentence on one line."));
        }
        let length = text.chars().count();
        if length > Fact::MOST_CHARS {
            let most = Fact::MOST_CHARS;
            return Err(ToolFailure::bad_input(format!(
                "the text has {length} characters, and a fact has {most} at most"
            ))
            .hint("Remember the parts one by one, or write the text to a file."));
        }
        Ok(text)
    }

    /// Keeps a declared fact.
    ///
    /// # Errors
    /// When it was not declared, holds a secret, or the store cannot keep it.
    pub async fn remember(&self, sentence: &str) -> Result<Remembered, ToolFailure> {
        if !self.effects.allow_remember(sentence) {
            return Err(ToolFailure::undeclared("remember something"));
        }
        refuse_secret(sentence, self.redactor)?;
        let turn = self.turn;
        let fact = NewFact { sentence, turn: turn.turn_id(), trust: turn.trust(), taint: turn.taint() };
        self.memory.remember(fact).await.map_err(|error| failed("could not be kept", &error))
    }

    /// The facts that fit a query, or the pinned and newest.
    ///
    /// # Errors
    /// When that was not declared, or the store cannot say.
    pub async fn recall(&self, query: Option<&str>, limit: u32) -> Result<Vec<Fact>, ToolFailure> {
        if !self.effects.allow_system(Self::KIND) {
            return Err(ToolFailure::undeclared(format_args!("look into {}", Self::KIND)));
        }
        let found = self.memory.recall(self.turn.turn_id(), query, limit).await;
        found.map_err(|error| failed("could not be looked up", &error))
    }

    /// Removes the declared facts, and says how many there were.
    ///
    /// # Errors
    /// When they were not declared, or the store cannot remove them.
    pub async fn forget(&self, facts: &[FactId]) -> Result<u32, ToolFailure> {
        if !self.effects.allow_forget(facts) {
            return Err(ToolFailure::undeclared("forget something"));
        }
        self.memory.forget(facts).await.map_err(|error| failed("could not be forgotten", &error))
    }
}

/// The facts that a call is about, before it is approved.
pub struct FactsToSee<'a> {
    effects: &'a Effects,
    memory: &'a dyn Memory,
    redactor: &'a Redactor,
}

impl<'a> FactsToSee<'a> {
    pub(crate) fn new(effects: &'a Effects, memory: &'a dyn Memory, redactor: &'a Redactor) -> Self {
        Self { effects, memory, redactor }
    }

    /// May this be kept at all?
    ///
    /// # Errors
    /// When it holds a secret.
    pub fn check(&self, sentence: &str) -> Result<(), ToolFailure> {
        refuse_secret(sentence, self.redactor)
    }

    /// The declared facts, every one of them.
    ///
    /// # Errors
    /// When they were not declared, one does not exist, or the store cannot say.
    pub async fn to_forget(&self, facts: &[FactId]) -> Result<Vec<Fact>, ToolFailure> {
        if !self.effects.allow_forget(facts) {
            return Err(ToolFailure::undeclared("look at facts"));
        }
        let found = self.memory.look_up(facts).await.map_err(|error| failed("could not be looked up", &error))?;
        match facts.iter().find(|id| !found.iter().any(|fact| fact.id == **id)) {
            Some(missing) => Err(ToolFailure::failed(format!("there is no fact `{missing}`"))
                .hint("Use the ids that recall gives, exactly.")),
            None => Ok(found),
        }
    }
}

fn refuse_secret(sentence: &str, redactor: &Redactor) -> Result<(), ToolFailure> {
    let Some(kind) = secret::kind_of(sentence, redactor) else { return Ok(()) };
    Err(ToolFailure::failed(format!("this holds {kind}, and secrets are not remembered; nothing was kept")).hint(
        "Keys of models belong in the vault (Settings, Providers, or `namma connection set`), everything else that \
         is secret in a password manager. It still stands in this chat: delete the chat, in its menu or with \
         `namma sessions delete ID`, and its text goes thirty days later.",
    ))
}

fn failed(what: &str, error: &StoreError) -> ToolFailure {
    ToolFailure::failed(format!("the memory {what}: {error}"))
}
