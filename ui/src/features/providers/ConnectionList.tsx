import { useEffect, useRef, useState } from "react";
import { announce } from "@/components/Announcer";
import { InlineError } from "@/components/InlineError";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ConnectionView } from "@/protocol/bindings";
import { ConnectionCard } from "./ConnectionCard";
import { calledOf, moved, useFallback, useOrder } from "./connections";

type Props = { connections: readonly ConnectionView[] };

/** Where models answer, in the order in which they are asked. */
export function ConnectionList({ connections }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [gone, setGone] = useState<string | null>(null);
  const order = useOrder();
  const fallback = useFallback();
  const error = order.error ?? fallback.error;
  const names = connections.map(({ name }) => name);

  // The button that had the focus leaves with its card.
  useEffect(() => {
    if (gone === null || connections.some(({ name }) => name === gone)) return;
    list.current?.focus();
    setGone(null);
  }, [gone, connections]);

  function move(connection: ConnectionView, by: -1 | 1): void {
    const { name } = connection;
    const next = moved(names, name, by);
    if (next === names) return;
    order.mutate(next);
    announce(`${calledOf(connection)} is now ${next.indexOf(name) + 1} of ${next.length}`);
  }

  return (
    <div className="grid gap-3">
      {error ? <InlineError words={describeError(toApiError(error))} /> : null}
      <ol ref={list} tabIndex={-1} aria-label="Connections" className="grid gap-2.5 outline-none">
        {connections.map((connection, index) => (
          <ConnectionCard
            key={connection.name}
            connection={connection}
            place={index}
            count={connections.length}
            onMove={(by) => move(connection, by)}
            onFallback={(on) => fallback.mutate({ name: connection.name, fallback: on })}
            onRemoved={() => {
              showToast(`${calledOf(connection)} is out of the list`);
              setGone(connection.name);
            }}
          />
        ))}
      </ol>
    </div>
  );
}
