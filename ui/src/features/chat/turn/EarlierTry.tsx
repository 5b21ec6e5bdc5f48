import { shortCause } from "@/lib/shortCause";
import type { ErrorCode, TurnId } from "@/protocol/bindings";

type Props = { turnId: TurnId; at: number | null; code: ErrorCode; position: number; count: number };

/** A try that left nothing: the same question stands below, with what came of it. */
export function EarlierTry({ turnId, at, code, position, count }: Props) {
  return (
    <article
      aria-posinset={position}
      aria-setsize={count}
      aria-labelledby={`${turnId}-name`}
      data-turn={turnId}
      // Nearer to its question than to what was before it.
      className="-mb-3.5"
    >
      <p id={`${turnId}-name`} className="text-end text-micro text-ink-3">
        {at === null ? "Tried before" : <>Tried {moment(at)}</>}: {shortCause(code)}
      </p>
    </article>
  );
}

function moment(at: number) {
  const date = new Date(at);
  const time = date.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
  const isToday = date.toDateString() === new Date().toDateString();
  const day = date.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return <time dateTime={date.toISOString()}>{isToday ? `at ${time}` : `on ${day} at ${time}`}</time>;
}
