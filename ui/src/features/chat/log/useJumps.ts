import type { Virtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { isImeKey } from "@/lib/ime";
import { type Live, questionKey, type SessionState, useLive } from "@/state";
import { isFolded } from "../turn/attempts";

type Parts = {
  sessionId: string | null;
  session: SessionState;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  element: RefObject<HTMLDivElement | null>;
  follow: (on: boolean) => void;
};

const MARKED_MS = 2000;

export type Jumps = { onKeyDown: (event: KeyboardEvent) => void; toTurn: (turnId: string) => void };

/** Home, End, from question to question, and to a turn that may not be loaded yet. */
export function useJumps({ sessionId, session, virtualizer, element, follow }: Parts): Jumps {
  const live = useLive();
  /** Where to go once it is loaded: the beginning or a turn. */
  const [goal, setGoal] = useState<"start" | { turnId: string } | null>(null);
  const { turnIds, hasOlder, loadingOlder, status } = session;
  const ids = useRef(turnIds);

  useEffect(() => {
    ids.current = turnIds;
  }, [turnIds]);

  useEffect(() => {
    if (goal === null || sessionId === null || status !== "ready") return;
    const index = goal === "start" ? -1 : turnIds.indexOf(goal.turnId);
    if (index < 0 && hasOlder) {
      if (!loadingOlder)
        void live
          .session(sessionId)
          .loadOlder()
          .catch(() => setGoal(null));
      return;
    }
    if (goal === "start") virtualizer.scrollToOffset(0);
    else if (index >= 0) {
      const shown = unfolded(live, sessionId, turnIds, index, 1);
      virtualizer.scrollToIndex(shown, { align: "start" });
      mark(element.current, turnIds[shown] ?? goal.turnId);
    }
    setGoal(null);
  }, [goal, live, sessionId, status, turnIds, hasOlder, loadingOlder, virtualizer, element]);

  return useMemo(() => {
    const toQuestion = (step: 1 | -1) => {
      const offset = virtualizer.scrollOffset ?? 0;
      const here = virtualizer.getVirtualItemForOffset(offset + 1)?.index ?? 0;
      const next = Math.min(Math.max(here + step, 0), ids.current.length - 1);
      const index = sessionId === null ? next : unfolded(live, sessionId, ids.current, next, step);
      follow(false);
      virtualizer.scrollToIndex(index, { align: "start" });
    };
    return {
      toTurn: (turnId) => {
        follow(false);
        setGoal({ turnId });
      },
      onKeyDown: (event) => {
        if (isImeKey(event) || event.target !== element.current) return;
        if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
          event.preventDefault();
          toQuestion(event.key === "ArrowUp" ? -1 : 1);
        } else if (event.key === "Home") {
          event.preventDefault();
          follow(false);
          setGoal("start");
        } else if (event.key === "End") {
          event.preventDefault();
          follow(true);
          virtualizer.scrollToEnd();
        }
      },
    };
  }, [live, sessionId, virtualizer, element, follow]);
}

/** The nearest turn that shows its question, in this direction: an earlier try is only a line above it. */
function unfolded(live: Live, sessionId: string, ids: readonly string[], from: number, step: 1 | -1): number {
  const session = live.session(sessionId);
  const isLine = (index: number) => {
    const view = session.turn(ids[index] ?? "");
    const next = session.turn(ids[index + 1] ?? "");
    return view !== null && isFolded(view, next && questionKey(next));
  };
  let index = from;
  while (isLine(index)) index += step;
  // Above the first question are only its own earlier tries.
  return index < 0 ? unfolded(live, sessionId, ids, from, 1) : index;
}

/** Shows for a moment which turn was meant. */
function mark(log: HTMLElement | null, turnId: string): void {
  requestAnimationFrame(() => {
    const turn = log?.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
    turn?.classList.add("found");
    setTimeout(() => turn?.classList.remove("found"), MARKED_MS);
  });
}
