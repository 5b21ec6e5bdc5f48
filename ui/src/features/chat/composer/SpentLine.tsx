import { dollars } from "@/lib/money";
import { spentToday } from "@/lib/spent";
import type { SessionId } from "@/protocol/bindings";
import { useLive } from "@/state";
import { useUsage } from "@/state/queries";

type Props = { sessionId: SessionId | null; hasOlder: boolean };

/** What this chat and this day cost; nothing while that is nothing. */
export function SpentLine({ sessionId, hasOlder }: Props) {
  const live = useLive();
  const turns = sessionId === null ? [] : live.session(sessionId).turns();
  const chat = turns.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0);
  // Asked only where money is spent.
  const today = spentToday(useUsage(chat > 0).data ?? [], Date.now());
  if (chat === 0) return null;
  // Only what is loaded can be summed up here.
  const words = hasOlder ? [] : [`This chat ${dollars(chat)}`];
  if (today > 0) words.push(`${words.length === 0 ? "Today" : "today"} ${dollars(today)}`);
  return words.length === 0 ? null : <span>{words.join(", ")}</span>;
}
