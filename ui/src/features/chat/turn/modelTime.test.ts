import { describe, expect, it } from "vitest";
import { emptyTurn, type StepPart, type TurnView } from "@/state";
import { modelMs } from "./modelTime";

function turn(finishedAt: number | null, ...steps: [from: number, ms: number | null][]): TurnView {
  const parts = steps.map(
    ([startedAt, durationMs], index): StepPart => ({
      kind: "step",
      id: `call_${index}`,
      tool: "read_file",
      input: {},
      title: { doing: "", done: "" },
      startedAt,
      progress: "",
      approval: null,
      outcome: null,
      fact: null,
      durationMs,
    }),
  );
  return { ...emptyTurn("turn_1"), startedAt: 1000, finishedAt, parts };
}

describe("the time of the model", () => {
  it.each([
    ["is the whole turn without tools", turn(5000), 4000],
    ["is without one tool", turn(5000, [2000, 500]), 3500],
    ["counts tools that run side by side once", turn(5000, [2000, 1000], [2000, 1000], [2500, 1000]), 2500],
    ["counts a short one within a long one once", turn(5000, [2000, 2000], [2500, 100], [4500, 100]), 1900],
    ["is the same in whatever order they are told", turn(5000, [2500, 1000], [2000, 1000]), 2500],
    ["takes a tool without a time for none", turn(5000, [2000, null]), 4000],
    ["is not known while the turn runs", turn(null, [2000, 500]), null],
  ])("%s", (_, view, ms) => expect(modelMs(view)).toBe(ms));
});
