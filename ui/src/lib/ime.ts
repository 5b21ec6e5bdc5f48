/** The part of a keyboard event that tells whether an input method is at work. */
export type KeyLike = {
  readonly isComposing?: boolean;
  readonly keyCode?: number;
  readonly timeStamp: number;
  readonly nativeEvent?: { readonly isComposing?: boolean };
};

/** WebKit sends the key that confirms a composition after `compositionend`. */
const settleMs = 30;

let lastCompositionEnd = Number.NEGATIVE_INFINITY;

/** Listens for the end of compositions anywhere on the page. Call once at start. */
export function watchComposition(target: EventTarget = document): () => void {
  const onEnd = (event: Event) => {
    lastCompositionEnd = event.timeStamp;
  };
  target.addEventListener("compositionend", onEnd, true);
  return () => target.removeEventListener("compositionend", onEnd, true);
}

/**
 * Whether a key belongs to an input method and must be left alone.
 *
 * Every handler of Enter, Esc, Tab, arrows and digits asks this first: composer, palette, find,
 * rename, forms. Kannada and Hindi compose too.
 */
export function isImeKey(event: KeyLike): boolean {
  if (event.isComposing || event.nativeEvent?.isComposing) return true;
  if (event.keyCode === 229) return true;
  const since = event.timeStamp - lastCompositionEnd;
  return since >= 0 && since < settleMs;
}
