import type { SessionSummary } from "@/protocol/bindings";

export type SessionGroup = { readonly title: string; readonly sessions: readonly SessionSummary[] };

const dayMs = 86_400_000;

/** Chats by the day of their last change: Today, Yesterday, Previous 7 days, then months. Newest first. */
export function groupByDay(sessions: readonly SessionSummary[], now: Date): readonly SessionGroup[] {
  const groups = new Map<string, SessionSummary[]>();
  const newestFirst = [...sessions].sort((a, b) => b.updatedAt - a.updatedAt);
  for (const session of newestFirst) {
    const title = dayTitle(new Date(session.updatedAt), now);
    groups.set(title, [...(groups.get(title) ?? []), session]);
  }
  return [...groups].map(([title, members]) => ({ title, sessions: members }));
}

function dayTitle(then: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(then)) / dayMs);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= 7) return "Previous 7 days";
  const sameYear = then.getFullYear() === now.getFullYear();
  return then.toLocaleDateString("en", sameYear ? { month: "long" } : { month: "long", year: "numeric" });
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
