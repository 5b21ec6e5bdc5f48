import { type RefObject, useId, useRef } from "react";
import { announce } from "@/components/Announcer";
import { InlineError } from "@/components/InlineError";
import { showToast } from "@/components/toasts";
import { useFocusAfterRemoval } from "@/components/useFocusAfterRemoval";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ConnectionView } from "@/protocol/bindings";
import { ConnectionCard } from "./ConnectionCard";
import { calledOf, moved, useFallback, useOrder } from "./connections";

type Props = {
  connections: readonly ConnectionView[];
  /** Where the focus goes when the last one is removed. */
  above: RefObject<HTMLElement | null>;
};

/** Where models answer, in the order in which they are asked; nothing when there is none. */
export function ConnectionList({ connections, above }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const order = useOrder();
  const fallback = useFallback();
  const error = order.error ?? fallback.error;
  const names = connections.map(({ name }) => name);

  const title = useId();
  const removed = useFocusAfterRemoval<string>((name) => names.includes(name), [list, above]);

  function move(connection: ConnectionView, by: -1 | 1): void {
    const { name } = connection;
    const next = moved(names, name, by);
    if (next === names) return;
    order.mutate(next);
    announce(`${calledOf(connection)} is now ${next.indexOf(name) + 1} of ${next.length}`);
  }

  if (connections.length === 0) return null;
  return (
    <section aria-labelledby={title} className="grid gap-3">
      <h3 id={title} className="text-lead font-mid">
        In this order
      </h3>
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
              removed(connection.name);
            }}
          />
        ))}
      </ol>
    </section>
  );
}
