import { describe, expect, it } from "vitest";
import { apiError } from "@/platform/apiError";
import type { TurnOutcome } from "@/protocol/bindings";
import { emptyTurn, type TurnView } from "@/state";
import { attemptsOf, isFolded, mayRetryByItself } from "./attempts";

const limited = (retryAfterMs: number | null = 18_000): TurnOutcome => ({
  type: "failed",
  error: apiError("rateLimited", "ask", { retryAfterMs }),
  text: "",
});

/** A turn that took a second. */
function turn(startedAt: number, outcome: TurnOutcome | null = limited(), userText = "Bills?"): TurnView {
  return { ...emptyTurn(`t${startedAt}`), userText, startedAt, finishedAt: startedAt + 1000, outcome };
}

describe("a failed question is asked again by itself", () => {
  const mayAfter = (...turns: TurnView[]) => mayRetryByItself(attemptsOf(turns));

  it("the first time", () => {
    expect(mayAfter(turn(0))).toBe(true);
    expect(mayAfter(turn(0, { type: "answered", text: "11" }), turn(50_000))).toBe(true);
    expect(mayAfter(turn(0, limited(), "Rent?"), turn(50_000))).toBe(true);
  });

  it("not when the try before it was waited for", () => {
    expect(mayAfter(turn(0), turn(19_000))).toBe(false);
    expect(mayAfter(turn(0), turn(18_900))).toBe(false);
  });

  it("not when any try of it was waited for, whatever the person did in between", () => {
    expect(mayAfter(turn(0), turn(19_000), turn(21_000))).toBe(false);
    expect(mayAfter(turn(0), turn(19_000, { type: "cancelled", text: "" }), turn(21_000))).toBe(false);
    const failed: TurnOutcome = { type: "failed", error: apiError("serverFailed", "ask"), text: "" };
    expect(mayAfter(turn(0), turn(19_000, failed), turn(21_000))).toBe(false);
  });

  it("when the person did not wait", () => {
    expect(mayAfter(turn(0), turn(5_000))).toBe(true);
  });

  it("never after more than a minute, and never without a time", () => {
    expect(mayAfter(turn(0, limited(60_000)))).toBe(true);
    expect(mayAfter(turn(0, limited(60_001)))).toBe(false);
    expect(mayAfter(turn(0, limited(null)))).toBe(false);
    expect(mayAfter(turn(0, null))).toBe(false);
    expect(mayRetryByItself([])).toBe(false);
  });
});

describe("an earlier try folds", () => {
  const notice = { kind: "notice", id: "notice-1", notice: "retrying", text: "again" } as const;
  const text = { kind: "text", id: "text-1", text: "Half", ended: true, preamble: false } as const;

  it("when it left nothing and the same question follows", () => {
    expect(isFolded(turn(0), "Bills?")).toBe(true);
    expect(isFolded({ ...turn(0), parts: [notice, { ...text, text: " " }] }, "Bills?")).toBe(true);
  });

  it("not when something is there to read, another question follows, or it ended otherwise", () => {
    expect(isFolded({ ...turn(0), parts: [text] }, "Bills?")).toBe(false);
    expect(
      isFolded({ ...turn(0), parts: [{ ...notice, kind: "addition", attachments: [] }] }, "Bills?"),
    ).toBe(false);
    expect(isFolded(turn(0), "Rent?")).toBe(false);
    const photo = { fileId: "f", name: "a.png", mediaType: "image/png", sizeBytes: 1 };
    expect(isFolded({ ...turn(0), attachments: [photo] }, "Bills?")).toBe(false);
    expect(isFolded(turn(0), null)).toBe(false);
    expect(isFolded(turn(0, { type: "cancelled", text: "" }), "Bills?")).toBe(false);
    expect(isFolded(turn(0, null), "Bills?")).toBe(false);
  });
});
