//! Who asked, how far they are trusted, and which tools exist for this turn.

use crate::ports::{Approver, TurnEvents};
use crate::tool::Place;
use crate::trust::{TaintSet, Trust};
use namma_protocol::{Mode, SessionId, TurnId};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Which tools exist for a turn. Evaluated when a call is made, not when the list was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolScope {
    /// Every tool that is switched on.
    All,
    /// None at all: chat mode.
    None,
    /// Only these.
    Only(BTreeSet<String>),
}

impl ToolScope {
    pub fn allows(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(names) => names.contains(tool),
        }
    }
}

/// The frame of one turn. Set by the host's transport; text cannot change it, and it can only be
/// narrowed.
#[derive(Clone)]
pub struct TurnScope {
    pub(crate) session_id: SessionId,
    pub(crate) turn_id: TurnId,
    pub(crate) trust: Trust,
    pub(crate) tools: ToolScope,
    pub(crate) place: Place,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) events: Arc<dyn TurnEvents>,
    /// What the owner wrote in this session, folded for comparison.
    pub(crate) owner_text: String,
    taint: Arc<AtomicU32>,
    calls: Arc<AtomicU32>,
}

impl TurnScope {
    /// A new frame.
    #[expect(clippy::too_many_arguments, reason = "each part is decided by the caller; none has a default")]
    pub fn new(
        session_id: SessionId,
        turn_id: TurnId,
        trust: Trust,
        mode: Mode,
        place: Place,
        approver: Arc<dyn Approver>,
        events: Arc<dyn TurnEvents>,
        taint: TaintSet,
    ) -> Self {
        let tools = match mode {
            Mode::Agent => ToolScope::All,
            Mode::Chat => ToolScope::None,
        };
        Self {
            session_id,
            turn_id,
            trust,
            tools,
            place,
            approver,
            events,
            owner_text: String::new(),
            taint: Arc::new(AtomicU32::new(taint.0)),
            calls: Arc::new(AtomicU32::new(0)),
        }
    }

    /// The same frame with fewer tools.
    #[must_use]
    pub fn narrowed(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let names: BTreeSet<String> = names.into_iter().filter(|name| self.tools.allows(name)).collect();
        self.tools = ToolScope::Only(names);
        self
    }

    /// Adds a text that the owner wrote: destinations found in it count as the owner's own.
    pub fn add_owner_text(&mut self, text: &str) {
        if self.trust == Trust::Owner {
            self.owner_text.push('\n');
            self.owner_text.push_str(&text.to_lowercase());
        }
    }

    pub fn session_id(&self) -> &SessionId {
        &self.session_id
    }

    pub fn turn_id(&self) -> &TurnId {
        &self.turn_id
    }

    pub fn trust(&self) -> Trust {
        self.trust
    }

    pub fn tools(&self) -> &ToolScope {
        &self.tools
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    pub fn events(&self) -> &Arc<dyn TurnEvents> {
        &self.events
    }

    /// The sources of everything the turn has read so far.
    pub fn taint(&self) -> TaintSet {
        TaintSet(self.taint.load(Ordering::Acquire))
    }

    pub(crate) fn add_taint(&self, taint: TaintSet) {
        self.taint.fetch_or(taint.0, Ordering::AcqRel);
    }

    /// Counts one more call and returns how many there are now.
    pub(crate) fn count_call(&self) -> u32 {
        self.calls.fetch_add(1, Ordering::AcqRel) + 1
    }
}
