import { describe, expect, it } from "vitest";
import type { TurnEvent } from "@/protocol/bindings";
import { replayTurn } from "@/state";
import { groupsOf, isQuiet } from "./groups";

const started: TurnEvent = {
  type: "turnStarted",
  userText: "q",
  attachments: [],
  model: "m",
  mode: "agent",
  startedAt: 0,
};
const call = (id: string): TurnEvent => ({
  type: "toolCallStarted",
  call: { id, name: "t", input: {} },
  title: { doing: "Doing", done: "Did" },
  startedAt: 0,
});
const done = (callId: string): TurnEvent => ({
  type: "toolCallFinished",
  callId,
  outcome: { type: "succeeded", content: "" },
  fact: null,
  durationMs: 1,
});
const text = (said: string, preamble: boolean): TurnEvent[] => [
  { type: "textDelta", text: said },
  { type: "textEnded", preamble },
];
const view = (...events: TurnEvent[]) => replayTurn("turn", [started, ...events]);

describe("the groups of a turn", () => {
  it("keep the true order and join steps that follow each other", () => {
    const { parts } = view(
      { type: "thinkingDelta", text: "hm" },
      ...text("First", true),
      call("1"),
      call("2"),
      done("1"),
      done("2"),
      ...text("Answer", false),
    );
    expect(
      groupsOf(parts).map((group) => [group.kind, group.kind === "thread" ? group.rows.length : 0]),
    ).toEqual([
      ["thread", 1],
      ["text", 0],
      ["thread", 2],
      ["text", 0],
    ]);
  });

  it("leave out text that has ended without a word", () => {
    expect(
      groupsOf(view({ type: "textDelta", text: "\n" }, { type: "textEnded", preamble: false }).parts),
    ).toEqual([]);
  });
});

describe("a quiet turn", () => {
  it.each([
    ["that has just begun", view(), true],
    ["whose text grows", view({ type: "textDelta", text: "a" }), false],
    ["with a step that runs", view(call("1")), false],
    ["whose steps are done", view(call("1"), done("1")), true],
    ["of which one of two steps runs", view(call("1"), call("2"), done("2")), false],
    [
      "that was steered",
      view(...text("a", false), { type: "userMessageAdded", text: "b", attachments: [] }),
      true,
    ],
    [
      "that ended",
      view({ type: "turnFinished", outcome: { type: "answered", text: "" }, finishedAt: 1 }),
      false,
    ],
  ] as const)("is one %s: %#", (_, turn, quiet) => {
    expect(isQuiet(turn)).toBe(quiet);
  });
});
