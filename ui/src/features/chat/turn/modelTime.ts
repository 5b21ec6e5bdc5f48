import type { TurnView } from "@/state";

/** How long the model took: the turn without its tools, which may run side by side or wait for an answer. */
export function modelMs({ startedAt, finishedAt, parts }: TurnView): number | null {
  if (startedAt === null || finishedAt === null) return null;
  const steps = parts
    .flatMap((part) => (part.kind === "step" ? [{ from: part.startedAt, ms: part.durationMs ?? 0 }] : []))
    .sort((one, other) => one.from - other.from);
  let inTools = 0;
  let until = startedAt;
  for (const { from, ms } of steps) {
    const to = Math.min(from + ms, finishedAt);
    inTools += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return finishedAt - startedAt - inTools;
}
