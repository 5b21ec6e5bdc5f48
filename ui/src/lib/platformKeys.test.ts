import { describe, expect, it } from "vitest";
import { keyLabel, matchesKeys } from "./platformKeys";

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe("matchesKeys", () => {
  it("wants exactly the named modifiers", () => {
    expect(matchesKeys({ ...none, ctrlKey: true, key: "n" }, "Ctrl+N")).toBe(true);
    expect(matchesKeys({ ...none, ctrlKey: true, shiftKey: true, key: "N" }, "Ctrl+N")).toBe(false);
    expect(matchesKeys({ ...none, ctrlKey: true, altKey: true, key: "n" }, "Ctrl+N")).toBe(false);
    expect(matchesKeys({ ...none, key: "n" }, "Ctrl+N")).toBe(false);
    expect(matchesKeys({ ...none, ctrlKey: true, key: "," }, "Ctrl+,")).toBe(true);
    expect(matchesKeys({ ...none, shiftKey: true, key: "F6" }, "Shift+F6")).toBe(true);
  });
});

describe("keyLabel", () => {
  it("writes keys as they are read", () => {
    expect(keyLabel("Ctrl+Shift+F")).toBe("Ctrl Shift F");
  });
});
