import type { TurnEvent } from "@/protocol/bindings";

/** What has to be said before a turn may end: questions are withdrawn, calls are interrupted. */
export function loose(events: readonly TurnEvent[]): TurnEvent[] {
  const calls = new Set<string>();
  const questions = new Map<string, string>();
  for (const event of events) {
    if (event.type === "toolCallStarted") calls.add(event.call.id);
    else if (event.type === "toolCallFinished") calls.delete(event.callId);
    else if (event.type === "approvalRequested")
      questions.set(event.request.callId, event.request.approvalId);
    else if (event.type === "approvalResolved" || event.type === "approvalWithdrawn")
      questions.delete(event.callId);
  }
  const withdrawn = [...questions].map(
    ([callId, approvalId]): TurnEvent => ({ type: "approvalWithdrawn", approvalId, callId }),
  );
  const interrupted = [...calls].map(
    (callId): TurnEvent => ({
      type: "toolCallFinished",
      callId,
      outcome: { type: "interrupted" },
      fact: null,
      durationMs: 0,
    }),
  );
  return [...withdrawn, ...interrupted];
}

/** The text of a turn as far as it got. */
export function said(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === "textDelta" ? event.text : "")).join("");
}
