import { useState } from "react";
import { Button } from "@/components/Button";
import { Skeleton } from "@/components/Skeleton";
import { TurnDot } from "@/components/TurnDot";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { SessionSummary } from "@/protocol/bindings";
import { useSessions } from "@/state/queries";
import { groupByDay, type SessionGroup } from "./groups";
import { SessionRow } from "./SessionRow";

type Props = { shown: string | null; onGo: () => void };

const pageSize = 100;

/** What waits, what runs, then the rest by day. */
export function SessionList({ shown, onGo }: Props) {
  const { data, isPending, error, refetch } = useSessions();
  const [limit, setLimit] = useState(pageSize);

  if (isPending) return <Skeleton label="Loading chats" rows={6} className="px-2 pt-4" />;
  if (error) {
    return (
      <div className="grid justify-items-start gap-2 px-2 pt-4">
        <p role="alert" className="text-danger">
          {describeError(toApiError(error)).title}
        </p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }

  const waiting = data.filter((session) => session.waiting);
  const running = data.filter((session) => session.running && !session.waiting);
  const rest = data.filter((session) => !session.running && !session.waiting);
  const groups: readonly SessionGroup[] = [
    ...(running.length > 0 ? [{ title: "Running", sessions: running }] : []),
    ...groupByDay(newest(rest, limit), new Date()),
  ];

  return (
    <>
      {waiting.length > 0 ? (
        <Group title="Your turn" turn sessions={waiting} shown={shown} onGo={onGo} />
      ) : null}
      {groups.map((group) => (
        <Group key={group.title} {...group} shown={shown} onGo={onGo} />
      ))}
      {rest.length > limit ? (
        <Button size="small" look="quiet" className="mt-3" onClick={() => setLimit(limit + pageSize)}>
          Older chats
        </Button>
      ) : null}
    </>
  );
}

function newest(sessions: readonly SessionSummary[], count: number): readonly SessionSummary[] {
  return [...sessions].sort((a, b) => b.updatedAt - a.updatedAt).slice(0, count);
}

type GroupProps = SessionGroup & Props & { turn?: boolean };

function Group({ title, sessions, turn = false, shown, onGo }: GroupProps) {
  return (
    <section aria-label={title}>
      <h2
        className={classes(
          "mt-4 mb-1 flex items-center gap-1.75 px-2 text-micro font-mid",
          turn ? "text-turn-text" : "text-ink-3",
        )}
      >
        {turn ? <TurnDot /> : null}
        {title}
      </h2>
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.sessionId}
            session={session}
            current={session.sessionId === shown}
            onGo={onGo}
          />
        ))}
      </ul>
    </section>
  );
}
