import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Field } from "./Field";
import { SecretField } from "./SecretField";

describe("Field", () => {
  it("is named by its label and described by its hint and its problem", () => {
    render(<Field label="Address" hint="Up to the version." problem="That is not an address." />);
    const input = screen.getByRole("textbox", { name: "Address" });
    expect(input.getAttribute("aria-invalid")).toBe("true");
    const described = (input.getAttribute("aria-describedby") ?? "").split(" ");
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "Up to the version.",
      "That is not an address.",
    ]);
  });
});

describe("SecretField", () => {
  it("hides what is written until it is asked to show it", async () => {
    render(<SecretField label="Key" defaultValue="sk-1" />);
    const input = screen.getByLabelText("Key");
    expect(input.getAttribute("type")).toBe("password");
    await userEvent.click(screen.getByRole("button", { name: "Show" }));
    expect(input.getAttribute("type")).toBe("text");
    await userEvent.click(screen.getByRole("button", { name: "Hide" }));
    expect(input.getAttribute("type")).toBe("password");
  });
});
