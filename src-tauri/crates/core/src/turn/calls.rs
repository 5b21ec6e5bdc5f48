//! One round of tool calls: stored, run through the gate, and answered.

use crate::gate::{Finished, ReadCall};
use crate::ports::{Entry, StoreError};
use crate::turn::engine::Run;
use crate::turn::limits::Breaker;
use crate::turn::step::Thought;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use namma_protocol::{ToolCallId, ToolOutcome, TurnEvent};
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;

/// How a round of calls ended.
pub(super) enum Round {
    Go,
    Cancelled,
    Repeats,
}

struct Answer {
    call_id: ToolCallId,
    tool: String,
    input: String,
    changes_files: bool,
    looks: bool,
    finished: Finished,
}

async fn next_done(
    running: &mut FuturesUnordered<impl Future<Output = Answer>>,
    done: &mut VecDeque<Answer>,
) -> Option<Answer> {
    match done.pop_front() {
        Some(one) => Some(one),
        None => running.next().await,
    }
}

impl Run {
    /// Stores the calls, runs each through the gate, and stores each result as it comes.
    pub(super) async fn run_calls(
        &mut self,
        thought: Thought,
        breaker: &mut Breaker,
        unchecked_change: &mut bool,
    ) -> Result<Round, StoreError> {
        let now = self.engine.clock.now();
        if let (Some(first), Some(replay)) = (thought.calls.first(), thought.replay) {
            self.replays.insert(first.id.clone(), replay);
        }
        let calls: Vec<ReadCall> =
            thought.calls.into_iter().map(|call| self.engine.gate.read(call, self.scope.place())).collect();
        let stored: Vec<_> = calls.iter().map(|call| call.stored(now)).collect();
        let has_text = !thought.text.trim().is_empty();
        self.store(Entry::Assistant {
            text: if has_text { thought.text } else { String::new() },
            thinking: thought.thinking,
            calls: stored.clone(),
            stopped: false,
            taint: self.scope.taint(),
        })
        .await?;
        if has_text {
            self.emit(TurnEvent::TextEnded { preamble: true });
        }
        for one in stored {
            self.emit(TurnEvent::ToolCallStarted { call: one.call, title: one.title, started_at: one.started_at });
        }
        let mut repeats = false;
        let mut lost = None;
        let mut waiting = calls.into_iter().peekable();
        while let Some(first) = waiting.next() {
            // Calls that only read run side by side; one that changes something runs alone, in order.
            let mut batch = vec![first];
            while batch.iter().all(ReadCall::only_reads)
                && let Some(next) = waiting.next_if(ReadCall::only_reads)
            {
                batch.push(next);
            }
            let mut running: FuturesUnordered<_> = batch.into_iter().map(|call| self.answer(call)).collect();
            let mut done = VecDeque::new();
            while let Some(one) = next_done(&mut running, &mut done).await {
                repeats |= breaker.trips(&one.tool, &one.input, &one.finished.outcome);
                if matches!(one.finished.outcome, ToolOutcome::Succeeded { .. }) {
                    *unchecked_change = if one.changes_files { true } else { *unchecked_change && !one.looks };
                }
                // The others go on meanwhile: one that stands still in the middle of its audit would
                // hold the writer that this waits for.
                let mut keeping = pin!(self.keep_result(one.call_id, one.finished));
                let kept = loop {
                    tokio::select! {
                        kept = &mut keeping => break kept,
                        Some(other) = running.next() => done.push_back(other),
                    }
                };
                if let Err(error) = kept {
                    lost = Some(error);
                }
            }
        }
        match lost {
            Some(error) => Err(error),
            None if self.cancel.is_cancelled() => Ok(Round::Cancelled),
            None if repeats => Ok(Round::Repeats),
            None => Ok(Round::Go),
        }
    }

    fn answer(&self, call: ReadCall) -> impl Future<Output = Answer> + Send + use<> {
        let (gate, scope, cancel) = (Arc::clone(&self.engine.gate), self.scope.clone(), self.cancel.clone());
        async move {
            let (call_id, tool, input) = (call.id().clone(), call.name().to_owned(), call.canonical());
            let (changes_files, looks) = (call.changes_files(), call.looks());
            let finished = gate.run(call, &scope, &cancel).await;
            Answer { call_id, tool, input, changes_files, looks, finished }
        }
    }

    async fn keep_result(&mut self, call_id: ToolCallId, finished: Finished) -> Result<(), StoreError> {
        let kept = self
            .store(Entry::Result {
                call_id: call_id.clone(),
                outcome: finished.outcome.clone(),
                fact: finished.fact.clone(),
                duration_ms: finished.duration_ms,
                approvals: finished.approvals,
                taint: finished.taint,
                whole: finished.whole,
            })
            .await;
        // It ran, whether or not it could be stored: the person is told in any case.
        self.emit(TurnEvent::ToolCallFinished {
            call_id,
            outcome: finished.outcome,
            fact: finished.fact,
            duration_ms: finished.duration_ms,
        });
        kept
    }
}
