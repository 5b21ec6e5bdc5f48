import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as announcer from "@/components/Announcer";
import { apiError } from "@/platform/apiError";
import type { TurnEvent } from "@/protocol/bindings";
import { emptyTurn, reduceTurn, type TurnView } from "@/state";
import { approvalRequest, started, stepStarted } from "@/state/testTurns";
import { createAnnouncements } from "./announcements";

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  vi.useFakeTimers();
  vi.spyOn(announcer, "announce").mockImplementation((text, urgency = "polite") => {
    said.push(`${urgency}: ${text}`);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function play(events: readonly TurnEvent[], shown: string | null = "ses_1", pauseMs = 0): void {
  let view: TurnView = emptyTurn("t");
  const hear = createAnnouncements(
    () => shown,
    () => view,
  );
  for (const event of events) {
    view = reduceTurn(view, event);
    hear({ sessionId: "ses_1", turnId: "t", seq: 1, event });
    vi.advanceTimersByTime(pauseMs);
  }
}

const finishedStep = (id: string): TurnEvent => ({
  type: "toolCallFinished",
  callId: id,
  outcome: { type: "succeeded", content: "" },
  fact: null,
  durationMs: 1,
});
const text = (value: string): TurnEvent => ({ type: "textDelta", text: value });
const answered: TurnEvent = { type: "turnFinished", outcome: { type: "answered", text: "" }, finishedAt: 9 };

describe("what is said aloud", () => {
  it("is the beginning and the end of an answer, never its words", () => {
    play([started(), text("One two "), text("three."), { type: "textEnded", preamble: false }, answered]);
    expect(said).toEqual(["polite: Working", "polite: Answer ready, 3 words"]);
  });

  it("is a failure with its cause", () => {
    const error = apiError("rateLimited", "ask", { retryAfterMs: 18_000 });
    play([{ type: "turnFinished", outcome: { type: "failed", error, text: "" }, finishedAt: 9 }]);
    expect(said).toEqual(["polite: The answer failed. The model server asks us to wait 18 s."]);
  });

  it("is the model that goes on when another one does not answer", () => {
    play([{ type: "continuedWith", label: "Ollama", model: "qwen3:14b", reasons: [] }]);
    expect(said).toEqual(["polite: Continued with qwen3:14b"]);
  });

  it("is a finished step at most every four seconds", () => {
    const steps = ["a", "b", "c"].flatMap((id) => [stepStarted(id), finishedStep(id)]);
    play(steps);
    expect(said).toHaveLength(1);
    said.length = 0;
    play(steps, "ses_1", 2_500);
    expect(said).toHaveLength(3);
  });

  it("is a question at once and urgently, and politely when it is in another chat", () => {
    const asked: TurnEvent = { type: "approvalRequested", request: approvalRequest() };
    play([asked]);
    play([asked], "ses_2");
    expect(said).toEqual([
      "assertive: Your turn: Move 2 files into Bills",
      "polite: Your turn: Move 2 files into Bills",
    ]);
  });

  it("is nothing of other chats", () => {
    play([started(), text("x"), answered], "ses_2");
    expect(said).toEqual([]);
  });
});
