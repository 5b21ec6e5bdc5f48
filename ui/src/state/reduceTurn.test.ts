import { describe, expect, it } from "vitest";
import type { TurnEvent } from "@/protocol/bindings";
import { reduceTurn, replayTurn } from "./reduceTurn";
import { approvalRequest, started, stepStarted, used } from "./testTurns";
import { answering, answerText, emptyTurn, stepState, type TurnView, waitingApprovals } from "./turnView";

function kinds(view: TurnView): string[] {
  return view.parts.map((part) => part.kind);
}

const asked: TurnEvent[] = [
  started(),
  stepStarted("call_1", "move_path"),
  { type: "approvalRequested", request: approvalRequest() },
];

describe("reduceTurn", () => {
  it("joins deltas into one text and ends it", () => {
    const view = replayTurn("t", [
      started(),
      { type: "textDelta", text: "Na" },
      { type: "textDelta", text: "mma" },
      { type: "textEnded", preamble: false },
    ]);
    expect(view.parts).toEqual([{ kind: "text", id: "text-1", text: "Namma", ended: true, preamble: false }]);
  });

  it("keeps text, steps and text in their true order", () => {
    const view = replayTurn("t", [
      started(),
      { type: "thinkingDelta", text: "hm" },
      { type: "textDelta", text: "I look." },
      { type: "textEnded", preamble: true },
      stepStarted("a"),
      {
        type: "toolCallFinished",
        callId: "a",
        outcome: { type: "succeeded", content: "" },
        fact: "2",
        durationMs: 9,
      },
      { type: "textDelta", text: "Found." },
      { type: "textEnded", preamble: false },
    ]);
    expect(kinds(view)).toEqual(["thinking", "text", "step", "text"]);
    expect(answerText(view)).toBe("Found.");
  });

  it("keeps reasoning out of the answer on both sides of a tool call", () => {
    const view = replayTurn("t", [
      started(),
      { type: "thinkingDelta", text: "one" },
      stepStarted("a"),
      { type: "thinkingDelta", text: "two" },
      { type: "textDelta", text: "Answer" },
    ]);
    expect(kinds(view)).toEqual(["thinking", "step", "thinking", "text"]);
    expect(answerText(view)).toBe("Answer");
  });

  it("voids only the open step when it is restarted", () => {
    const view = replayTurn("t", [
      started(),
      { type: "textDelta", text: "First." },
      { type: "textEnded", preamble: true },
      stepStarted("a"),
      { type: "notice", kind: "retrying", text: "again" },
      { type: "thinkingDelta", text: "x" },
      { type: "textDelta", text: "half" },
      { type: "stepRestarted" },
      { type: "textDelta", text: "whole" },
    ]);
    expect(kinds(view)).toEqual(["text", "step", "notice", "text"]);
    expect(view.parts.at(-1)).toMatchObject({ text: "whole", ended: false });
  });

  it("shows a question, then its answer, and never a question again", () => {
    const waiting = replayTurn("t", asked);
    expect(waitingApprovals(waiting)).toHaveLength(1);
    const allowed = reduceTurn(waiting, {
      type: "approvalResolved",
      approvalId: "apr_1",
      callId: "call_1",
      decision: { type: "allow", scope: "session" },
    });
    expect(waitingApprovals(allowed)).toEqual([]);
    expect(allowed.parts[0]).toMatchObject({ approval: { answer: { type: "allowed", scope: "session" } } });
  });

  it("tells a question that is asked anew because the call changed", () => {
    const again = approvalRequest({ approvalId: "apr_2", payloadHash: "hash-2" });
    const view = replayTurn("t", [...asked, { type: "approvalRequested", request: again }]);
    expect(waitingApprovals(view)).toEqual([again]);
    expect(view.parts[0]).toMatchObject({ approval: { askedAgain: true } });
  });

  it("ignores an answer to a question that no longer stands", () => {
    const view = replayTurn("t", asked);
    const decision = { type: "allow", scope: "once" } as const;
    expect(
      reduceTurn(view, { type: "approvalResolved", approvalId: "apr_0", callId: "call_1", decision }),
    ).toEqual(view);
  });

  it("withdraws the question and interrupts the step when the turn is stopped", () => {
    const view = replayTurn("t", [
      ...asked,
      { type: "turnFinished", outcome: { type: "cancelled", text: "" }, finishedAt: 9 },
    ]);
    const [step] = view.parts;
    expect(step?.kind === "step" && stepState(step)).toBe("interrupted");
    expect(waitingApprovals(view)).toEqual([]);
  });

  it("changes nothing for a call it does not know", () => {
    const view = replayTurn("t", [started()]);
    const unknown: TurnEvent[] = [
      { type: "toolCallProgress", callId: "?", text: "x" },
      { type: "toolCallFinished", callId: "?", outcome: { type: "interrupted" }, fact: null, durationMs: 0 },
      { type: "approvalRequested", request: approvalRequest({ callId: "?" }) },
      { type: "approvalWithdrawn", approvalId: "?", callId: "?" },
      { type: "textEnded", preamble: false },
      { type: "stepRestarted" },
    ];
    expect(unknown.reduce(reduceTurn, view)).toEqual(view);
  });

  it("survives an event of a newer core", () => {
    const view = replayTurn("t", [started()]);
    expect(reduceTurn(view, { type: "somethingNew" } as unknown as TurnEvent)).toBe(view);
  });

  it("shows what the turn has used so far: each event tells of the whole", () => {
    const view = replayTurn("t", [
      started(),
      { type: "usageUpdated", usage: used(10), costMicros: 40 },
      { type: "usageUpdated", usage: used(30), costMicros: 90 },
    ]);
    expect(view).toMatchObject({ usage: used(30), costMicros: 90 });
  });

  it("knows no cost without a known price", () => {
    const view = replayTurn("t", [started(), { type: "usageUpdated", usage: used(10), costMicros: null }]);
    expect(view).toMatchObject({ usage: used(10), costMicros: null });
  });

  it("keeps how full the context was last", () => {
    const view = replayTurn("t", [
      started(),
      { type: "contextMeasured", tokens: 100, window: 4096 },
      { type: "contextMeasured", tokens: 220, window: null },
    ]);
    expect(view.context).toEqual({ tokens: 220, window: null });
  });

  it("marks the place from where another model goes on, and names that model", () => {
    const reasons = ["Anthropic did not answer.", "It sees no images."];
    const continuedWith: TurnEvent = { type: "continuedWith", label: "Ollama", model: "qwen3", reasons };
    const view = replayTurn("t", [
      started(),
      stepStarted("a"),
      { type: "thinkingDelta", text: "hm" },
      { type: "textDelta", text: "half" },
      { type: "stepRestarted" },
      continuedWith,
      { type: "textDelta", text: "whole" },
      { ...continuedWith, model: "llama" },
    ]);
    expect(kinds(view)).toEqual(["step", "continued", "text", "continued"]);
    expect(view.parts[1]).toEqual({
      kind: "continued",
      id: "continued-1",
      label: "Ollama",
      model: "qwen3",
      reasons,
    });
    expect(view.parts[3]).toMatchObject({ id: "continued-2" });
    expect([view.model, answering(view)]).toEqual(["test-model", "llama"]);
  });

  it("keeps a growing text whole around what the person adds", () => {
    const view = replayTurn("t", [
      started(),
      { type: "textDelta", text: "one " },
      { type: "userMessageAdded", text: "and be brief", attachments: [] },
      { type: "textDelta", text: "two" },
    ]);
    expect(view.parts).toMatchObject([{ text: "one two" }, { kind: "addition", text: "and be brief" }]);
  });

  it("runs until it is told how it ended", () => {
    expect(emptyTurn("t").outcome).toBeNull();
    const outcome = { type: "limitReached", limit: "steps", text: "" } as const;
    expect(replayTurn("t", [started(), { type: "turnFinished", outcome, finishedAt: 3 }]).outcome).toEqual(
      outcome,
    );
  });
});
