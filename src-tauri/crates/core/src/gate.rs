//! The one way to run a tool: eight stages in order, each of which can only say no, ask or pass on.
//!
//! | # | stage | where | on no |
//! |---|---|---|---|
//! | 1 | normalise and validate | `arguments`, the tool's types | the model corrects the call |
//! | 2 | scope and budgets, at call time | `scope` | not available here |
//! | 3 | trust and taint | `provenance` | refused, or must be asked |
//! | 4 | policy | `policy` | denied with the rule |
//! | 5 | approval, bound to a hash | `grants`, the approver | declined |
//! | 6 | execution with a permit | `permit`, `handles` | failed or interrupted |
//! | 7 | output | `output`, `redact` | cleaned, masked, cut |
//! | 8 | audit, before and after | the audit port | nothing runs unrecorded |
//!
//! It never returns an error: every call gets exactly one outcome.

mod arguments;
mod ask;
mod grants;
mod handles;
mod output;
mod permit;
pub mod policy;
mod provenance;
mod read;
mod record;
mod redact;
mod refusal;
mod scope;
mod secrets;

pub use handles::*;
pub use permit::{Look, Permitted};
pub use policy::Policy;
pub use read::ReadCall;
pub use redact::Redactor;
pub use scope::{ToolScope, TurnScope};

pub(crate) use permit::Stamp;

use crate::ports::{AnsweredApproval, AuditLog, Clock, TurnEvents};
use crate::tool::{ErasedTool, Prepared, ToolRegistry, ToolSpec};
use crate::trust::TaintSet;
use futures_util::FutureExt;
use grants::Grants;
use namma_protocol::{Effect, ToolCallId, ToolOutcome};
use output::Cleaned;
use record::Recorder;
use refusal::Refusal;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Where the gate reads the rules in force: a changed setting counts from the next call on.
pub type PolicySource = Arc<dyn Fn() -> Arc<Policy> + Send + Sync>;

/// Bounds on what one turn may do.
#[derive(Clone, Debug)]
pub struct GateLimits {
    pub calls_per_turn: u32,
    /// Bytes of a result that the model gets.
    pub result_bytes: usize,
    /// How long a stopped tool may take to clean up before it is dropped.
    pub stop_grace: Duration,
}

impl Default for GateLimits {
    fn default() -> Self {
        Self { calls_per_turn: 200, result_bytes: 64 * 1024, stop_grace: Duration::from_millis(1500) }
    }
}

/// The gate.
pub struct ToolGate {
    registry: ToolRegistry,
    policy: PolicySource,
    audit: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    machine: Machine,
    redactor: Redactor,
    limits: GateLimits,
    grants: Grants,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub outcome: ToolOutcome,
    pub fact: Option<String>,
    pub duration_ms: u32,
    pub approvals: Vec<AnsweredApproval>,
    /// Where the content came from.
    pub taint: TaintSet,
    /// The content as it was before it was shortened for the model; `None` when it was not.
    pub whole: Option<String>,
}

impl ToolGate {
    /// One per program; made in the composition root only.
    pub fn new(
        registry: ToolRegistry,
        policy: PolicySource,
        audit: Arc<dyn AuditLog>,
        clock: Arc<dyn Clock>,
        machine: Machine,
        redactor: Redactor,
        limits: GateLimits,
    ) -> Self {
        Self { registry, policy, audit, clock, machine, redactor, limits, grants: Grants::default() }
    }

    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// A text from outside as a model may read it: nothing unseen in it, and no secret of ours.
    pub(crate) fn readable(&self, text: &str) -> String {
        let (text, note) = output::readable(text, &self.redactor);
        text + &note
    }

    /// What the model is told of the tools of this turn.
    pub fn specs(&self, turn: &TurnScope) -> Vec<ToolSpec> {
        self.registry.specs().into_iter().filter(|spec| turn.tools.allows(&spec.name)).collect()
    }

    /// Runs one call through the whole pipeline, and answers it whatever happens.
    pub async fn run(&self, call: ReadCall, turn: &TurnScope, cancel: &CancellationToken) -> Finished {
        let started = self.clock.now();
        let mut record = Recorder::new(&call, turn, &self.redactor);
        let mut approvals = Vec::new();
        // A fault inside a stage refuses: it must never pass a call on.
        let stages = AssertUnwindSafe(self.stages(&call, turn, cancel, &mut record, &mut approvals)).catch_unwind();
        let result = match stages.await {
            Ok(Ok(result)) => result,
            Ok(Err(refusal)) => self.refuse(refusal, &mut record).await.into(),
            Err(_) => {
                tracing::error!(tool = %call.name(), "a stage of the gate panicked");
                let refusal =
                    Refusal::failed(6, "gate_internal", "the assistant had a fault while running this tool", None);
                self.refuse(refusal, &mut record).await.into()
            }
        };
        let duration_ms = u32::try_from(self.clock.now().0 - started.0).unwrap_or(0);
        let Answer { outcome, fact, taint, whole } = result;
        Finished { outcome, fact, duration_ms, approvals, taint, whole }
    }

