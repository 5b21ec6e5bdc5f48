import type { TurnEvent, Usage, UsageOfDay } from "@/protocol/bindings";
import type { Script } from "./script";
import type { CoreSession, CoreState } from "./state";

const DAY_MS = 86_400_000;

/** A turn that finds a limit reached. */
export const limitScript: Script = [
  { notice: "spending", text: "the limit on spending is reached" },
  { finish: { type: "limitReached", limit: "spending", text: "" } },
];

/** Whether a limit for the day or the month is reached. */
export function isSpent({ settings, usage }: CoreState, now: number): boolean {
  const month = new Date(now).toISOString().slice(0, 7);
  const ofMonth = usage.filter(({ day }) => new Date(day).toISOString().startsWith(month));
  const ofDay = ofMonth.filter(({ day }) => day === startOfDay(now));
  return reaches(ofDay, settings.spendingPerDay) || reaches(ofMonth, settings.spendingPerMonth);
}

function reaches(usage: readonly UsageOfDay[], limit: string): boolean {
  return limit !== "" && usage.reduce((sum, { costMicros }) => sum + costMicros, 0) >= Number(limit) * 1e6;
}

/** What was used in the last days, newest first. */
export function usageSince({ usage }: CoreState, now: number, days: number): UsageOfDay[] {
  const first = startOfDay(now) - (days - 1) * DAY_MS;
  return usage.filter(({ day }) => day >= first).sort((a, b) => b.day - a.day);
}

type Updated = Extract<TurnEvent, { type: "usageUpdated" }>;

/** Adds what a turn used since it said so last. */
export function noteUsage(state: CoreState, { turns }: CoreSession, event: Updated, now: number): void {
  const events = turns.at(-1)?.events ?? [];
  const before = events.filter((earlier) => earlier.type === "usageUpdated").at(-2);
  const started = events.find((earlier) => earlier.type === "turnStarted");
  const last = before?.type === "usageUpdated" ? before : null;
  const model = started?.type === "turnStarted" ? started.model : "";
  const day = startOfDay(now);
  const row = state.usage.find((other) => other.day === day && other.model === model);
  const more = add(event.usage, last?.usage ?? noUsage, -1);
  const cost = (event.costMicros ?? 0) - (last?.costMicros ?? 0);
  if (!row) {
    state.usage.push({ day, model, turns: 1, usage: more, costMicros: cost });
    return;
  }
  row.turns += last === null ? 1 : 0;
  row.usage = add(row.usage, more, 1);
  row.costMicros += cost;
}

const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function add(one: Usage, other: Usage, sign: 1 | -1): Usage {
  return {
    inputTokens: one.inputTokens + sign * other.inputTokens,
    outputTokens: one.outputTokens + sign * other.outputTokens,
    cachedTokens: one.cachedTokens + sign * other.cachedTokens,
    cacheWriteTokens: one.cacheWriteTokens + sign * other.cacheWriteTokens,
    reasoningTokens: one.reasoningTokens + sign * other.reasoningTokens,
  };
}

function startOfDay(now: number): number {
  return now - (now % DAY_MS);
}
