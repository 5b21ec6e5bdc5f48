import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The end is near enough to be followed. */
export const NEAR_END_PX = 80;

const UP_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);
const DOWN_KEYS = new Set(["ArrowDown", "PageDown", "End", " "]);

export type Following = {
  /** Whether the page stays at the end while it grows. */
  readonly following: boolean;
  /** The same, readable at any moment. */
  readonly isFollowing: () => boolean;
  readonly follow: (on: boolean) => void;
};

/**
 * Whether the log follows its end. Any move upwards, drag or selection of the person ends it at once;
 * only the person begins it again.
 */
export function useFollowing(log: RefObject<HTMLElement | null>, onChange: (on: boolean) => void): Following {
  const [following, setFollowing] = useState(true);
  const now = useRef(true);
  const told = useRef(onChange);
  useEffect(() => {
    told.current = onChange;
  }, [onChange]);

  const follow = useCallback((on: boolean) => {
    if (now.current === on) return;
    now.current = on;
    told.current(on);
    setFollowing(on);
  }, []);

  useEffect(() => {
    const element = log.current;
    if (!element) return;
    let last = element.scrollTop;
    /** The person moves downwards, or drags the bar. */
    let towardsEnd = false;
    let dragging = false;

    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop;
    const onWheel = (event: WheelEvent) => {
      towardsEnd = event.deltaY > 0;
      if (event.deltaY < 0) follow(false);
      else if (distance() <= NEAR_END_PX) follow(true);
    };
    const onKey = (event: KeyboardEvent) => {
      const up = UP_KEYS.has(event.key) || (event.key === " " && event.shiftKey);
      towardsEnd = !up && DOWN_KEYS.has(event.key);
      if (up) follow(false);
    };
    const onPointerDown = (event: PointerEvent) => {
      dragging = event.target === element;
      if (dragging) follow(false);
    };
    const onPointerUp = () => {
      dragging = false;
    };
    const onTouch = () => {
      towardsEnd = true;
      follow(false);
    };
    const onScroll = () => {
      const moved = element.scrollTop - last;
      last = element.scrollTop;
      if (moved < -1 && distance() > NEAR_END_PX) follow(false);
      else if (moved > 0 && (towardsEnd || dragging) && distance() <= NEAR_END_PX) follow(true);
    };
    const onSelection = () => {
      const selection = document.getSelection();
      if (selection && !selection.isCollapsed && element.contains(selection.anchorNode)) follow(false);
    };

    element.addEventListener("wheel", onWheel, { passive: true });
    element.addEventListener("keydown", onKey);
    element.addEventListener("pointerdown", onPointerDown);
    window.addEventListener("pointerup", onPointerUp);
    element.addEventListener("touchmove", onTouch, { passive: true });
    element.addEventListener("scroll", onScroll, { passive: true });
    document.addEventListener("selectionchange", onSelection);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("keydown", onKey);
      element.removeEventListener("pointerdown", onPointerDown);
      window.removeEventListener("pointerup", onPointerUp);
      element.removeEventListener("touchmove", onTouch);
      element.removeEventListener("scroll", onScroll);
      document.removeEventListener("selectionchange", onSelection);
    };
  }, [log, follow]);

  return { following, isFollowing: useCallback(() => now.current, []), follow };
}
