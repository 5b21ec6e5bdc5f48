import type { TurnEvent } from "@/protocol/bindings";
import { type ApprovalAnswer, emptyTurn, type StepPart, type TurnPart, type TurnView } from "./turnView";

/**
 * The view after one more event. Total: an event about an unknown call changes nothing.
 *
 * Used for stored turns, for the live one and after a gap, so all three look the same.
 */
export function reduceTurn(view: TurnView, event: TurnEvent): TurnView {
  switch (event.type) {
    case "turnStarted":
      return {
        ...emptyTurn(view.turnId),
        userText: event.userText,
        attachments: event.attachments,
        model: event.model,
        mode: event.mode,
        startedAt: event.startedAt,
      };
    case "textDelta":
      return withParts(view, grow(endThinking(view.parts), "text", event.text));
    case "thinkingDelta":
      return withParts(view, grow(view.parts, "thinking", event.text));
    case "textEnded":
      return withParts(view, endText(endThinking(view.parts), event.preamble));
    case "stepRestarted":
      return withParts(view, voidOpenStep(view.parts));
    case "toolCallStarted":
      return withParts(view, addStep(endThinking(view.parts), event));
    case "toolCallProgress":
      return onStep(view, event.callId, (step) => ({ ...step, progress: step.progress + event.text }));
    case "approvalRequested":
      return onStep(view, event.request.callId, (step) => ({
        ...step,
        approval: {
          request: event.request,
          answer: { type: "waiting" },
          askedAgain:
            step.approval !== null && step.approval.request.payloadHash !== event.request.payloadHash,
        },
      }));
    case "approvalResolved":
      return answer(view, event.callId, event.approvalId, toAnswer(event.decision));
    case "approvalWithdrawn":
      return answer(view, event.callId, event.approvalId, { type: "withdrawn" });
    case "toolCallFinished":
      return onStep(view, event.callId, (step) => ({
        ...closeQuestion(step),
        outcome: event.outcome,
        fact: event.fact,
        durationMs: event.durationMs,
      }));
    case "userMessageAdded":
      return withParts(view, [
        ...view.parts,
        {
          kind: "addition",
          id: nextId(view.parts, "addition"),
          text: event.text,
          attachments: event.attachments,
        },
      ]);
    case "notice":
      return withParts(view, [
        ...view.parts,
        { kind: "notice", id: nextId(view.parts, "notice"), notice: event.kind, text: event.text },
      ]);
    case "usageUpdated":
      return { ...view, usage: event.usage, costMicros: event.costMicros };
    case "contextMeasured":
      return { ...view, context: { tokens: event.tokens, window: event.window } };
    case "continuedWith": {
      const { label, model, reasons } = event;
      const id = nextId(view.parts, "continued");
      return {
        ...view,
        takenOver: { label, model },
        parts: [...endThinking(view.parts), { kind: "continued", id, label, model, reasons }],
      };
    }
    case "turnFinished":
      return {
        ...view,
        parts: closeAll(view.parts),
        outcome: event.outcome,
        finishedAt: event.finishedAt,
      };
    default:
      return ignore(event, view);
  }
}

/** A newer core may send events that this version does not know: they change nothing. */
function ignore(_event: never, view: TurnView): TurnView {
  return view;
}

/** A stored turn, from its events. */
export function replayTurn(turnId: string, events: readonly TurnEvent[]): TurnView {
  return events.reduce(reduceTurn, emptyTurn(turnId));
}

function withParts(view: TurnView, parts: readonly TurnPart[]): TurnView {
  return parts === view.parts ? view : { ...view, parts };
}

/** Where the open step of the model begins: after the last tool call or finished text. */
function openStepStart(parts: readonly TurnPart[]): number {
  return parts.findLastIndex((part) => part.kind === "step" || (part.kind === "text" && part.ended)) + 1;
}

