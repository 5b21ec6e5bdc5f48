import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { StepPart } from "@/state";
import { Thread } from "./Thread";

function step(id: string, change: Partial<StepPart> = {}): StepPart {
  return {
    kind: "step",
    id,
    tool: "read_file",
    input: { path: `/tmp/${id}`, nested: [1, 2] },
    title: { doing: `Reading ${id}`, done: `Read ${id}` },
    startedAt: Date.now(),
    progress: "",
    approval: null,
    outcome: { type: "succeeded", content: "line\n".repeat(40) },
    fact: "40 lines",
    durationMs: 400,
    ...change,
  };
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => step(`s${count}-${index}`));
const show = (parts: readonly StepPart[], running = false) =>
  render(<Thread turnId={parts.map((part) => part.id).join()} rows={parts} running={running} />);

describe("the thread", () => {
  it("shows up to five finished steps", () => {
    show(rows(5));
    expect(screen.getAllByRole("listitem")).toHaveLength(5);
  });

  it("folds more to the first and the last, and unfolds", async () => {
    show(rows(8));
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringContaining("Read s8-0"),
      "6 more steps, 2.4 s",
      expect.stringContaining("Read s8-7"),
    ]);
    await userEvent.click(screen.getByRole("button", { name: /6 more steps/ }));
    expect(screen.getAllByRole("listitem")).toHaveLength(8);
  });

  it("never folds a step that runs or waits", () => {
    show([...rows(7), step("live", { outcome: null, durationMs: null })], true);
    expect(screen.getByText("Reading live")).toBeTruthy();
  });

  it("opens a step to all of its arguments and the first lines of its result", async () => {
    show([step("one")]);
    await userEvent.click(screen.getByRole("button", { name: /Read one/ }));
    expect(
      screen.getByRole("region", { name: "Arguments of read_file" }).querySelector("pre")?.textContent,
    ).toBe(JSON.stringify({ path: "/tmp/one", nested: [1, 2] }, null, 2));
    const result = screen.getByRole("region", { name: "Result" });
    expect(result.querySelector("pre")?.textContent?.split("\n")).toHaveLength(20);
    await userEvent.click(screen.getByRole("button", { name: "All 40 lines" }));
    expect(result.querySelector("pre")?.textContent?.split("\n")).toHaveLength(40);
  });

  it("says that something was done only when it was", () => {
    show([
      step("failed", { outcome: { type: "failed", message: "no such file", hint: "Look in /home." } }),
      step("stopped", { outcome: { type: "interrupted" } }),
      step("denied", { outcome: { type: "declined", reason: "a rule says no" } }),
    ]);
    expect(screen.getByText("Reading failed")).toBeTruthy();
    expect(screen.getByText("no such file")).toBeTruthy();
    expect(screen.getByText("stopped")).toBeTruthy();
    expect(screen.getByText("Not done: a rule says no")).toBeTruthy();
    expect(screen.queryByText(/^Read /)).toBeNull();
  });
});
