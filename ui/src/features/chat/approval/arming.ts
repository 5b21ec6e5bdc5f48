import { type RefObject, useEffect, useState } from "react";

/** For this long after a question appears, keys and clicks on it do nothing. */
export const ARMING_MS = 500;

export type Arming = {
  /** Both ends of the question, and so all that is between them, were on screen long enough. */
  readonly armed: boolean;
  /** Its end was, its beginning was not: what would be answered is out of view. */
  readonly beginningUnseen: boolean;
};

/**
 * Whether a question was in view long enough to be answered on purpose.
 *
 * Asks for both ends, one after the other if it has to be: a question may be higher than the view.
 */
export function useArming(first: RefObject<Element | null>, last: RefObject<Element | null>): Arming {
  const beginning = useSight(first);
  const end = useSight(last);
  return {
    armed: beginning === "seen" && end === "seen",
    beginningUnseen: end === "seen" && beginning === "out",
  };
}

/** `seen` is what was wholly in view for long enough, once. */
type Sight = "out" | "in" | "seen";

function useSight(target: RefObject<Element | null>): Sight {
  const [sight, setSight] = useState<Sight>("out");
  const seen = sight === "seen";
  useEffect(() => {
    const element = target.current;
    if (!element || seen) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (inView: boolean) => {
      clearTimeout(timer);
      setSight(inView ? "in" : "out");
      if (inView) timer = setTimeout(() => setSight("seen"), ARMING_MS);
    };
    if (typeof IntersectionObserver === "undefined") {
      look(true);
      return () => clearTimeout(timer);
    }
    const observer = new IntersectionObserver((entries) => look(isWhole(entries.at(-1))), {
      threshold: [0, WHOLE],
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [target, seen]);
  return sight;
}

/** Whole but for a part of a pixel. */
const WHOLE = 0.9;

function isWhole(entry: IntersectionObserverEntry | undefined): boolean {
  return entry !== undefined && entry.intersectionRatio >= WHOLE;
}

let lastKeyAt = Number.NEGATIVE_INFINITY;

/** Remembers when a key was last pressed anywhere. */
export function watchKeys(): () => void {
  const onKey = () => {
    lastKeyAt = performance.now();
  };
  window.addEventListener("keydown", onKey, true);
  return () => window.removeEventListener("keydown", onKey, true);
}

/** Whether a question may take the focus: nobody is writing. */
export function mayTakeFocus(composerEmpty: boolean): boolean {
  const active = document.activeElement;
  const elsewhere =
    active instanceof HTMLElement && active.matches("input, [contenteditable], [role=dialog] *");
  return document.hasFocus() && composerEmpty && !elsewhere && performance.now() - lastKeyAt > 1000;
}
