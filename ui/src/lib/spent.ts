import type { UsageOfDay } from "@/protocol/bindings";

/** Days and months are those of UTC, as the limits count them. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** What today cost, in millionths of a US dollar. */
export function spentToday(usage: readonly UsageOfDay[], now: number): number {
  return sum(usage.filter(({ day }) => dayOf(day) === dayOf(now)));
}

/** What this month cost so far. */
export function spentThisMonth(usage: readonly UsageOfDay[], now: number): number {
  const month = dayOf(now).slice(0, 7);
  return sum(usage.filter(({ day }) => dayOf(day).startsWith(month)));
}

function sum(usage: readonly UsageOfDay[]): number {
  return usage.reduce((total, { costMicros }) => total + costMicros, 0);
}
