import { describe, expect, it } from "vitest";
import { costWords } from "./CostLine";

const usage = {
  inputTokens: 1240,
  outputTokens: 312,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

describe("the line of what a turn cost", () => {
  it("has tokens and the price", () => expect(costWords(usage, 4200)).toBe("1,240 in · 312 out · $0.0042"));
  it("has no price where none is known, or nothing is charged", () => {
    expect(costWords(usage, null)).toBe("1,240 in · 312 out");
    expect(costWords(usage, 0)).toBe("1,240 in · 312 out");
  });
  it("has the speed instead of a price", () => {
    expect(costWords(usage, null, 20_000)).toBe("1,240 in · 312 out · 16 tokens/s");
    expect(costWords(usage, null, 60_000)).toBe("1,240 in · 312 out · 5.2 tokens/s");
    expect(costWords(usage, 4200, 20_000)).toBe("1,240 in · 312 out · $0.0042");
    expect(costWords({ ...usage, outputTokens: 3 }, null, 100)).toBe("1,240 in · 3 out");
  });
  it("tells what came from the vendor's cache", () =>
    expect(costWords({ ...usage, cachedTokens: 512 }, null)).toBe("1,240 in (512 cached) · 312 out"));
});
