import { describe, expect, it } from "vitest";
import type { UsageOfDay } from "@/protocol/bindings";
import { spentThisMonth, spentToday } from "./spent";

const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const on = (day: string, costMicros: number): UsageOfDay => ({
  day: Date.parse(`${day}T00:00:00Z`),
  model: "m",
  turns: 1,
  usage,
  costMicros,
});
const rows = [on("2026-12-01", 5), on("2026-12-01", 7), on("2026-11-30", 20), on("2025-12-01", 100)];

describe("what was spent", () => {
  it("is summed up for a day and a month of UTC", () => {
    const now = Date.parse("2026-12-01T23:59:00Z");
    expect([spentToday(rows, now), spentThisMonth(rows, now)]).toEqual([12, 12]);
    const yesterday = Date.parse("2026-11-30T12:00:00Z");
    expect([spentToday(rows, yesterday), spentThisMonth(rows, yesterday)]).toEqual([20, 20]);
  });
});
