import { describe, expect, it } from "vitest";
import { matchScore } from "./matchText";

describe("matchScore", () => {
  it("finds letters in order, and nothing else", () => {
    expect(matchScore("nwc", "New chat")).toBeGreaterThan(0);
    expect(matchScore("xyz", "New chat")).toBe(0);
  });

  it("prefers the beginning of a word to its middle", () => {
    expect(matchScore("bill", "File the bills")).toBeGreaterThan(matchScore("bill", "Abilling thing"));
  });

  it("ignores case, and finds Kannada", () => {
    expect(matchScore("BILLS", "file the bills")).toBeGreaterThan(0);
    expect(matchScore("ಬಿಲ್", "ವಿದ್ಯುತ್ ಬಿಲ್‌ಗಳು")).toBeGreaterThan(0);
  });
});
