import { type RefObject, useEffect, useState } from "react";

type Places = readonly RefObject<HTMLElement | null>[];

/**
 * The button that had the focus leaves with its row. Tell what is removed, and once it is not there
 * any more the focus goes to the first of these places that is.
 */
export function useFocusAfterRemoval<T>(isThere: (removed: T) => boolean, places: Places) {
  const [removed, setRemoved] = useState<{ readonly what: T } | null>(null);
  useEffect(() => {
    if (removed === null || isThere(removed.what)) return;
    places.find(({ current }) => current !== null)?.current?.focus();
    setRemoved(null);
  }, [removed, isThere, places]);
  return (what: T) => setRemoved({ what });
}
