import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "./Toaster";
import { showToast, useToasts } from "./toasts";

beforeEach(() => useToasts.setState({ items: [] }));

describe("Toaster", () => {
  it("shows three at most, the newest ones", () => {
    render(<Toaster />);
    act(() => {
      for (const text of ["one", "two", "three", "four"]) showToast(text);
    });
    expect(useToasts.getState().items.map((item) => item.text)).toEqual(["two", "three", "four"]);
    expect(screen.getByText("four")).toBeTruthy();
    expect(screen.queryByText("one")).toBeNull();
  });

  it("does its action once and goes", async () => {
    const undo = vi.fn();
    render(<Toaster />);
    act(() => showToast("Deleted “Bills”", { label: "Undo", run: undo }));
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(useToasts.getState().items).toEqual([]);
  });
});
