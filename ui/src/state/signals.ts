type Listener = () => void;

/** Listeners by key, told once per flush however often their key was touched. */
export function createSignals() {
  const listeners = new Map<string, Set<Listener>>();
  const touched = new Set<string>();

  return {
    touch(key: string): void {
      touched.add(key);
    },
    flush(): void {
      const keys = [...touched];
      touched.clear();
      for (const key of keys) {
        for (const listener of [...(listeners.get(key) ?? [])]) listener();
      }
    },
    isHeard: () => listeners.size > 0,
    on(key: string, listener: Listener): () => void {
      const known = listeners.get(key) ?? new Set();
      listeners.set(key, known.add(listener));
      return () => {
        known.delete(listener);
        if (known.size === 0) listeners.delete(key);
      };
    },
  };
}
