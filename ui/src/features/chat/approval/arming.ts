import { type RefObject, useEffect, useState } from "react";

/** For this long after a question appears, keys and clicks on it do nothing. */
export const ARMING_MS = 500;

/** Whether the buttons of a question were in view long enough to be used on purpose. */
export function useArmed(answers: RefObject<HTMLElement | null>): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const element = answers.current;
    if (!element || armed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const seen = (inView: boolean) => {
      clearTimeout(timer);
      timer = inView ? setTimeout(() => setArmed(true), ARMING_MS) : undefined;
    };
    if (typeof IntersectionObserver === "undefined") {
      seen(true);
      return () => clearTimeout(timer);
    }
    const observer = new IntersectionObserver((entries) => seen(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [answers, armed]);
  return armed;
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
