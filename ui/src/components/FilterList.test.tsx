import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { type FilterGroup, FilterList } from "./FilterList";

const option = (value: string) => ({ value, label: value });
const groups: readonly FilterGroup[] = [
  { id: "home", label: "Ollama", options: ["qwen3", "llama3"].map(option) },
  { id: "work", label: "Anthropic", note: "Known models.", options: ["opus", "haiku"].map(option) },
];

function show(more: Partial<Parameters<typeof FilterList>[0]> = {}) {
  const onChoose = vi.fn();
  render(<FilterList label="Model" groups={groups} value="llama3" onChoose={onChoose} {...more} />);
  return { onChoose, keys: userEvent.setup() };
}

const marked = () => screen.getAllByRole("option", { selected: true }).map((row) => row.id);
const markedText = () => screen.getByRole("option", { selected: true }).textContent;

describe("a list that is narrowed down by writing", () => {
  it("has the focus, begins at what is chosen, and tells which row is marked", () => {
    show();
    const box = screen.getByRole("combobox", { name: "Model" });
    expect(document.activeElement).toBe(box);
    expect(markedText()).toContain("llama3");
    expect([box.getAttribute("aria-activedescendant")]).toEqual(marked());
  });

  it("goes round by arrows and chooses by Enter", async () => {
    const { onChoose, keys } = show();
    await keys.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(markedText()).toBe("qwen3");
    await keys.keyboard("{ArrowUp}{Enter}");
    expect(onChoose).toHaveBeenCalledExactlyOnceWith("haiku");
  });

  it("finds by what is written, and a whole group by its name", async () => {
    const { keys } = show();
    await keys.keyboard("hai");
    expect(screen.getAllByRole("option").map((row) => row.textContent)).toEqual(["haiku"]);
    await keys.keyboard("{Backspace}{Backspace}{Backspace}anthropic");
    expect(screen.getAllByRole("option").map((row) => row.textContent)).toEqual(["opus", "haiku"]);
  });

  it("says when there is nothing, and Enter then chooses nothing", async () => {
    const { onChoose, keys } = show();
    await keys.keyboard("zzz{ArrowDown}{Enter}");
    expect(screen.getByText("Nothing for “zzz”")).toBeTruthy();
    expect(onChoose).not.toHaveBeenCalled();
  });

  it("offers what is written where that is allowed", async () => {
    const free = (written: string) => ({ value: written, label: `Use ${written}` });
    const { onChoose, keys } = show({ free });
    await keys.keyboard("my own{Enter}");
    expect(onChoose).toHaveBeenCalledExactlyOnceWith("my own");
  });

  it("shows so many of a long group as somebody reads, and says how many more there are", async () => {
    const many = Array.from({ length: 300 }, (_, number) => option(`model-${number}`));
    const { onChoose, keys } = show({ groups: [{ id: "a", label: "Many", options: many }] });
    expect(screen.getAllByRole("option")).toHaveLength(40);
    expect(screen.getByText("260 more: write to find them.")).toBeTruthy();
    await keys.keyboard("model-299{Enter}");
    expect(onChoose).toHaveBeenCalledExactlyOnceWith("model-299");
  });
});
