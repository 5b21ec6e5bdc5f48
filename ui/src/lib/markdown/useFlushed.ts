import { type RefObject, useEffect, useRef, useState } from "react";

const FASTEST_MS = 50;
const SLOW_FRAME_MS = 24;
const VERY_SLOW_FRAME_MS = 48;

/** How long to wait between two renderings, by how long frames take on this machine just now. */
export function flushInterval(frameMs: number): number {
  if (frameMs > VERY_SLOW_FRAME_MS) return FASTEST_MS * 4;
  return frameMs > SLOW_FRAME_MS ? FASTEST_MS * 2 : FASTEST_MS;
}

/** Whether a selection has an end inside of the element: what is rendered there must stay. */
function holdsSelection(element: HTMLElement | null): boolean {
  const selection = document.getSelection();
  if (!element || !selection || selection.isCollapsed) return false;
  return element.contains(selection.anchorNode) || element.contains(selection.focusNode);
}

/**
 * A text that grows often, given on seldom enough to be rendered.
 *
 * Holds still while the person selects inside of `selectable`, and catches up afterwards.
 */
export function useFlushed(
  text: string,
  growing: boolean,
  selectable: RefObject<HTMLElement | null>,
): string {
  const [shown, setShown] = useState(text);
  const latest = useRef(text);
  const ended = useRef(!growing);
  const shownNow = useRef(text);

  useEffect(() => {
    latest.current = text;
    ended.current = !growing;
  }, [text, growing]);

  // While it grows this stays as it is: the waits are counted over all of its growth.
  const active = growing || shown !== text;
  useEffect(() => {
    if (!active) return;
    let frame = 0;
    let lastFrame = performance.now();
    let lastFlush = 0;
    let frameMs = 16;
    const tick = (now: number) => {
      frameMs = frameMs * 0.9 + Math.min(now - lastFrame, 250) * 0.1;
      lastFrame = now;
      // The last words do not wait: there is no later one to render them with.
      const due = ended.current || now - lastFlush >= flushInterval(frameMs);
      if (due && latest.current !== shownNow.current && !holdsSelection(selectable.current)) {
        lastFlush = now;
        shownNow.current = latest.current;
        setShown(latest.current);
      }
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [active, selectable]);

  return shown;
}
