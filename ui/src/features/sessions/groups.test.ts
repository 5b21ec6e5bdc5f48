import { describe, expect, it } from "vitest";
import type { SessionSummary } from "@/protocol/bindings";
import { groupByDay } from "./groups";

const now = new Date(2026, 10, 30, 9, 0);

function session(sessionId: string, updated: Date): SessionSummary {
  const at = updated.getTime();
  return {
    sessionId,
    title: sessionId,
    createdAt: at,
    updatedAt: at,
    turnCount: 1,
    running: false,
    waiting: false,
  };
}

describe("groupByDay", () => {
  it("sorts chats into days, weeks and months, newest first", () => {
    const groups = groupByDay(
      [
        session("march", new Date(2026, 2, 3)),
        session("older", new Date(2024, 4, 1)),
        session("late yesterday", new Date(2026, 10, 29, 23, 59)),
        session("today", new Date(2026, 10, 30, 0, 1)),
        session("last week", new Date(2026, 10, 24)),
      ],
      now,
    );
    expect(groups.map((group) => group.title)).toEqual([
      "Today",
      "Yesterday",
      "Previous 7 days",
      "March",
      "May 2024",
    ]);
  });

  it("counts a clock that went back as today", () => {
    expect(groupByDay([session("ahead", new Date(2026, 11, 2))], now)[0]?.title).toBe("Today");
  });
});
