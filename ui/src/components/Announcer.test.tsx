import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Announcer, announce } from "./Announcer";

describe("Announcer", () => {
  it("has one polite and one urgent place, and says the same thing twice when asked to", () => {
    render(<Announcer />);
    act(() => announce("Sent"));
    const first = screen.getByRole("status").firstElementChild;
    act(() => announce("Sent"));
    expect(screen.getByRole("status").textContent).toBe("Sent");
    expect(screen.getByRole("status").firstElementChild).not.toBe(first);
    act(() => announce("Your turn: move 11 files", "assertive"));
    expect(screen.getByRole("alert").textContent).toBe("Your turn: move 11 files");
  });
});