/** Ids count per kind, so that a replay gives the same ones. A voided part gives its id to the next. */
function nextId(parts: readonly TurnPart[], kind: TurnPart["kind"]): string {
  const last = parts.findLast((part) => part.kind === kind);
  const count = last ? Number(last.id.slice(kind.length + 1)) + 1 : 1;
  return `${kind}-${count}`;
}

function grow(parts: readonly TurnPart[], kind: "text" | "thinking", more: string): readonly TurnPart[] {
  if (more === "") return parts;
  const start = openStepStart(parts);
  const at = parts.findIndex((part, index) => index >= start && part.kind === kind);
  const open = parts[at];
  if (open?.kind === "text" || open?.kind === "thinking") {
    return parts.with(at, { ...open, text: open.text + more });
  }
  const id = nextId(parts, kind);
  const added: TurnPart =
    kind === "text"
      ? { kind, id, text: more, ended: false, preamble: false }
      : { kind, id, text: more, ended: false };
  return [...parts, added];
}

function endThinking(parts: readonly TurnPart[]): readonly TurnPart[] {
  const at = parts.findLastIndex((part) => part.kind === "thinking" && !part.ended);
  const open = parts[at];
  return open?.kind === "thinking" ? parts.with(at, { ...open, ended: true }) : parts;
}

function endText(parts: readonly TurnPart[], preamble: boolean): readonly TurnPart[] {
  const at = parts.findLastIndex((part) => part.kind === "text" && !part.ended);
  const open = parts[at];
  return open?.kind === "text" ? parts.with(at, { ...open, ended: true, preamble }) : parts;
}

function voidOpenStep(parts: readonly TurnPart[]): readonly TurnPart[] {
  const start = openStepStart(parts);
  const kept = parts.filter(
    (part, index) => index < start || (part.kind !== "text" && part.kind !== "thinking"),
  );
  return kept.length === parts.length ? parts : kept;
}

type Started = Extract<TurnEvent, { type: "toolCallStarted" }>;

function addStep(parts: readonly TurnPart[], { call, title, startedAt }: Started): readonly TurnPart[] {
  if (parts.some((part) => part.kind === "step" && part.id === call.id)) return parts;
  const step: StepPart = {
    kind: "step",
    id: call.id,
    tool: call.name,
    input: call.input,
    title,
    startedAt,
    progress: "",
    approval: null,
    outcome: null,
    fact: null,
    durationMs: null,
  };
  return [...parts, step];
}

function onStep(view: TurnView, callId: string, change: (step: StepPart) => StepPart): TurnView {
  const at = view.parts.findIndex((part) => part.kind === "step" && part.id === callId);
  const step = view.parts[at];
  return step?.kind === "step" ? withParts(view, view.parts.with(at, change(step))) : view;
}

function answer(view: TurnView, callId: string, approvalId: string, given: ApprovalAnswer): TurnView {
  return onStep(view, callId, (step) =>
    step.approval?.request.approvalId === approvalId
      ? { ...step, approval: { ...step.approval, answer: given } }
      : step,
  );
}

function toAnswer(decision: Extract<TurnEvent, { type: "approvalResolved" }>["decision"]): ApprovalAnswer {
  return decision.type === "allow"
    ? { type: "allowed", scope: decision.scope }
    : { type: "declined", note: decision.note };
}

function closeQuestion(step: StepPart): StepPart {
  if (step.approval?.answer.type !== "waiting") return step;
  return { ...step, approval: { ...step.approval, answer: { type: "withdrawn" } } };
}

/** At the end of a turn nothing runs and nothing waits. */
function closeAll(parts: readonly TurnPart[]): readonly TurnPart[] {
  return parts.map(closePart);
}

function closePart(part: TurnPart): TurnPart {
  switch (part.kind) {
    case "text":
    case "thinking":
      return part.ended ? part : { ...part, ended: true };
    case "step":
      return part.outcome ? part : { ...closeQuestion(part), outcome: { type: "interrupted" } };
    case "notice":
    case "continued":
    case "addition":
      return part;
  }
}