    async fn stages(
        &self,
        call: &ReadCall,
        turn: &TurnScope,
        cancel: &CancellationToken,
        record: &mut Recorder,
        approvals: &mut Vec<AnsweredApproval>,
    ) -> Result<Answer, Refusal> {
        if cancel.is_cancelled() {
            return Err(Refusal::interrupted(1));
        }
        let (tool, prepared) = call.understood()?; // 1
        self.check_scope(call.name(), turn)?; // 2
        let concern = provenance::check(prepared.effects.as_slice(), turn)?; // 3
        let question = self.question(call.name(), prepared, &concern, turn)?; // 4
        let fresh; // what was approved is prepared anew and compared; that is what runs
        let prepared = match question {
            None => prepared,
            Some(reasons) => {
                fresh = self.ask(tool, call, reasons, &concern, turn, cancel, record, approvals).await?; // 5
                &fresh
            }
        };
        record.intent(self.clock.now(), self.sandbox_of(prepared));
        self.audit.record(record.entry()).await.map_err(|error| {
            tracing::error!(%error, "the audit log cannot be written");
            Refusal::failed(
                8,
                "audit_unavailable",
                "it was not run because the audit log cannot be written",
                Some("Tell the person: free some space or make the data folder writable.".into()),
            )
        })?;
        let output = self.execute(tool, call, prepared, turn, cancel).await; // 6
        let result = self.finish(output, prepared.deadline, turn, call.id()); // 7
        record.done(self.clock.now(), &result.outcome);
        if let Err(error) = self.audit.record(record.entry()).await {
            tracing::error!(%error, "the audit log lost the end of a call"); // 8: its intent row stands
        }
        Ok(result)
    }

    fn check_scope(&self, tool: &str, turn: &TurnScope) -> Result<(), Refusal> {
        if !turn.tools.allows(tool) {
            let message = format!("{tool} is not available in this chat");
            return Err(Refusal::failed(2, "out_of_scope", message, Some("Answer without it.".into())));
        }
        if turn.count_call() > self.limits.calls_per_turn {
            let message = format!("this turn has used its {} tool calls", self.limits.calls_per_turn);
            return Err(Refusal::failed(2, "budget", message, Some("Answer with what you have.".into())));
        }
        Ok(())
    }

    /// How the call's process would be confined. Only then: finding out takes a moment.
    fn sandbox_of(&self, prepared: &Prepared) -> Option<String> {
        let starts_process = prepared.effects.as_slice().iter().any(|e| matches!(e, Effect::RunCommand { .. }));
        starts_process.then(|| self.machine.sandbox.describe())
    }

    fn stamp<'a>(
        &'a self,
        prepared: &'a Prepared,
        call: &'a ReadCall,
        turn: &'a TurnScope,
        cancel: &'a CancellationToken,
    ) -> Stamp<'a> {
        Stamp {
            effects: &prepared.effects,
            place: &turn.place,
            machine: &self.machine,
            cancel,
            events: turn.events.as_ref() as &dyn TurnEvents,
            call_id: call.id(),
            turn,
            redactor: &self.redactor,
        }
    }

    async fn execute(
        &self,
        tool: &dyn ErasedTool,
        call: &ReadCall,
        prepared: &Prepared,
        turn: &TurnScope,
        cancel: &CancellationToken,
    ) -> Executed {
        let stamp = self.stamp(prepared, call, turn, cancel);
        let run = AssertUnwindSafe(tool.run(prepared, &stamp)).catch_unwind();
        let stopped = async {
            cancel.cancelled().await;
            self.clock.sleep(self.limits.stop_grace).await;
        };
        tokio::select! {
            biased;
            () = std::future::ready(()), if cancel.is_cancelled() => Executed::Stopped,
            result = run => match result {
                _ if cancel.is_cancelled() => Executed::Stopped,
                Ok(Ok(output)) => Executed::Output(output),
                Ok(Err(failure)) => Executed::Failed(failure),
                Err(_) => Executed::Panicked,
            },
            () = self.clock.sleep(prepared.deadline) => Executed::TimedOut,
            () = stopped => Executed::Stopped,
        }
    }

    fn finish(&self, executed: Executed, deadline: Duration, turn: &TurnScope, call_id: &ToolCallId) -> Answer {
        let limit = self.limits.result_bytes;
        let failed = |message: String, hint: Option<String>| {
            let message = output::clean_message(&message, &self.redactor, limit);
            Answer::from(ToolOutcome::Failed { message, hint })
        };
        match executed {
            Executed::Output(output) => {
                turn.add_taint(output.taint);
                let Cleaned { text, whole } = output::clean(&output.content, &self.redactor, limit, call_id);
                let outcome = ToolOutcome::Succeeded { content: text };
                Answer { outcome, fact: output.fact, taint: output.taint, whole }
            }
            Executed::Failed(failure) => failed(failure.message, failure.hint),
            Executed::TimedOut => failed(
                format!("it was stopped after {} s", deadline.as_secs()),
                Some("Try a smaller piece of the work.".into()),
            ),
            Executed::Panicked => failed("the tool had a fault of its own".into(), Some("Try another way.".into())),
            Executed::Stopped => ToolOutcome::Interrupted.into(),
        }
    }

    async fn refuse(&self, refusal: Refusal, record: &mut Recorder) -> ToolOutcome {
        record.refused(self.clock.now(), &refusal);
        if let Err(error) = self.audit.record(record.entry()).await {
            tracing::error!(%error, "the audit log lost a refusal");
        }
        refusal.outcome
    }
}

/// What the model and the person get of a call.
struct Answer {
    outcome: ToolOutcome,
    fact: Option<String>,
    taint: TaintSet,
    whole: Option<String>,
}

/// Words of ours alone.
impl From<ToolOutcome> for Answer {
    fn from(outcome: ToolOutcome) -> Self {
        Self { outcome, fact: None, taint: TaintSet::CLEAN, whole: None }
    }
}

enum Executed {
    Output(crate::tool::ToolOutput),
    Failed(crate::tool::ToolFailure),
    TimedOut,
    Panicked,
    Stopped,
}
