import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { DollarSetting } from "./DollarSetting";

function show(value = "") {
  const onKeep = vi.fn();
  render(<DollarSetting label="For a day" value={value} onKeep={onKeep} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "For a day, in US dollars" });
  return { onKeep, field, keys: userEvent.setup() };
}

describe("a limit in dollars", () => {
  it("is kept on Enter as a number, once", async () => {
    const { onKeep, field, keys } = show();
    await keys.type(field, "0.50{Enter}");
    await keys.tab();
    expect(onKeep).toHaveBeenCalledExactlyOnceWith(0.5);
  });

  it("is none when the field is emptied and left", async () => {
    const { onKeep, field, keys } = show("2");
    await keys.clear(field);
    await keys.tab();
    expect(onKeep).toHaveBeenCalledExactlyOnceWith(null);
  });

  it("is not kept again when nothing changed", async () => {
    const { onKeep, field, keys } = show("2");
    await keys.type(field, ".00{Enter}");
    expect(onKeep).not.toHaveBeenCalled();
    expect(field.value).toBe("2");
  });

  it("stays written with the reason when it cannot be one, and Esc takes it back", async () => {
    const { onKeep, field, keys } = show("2");
    await keys.type(field, " or so");
    await keys.tab();
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["2 or so", "true"]);
    expect(screen.getByRole("alert").textContent).toBe("Write a sum in US dollars, for example 0.50.");
    await keys.type(field, "{Escape}");
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["2", null]);
    expect(onKeep).not.toHaveBeenCalled();
  });
});
