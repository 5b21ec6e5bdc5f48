/** What is open or chosen inside of turns. Kept while the program runs: turns leave the page when they scroll away. */
import { useCallback, useState } from "react";

const kept = new Map<string, unknown>();

/** Like `useState`, but the value is still there when the component comes back. */
export function useKept<T>(key: string, initial: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => (kept.has(key) ? (kept.get(key) as T) : initial));
  const keep = useCallback(
    (next: T) => {
      kept.set(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, keep];
}
