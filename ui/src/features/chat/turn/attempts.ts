/** A question that was asked again because it failed: how often, and what of that is shown. */
import type { TurnOutcome } from "@/protocol/bindings";
import { questionKey, type TurnPart, type TurnView } from "@/state";

/** A longer wait is told and left to the person. */
const LONGEST_WAIT_MS = 60_000;
/** Timers and clocks are not exact: a try that began this little before its time was waited for. */
const EARLY_MS = 500;

/** The tries of the question of the last of these turns, oldest first; an answer ends the row. */
export function attemptsOf(turns: readonly TurnView[]): readonly TurnView[] {
  const last = turns.at(-1);
  const question = last && questionKey(last);
  const before = turns.slice(0, -1);
  const other = before.findLastIndex((turn) => questionKey(turn) !== question || !wasInVain(turn));
  return turns.slice(other + 1);
}

/** Whether the last try may be made again without being told to: only once for a question, and soon. */
export function mayRetryByItself(attempts: readonly TurnView[]): boolean {
  const last = attempts.at(-1);
  const wait = last ? waitOf(last) : null;
  if (wait === null || wait > LONGEST_WAIT_MS) return false;
  return !attempts.some((attempt, index) => wasWaitedFor(attempt, attempts[index + 1]));
}

type Failed = TurnView & { readonly outcome: Extract<TurnOutcome, { type: "failed" }> };

/** Whether a turn is told in one line: it left nothing but its failure, and the same question follows. */
export function isFolded(view: TurnView, nextQuestion: string | null): view is Failed {
  return view.outcome?.type === "failed" && nextQuestion === questionKey(view) && view.parts.every(isBare);
}

function isBare(part: TurnPart): boolean {
  return part.kind === "notice" || ((part.kind === "text" || part.kind === "thinking") && !part.text.trim());
}

function wasInVain({ outcome }: TurnView): boolean {
  return outcome?.type === "failed" || outcome?.type === "cancelled" || outcome?.type === "interrupted";
}

function waitOf({ outcome }: TurnView): number | null {
  return outcome?.type === "failed" ? outcome.error.retryAfterMs : null;
}

function wasWaitedFor(attempt: TurnView, next: TurnView | undefined): boolean {
  const wait = waitOf(attempt);
  if (wait === null || attempt.finishedAt === null) return false;
  return (next?.startedAt ?? 0) >= attempt.finishedAt + wait - EARLY_MS;
}
