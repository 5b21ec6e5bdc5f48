import { describe, expect, it } from "vitest";
import { dollars, readDollars } from "./money";

describe("dollars", () => {
  it.each([
    [0, "$0.00"],
    [40, "under $0.0001"],
    [4_200, "$0.0042"],
    [17_400, "$0.017"],
    [410_000, "$0.41"],
    [12_300_000, "$12.30"],
  ])("%d millionths are %s", (micros, words) => expect(dollars(micros)).toBe(words));
});

describe("a limit that is written", () => {
  it.each([
    ["0.5", 0.5],
    [" $2 ", 2],
    ["US$ 12.30", 12.3],
    ["1,50", 1.5],
    [".25", 0.25],
  ])("%s is understood", (text, sum) => {
    expect(readDollars(text)).toEqual({ type: "dollars", dollars: sum });
  });

  it("is none when nothing is written", () => expect(readDollars("  ")).toEqual({ type: "none" }));

  it.each(["-1", "0", "five", "1e9", "1,000", "2 000", "1000001", "NaN", "0x10", "."])(
    "%s is refused with words",
    (text) => {
      expect(readDollars(text)).toEqual({ type: "wrong", why: expect.stringMatching(/^\p{Lu}.*\.$/u) });
    },
  );
});
