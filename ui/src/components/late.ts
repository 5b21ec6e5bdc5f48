import { useSyncExternalStore } from "react";

/** A module that is not needed for the first paint: it comes right after it. */
export type Late<T> = {
  /** Asks for it now; resolves when it is there. */
  readonly load: () => Promise<void>;
  readonly current: () => T | null;
  readonly onLoaded: (listener: () => void) => () => void;
};

export function late<T>(fetchModule: () => Promise<T>): Late<T> {
  let module: T | null = null;
  const listeners = new Set<() => void>();
  const load = async () => {
    module ??= await fetchModule();
    for (const listener of listeners) listener();
  };
  return {
    load,
    current: () => module,
    onLoaded(listener) {
      if (listeners.size === 0 && module === null) afterPaint(() => void load());
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The module once it is there. */
export function useLate<T>(module: Late<T>): T | null {
  return useSyncExternalStore(module.onLoaded, module.current);
}

function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
