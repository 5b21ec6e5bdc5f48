//! The proof that one tool may run on one input, now.

use crate::gate::handles::{Chats, EarlierResults, Facts, FactsToSee, Files, Http, Machine, Opener, Shell, System};
use crate::gate::{Redactor, TurnScope};
use crate::ports::TurnEvents;
use crate::tool::{Effects, Place, Tool};
use namma_protocol::{ToolCallId, TurnEvent};
use tokio_util::sync::CancellationToken;

/// What the gate knows of a call it is about to run. Made in `gate.rs` only.
pub(crate) struct Stamp<'a> {
    pub(crate) effects: &'a Effects,
    pub(crate) place: &'a Place,
    pub(crate) machine: &'a Machine,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) events: &'a dyn TurnEvents,
    pub(crate) call_id: &'a ToolCallId,
    pub(crate) turn: &'a TurnScope,
    pub(crate) redactor: &'a Redactor,
}

/// Proof that *this* tool may run on *this* input, now.
///
/// There is no constructor outside the gate, it is not `Clone`, and it carries the tool's type:
/// a tool cannot lend its permit to another.
pub struct Permitted<'a, T: Tool> {
    input: &'a T::Input,
    stamp: &'a Stamp<'a>,
}

impl<'a, T: Tool> Permitted<'a, T> {
    pub(crate) fn new(input: &'a T::Input, stamp: &'a Stamp<'a>) -> Self {
        Self { input, stamp }
    }

    /// The approved arguments.
    pub fn input(&self) -> &'a T::Input {
        self.input
    }

    /// Where the turn works.
    pub fn place(&self) -> &'a Place {
        self.stamp.place
    }

    /// Files, limited to the declared effects.
    pub fn files(&self) -> Files<'a> {
        Files::new(self.stamp.effects, &self.stamp.machine.sandbox)
    }

    /// The shell, limited to the declared command.
    pub fn shell(&self) -> Shell<'a> {
        Shell::new(self.stamp.effects, &self.stamp.machine.sandbox, self.stamp.cancel)
    }

    /// The desktop's own programs, limited to what was declared.
    pub fn opener(&self) -> Opener<'a> {
        Opener::new(self.stamp.effects, &self.stamp.machine.sandbox)
    }

    /// The network, limited to the declared addresses.
    pub fn http(&self) -> Http<'a> {
        Http::new(self.stamp.effects, self.stamp.machine.http.as_ref())
    }

    /// Facts about this computer, limited to the declared kinds.
    pub fn system(&self) -> System<'a> {
        System::new(self.stamp.effects)
    }

    /// The chats of this home.
    pub fn chats(&self) -> Chats<'a> {
        Chats::new(self.stamp.effects, self.stamp.machine.chats.as_ref())
    }

    /// Results of earlier calls of this chat.
    pub fn results(&self) -> EarlierResults<'a> {
        EarlierResults::new(self.stamp.effects, self.stamp.machine.results.as_ref(), self.stamp.turn.session_id())
    }

    /// What the person had remembered, limited to the declared effects.
    pub fn memory(&self) -> Facts<'a> {
        Facts::new(self.stamp.effects, self.stamp.machine.memory.as_ref(), self.stamp.turn, self.stamp.redactor)
    }

    /// The turn was stopped: end soon. Only tools with something to clean up need to look.
    pub fn cancelled(&self) -> &'a CancellationToken {
        self.stamp.cancel
    }

    /// A line for the person while it runs.
    pub fn progress(&self, text: impl Into<String>) {
        self.stamp.events.emit(TurnEvent::ToolCallProgress { call_id: self.stamp.call_id.clone(), text: text.into() });
    }
}

/// A look at what a call is about, before it is approved: reading only, declared paths only.
pub struct Look<'a, T: Tool> {
    input: &'a T::Input,
    stamp: &'a Stamp<'a>,
}

impl<'a, T: Tool> Look<'a, T> {
    pub(crate) fn new(input: &'a T::Input, stamp: &'a Stamp<'a>) -> Self {
        Self { input, stamp }
    }

    pub fn input(&self) -> &'a T::Input {
        self.input
    }

    pub fn place(&self) -> &'a Place {
        self.stamp.place
    }

    /// Reading only: this handle's writing methods are refused by their effects.
    pub fn files(&self) -> crate::gate::handles::FilesToRead<'a> {
        crate::gate::handles::FilesToRead::new(self.stamp.effects, &self.stamp.machine.sandbox)
    }

    /// The facts that the call is about.
    pub fn memory(&self) -> FactsToSee<'a> {
        FactsToSee::new(self.stamp.effects, self.stamp.machine.memory.as_ref(), self.stamp.redactor)
    }
}
