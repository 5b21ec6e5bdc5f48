import { useSyncExternalStore } from "react";

export type Urgency = "polite" | "assertive";

type Spoken = { readonly text: string; readonly count: number };

let spoken: Readonly<Record<Urgency, Spoken>> = {
  polite: { text: "", count: 0 },
  assertive: { text: "", count: 0 },
};
const listeners = new Set<() => void>();

/**
 * Says something to people who listen to the screen.
 *
 * Assertive only for failed sends and for approvals that block. Never tokens.
 */
export function announce(text: string, urgency: Urgency = "polite"): void {
  spoken = { ...spoken, [urgency]: { text, count: spoken[urgency].count + 1 } };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The two live regions of the page. Rendered once, by the frame. */
export function Announcer() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => spoken);
  return (
    <>
      <div role="status" aria-label="Announcements" className="sr-only">
        <span key={polite.count}>{polite.text}</span>
      </div>
      <div role="alert" className="sr-only">
        <span key={assertive.count}>{assertive.text}</span>
      </div>
    </>
  );
}
