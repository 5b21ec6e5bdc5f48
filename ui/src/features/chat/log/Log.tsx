import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { SessionState } from "@/state";
import { useLive } from "@/state";
import { PendingTurn } from "../turn/PendingTurn";
import { Turn } from "../turn/Turn";
import { NEAR_END_PX, useFollowing } from "./follow";
import { LatestPill } from "./LatestPill";
import { keepPlace, placeOf } from "./place";
import { useJumps } from "./useJumps";

type Props = {
  sessionId: string | null;
  session: SessionState;
  /** A turn to go to, from a search. */
  goal: string | null;
  /** Counts the messages sent here: after each the log goes to its end. */
  sent: number;
};

const ESTIMATED_TURN_PX = 260;
/** Older turns are asked for when the view comes this near to the first one that is here. */
const LOAD_OLDER_PX = 1500;
const OVERSCAN = 2;
const NEVER = -1;
/** A turn asked just now begins in the top third and has this part of the view for itself. */
const NEW_TURN_PART = 0.62;

/** The conversation, of which only what is near the view is in the page. */
export function Log({ sessionId, session, goal, sent }: Props) {
  const live = useLive();
  const element = useRef<HTMLDivElement>(null);
  const { turnIds, pending, hasOlder, loadingOlder, runningTurnId, summary } = session;
  const keys = useMemo(() => [...turnIds, ...pending.map((message) => message.localId)], [turnIds, pending]);
  const [from] = useState(() => placeOf(sessionId));
  const total = Math.max(summary?.turnCount ?? 0, turnIds.length);

  const { following, isFollowing, follow } = useFollowing(element, (on) => {
    virtualizer.options.scrollEndThreshold = on ? NEAR_END_PX : NEVER;
  });
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => element.current,
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    estimateSize: () => ESTIMATED_TURN_PX,
    overscan: OVERSCAN,
    initialOffset: () => keys.length * ESTIMATED_TURN_PX,
    paddingStart: 12,
    paddingEnd: 28,
    gap: 34,
    anchorTo: "end",
    followOnAppend: following,
    scrollEndThreshold: following ? NEAR_END_PX : NEVER,
    ...(from ? { initialMeasurementsCache: from.measured } : {}),
  });
  const items = virtualizer.getVirtualItems();
  /** Kept beside the virtualizer, which forgets when it leaves the page. */
  const measured = useRef<VirtualItem[]>([]);
  measured.current = virtualizer.measurementsCache;
  const jump = useJumps({ sessionId, session, virtualizer, element, follow });

  // The last screen first, or where the person was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat is shown
  useLayoutEffect(() => {
    const index = from && !from.following ? keys.indexOf(from.turnId) : -1;
    const start = index < 0 ? undefined : virtualizer.getOffsetForIndex(index, "start")?.[0];
    if (from && start !== undefined) {
      follow(false);
      virtualizer.scrollToOffset(start + from.offset);
    } else virtualizer.scrollToEnd();
    const log = element.current;
    return () => {
      const seen = firstInView(log);
      if (seen) keepPlace(sessionId, { ...seen, following: isFollowing(), measured: measured.current });
    };
  }, []);

  useEffect(() => {
    if (sent === 0) return;
    follow(true);
    virtualizer.scrollToEnd();
  }, [sent, follow, virtualizer]);

  // Asked at each place the view comes to, and again when a page was not enough.
  const firstShown = items[0]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first item in the page tells that the view moved
  useEffect(() => {
    if (sessionId === null || !hasOlder || loadingOlder) return;
    const frame = requestAnimationFrame(() => {
      if ((element.current?.scrollTop ?? 0) > LOAD_OLDER_PX) return;
      void live
        .session(sessionId)
        .loadOlder()
        .catch(() => {});
    });
    return () => cancelAnimationFrame(frame);
  }, [live, sessionId, hasOlder, loadingOlder, firstShown]);

  useEffect(() => {
    if (goal !== null) jump.toTurn(goal);
  }, [goal, jump]);

  const latestId = pending.length > 0 ? null : turnIds.at(-1);
  const older = total - turnIds.length;
  return (
    <div className="relative min-h-0 grow">
      <div
        ref={element}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={jump.onKeyDown}
        className="log h-full overflow-x-hidden overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div style={{ blockSize: virtualizer.getTotalSize() }} className="relative w-full">
          {items.map(({ key, index, start }) => {
            const message = pending[index - turnIds.length];
            const turnId = turnIds[index];
            const isNew = sent > 0 && index === keys.length - 1;
            const place: CSSProperties = {
              transform: `translateY(${start}px)`,
              ...(isNew ? { minBlockSize: (virtualizer.scrollRect?.height ?? 0) * NEW_TURN_PART } : {}),
            };
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-key={key}
                style={place}
                className="absolute inset-x-0 top-0 mx-auto reading-column"
              >
                {turnId !== undefined && sessionId !== null ? (
                  <Turn
                    sessionId={sessionId}
                    turnId={turnId}
                    previousId={turnIds[index - 1] ?? null}
                    nextId={turnIds[index + 1] ?? null}
                    position={older + index + 1}
                    count={total}
                    latest={turnId === latestId}
                  />
                ) : null}
                {message ? <PendingTurn sessionId={sessionId} message={message} /> : null}
              </div>
            );
          })}
        </div>
      </div>
      {following ? null : (
        <LatestPill
          sessionId={sessionId}
          turnId={runningTurnId}
          onLatest={() => {
            follow(true);
            virtualizer.scrollToEnd();
          }}
        />
      )}
    </div>
  );
}

/** The first row in view, and how far it is scrolled. */
function firstInView(log: HTMLElement | null): { turnId: string; offset: number } | null {
  const top = log?.getBoundingClientRect().top ?? 0;
  for (const row of log?.querySelectorAll<HTMLElement>("[data-key]") ?? []) {
    const box = row.getBoundingClientRect();
    if (box.bottom > top) return { turnId: row.dataset.key ?? "", offset: top - box.top };
  }
  return null;
}
