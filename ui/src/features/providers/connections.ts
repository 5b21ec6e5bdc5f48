import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { ApiError, ConnectionTest, ConnectionView } from "@/protocol/bindings";
import { useLive } from "@/state";
import { dropProvider, queries } from "@/state/queries";

type Connections = readonly ConnectionView[];

/** A change of the list: shown at once, taken back when the core refuses. */
function useListChange<T>(
  ask: (wanted: T) => Promise<void>,
  shown: (connections: Connections, wanted: T) => Connections,
) {
  const client = useQueryClient();
  const { queryKey } = queries.connections(usePlatform());
  return useMutation({
    mutationFn: ask,
    onMutate: async (wanted: T) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, [...shown(before, wanted)]);
      return { before };
    },
    onError: (_error, _wanted, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
    },
    onSettled: () => dropProvider(client),
  });
}

/** Puts the connections into the order of these names. */
export function useOrder() {
  const platform = usePlatform();
  return useListChange(
    (names: readonly string[]) => platform.connectionsOrder([...names]),
    (connections, names) => names.flatMap((wanted) => connections.find(({ name }) => name === wanted) ?? []),
  );
}

type Fallback = { readonly name: string; readonly fallback: boolean };

/** Whether a connection takes over when those before it do not answer. */
export function useFallback() {
  const platform = usePlatform();
  return useListChange(
    ({ name, fallback }: Fallback) => platform.connectionFallback(name, fallback),
    (connections, { name, fallback }) =>
      connections.map((other) => (other.name === name ? { ...other, fallback } : other)),
  );
}

/** Takes a connection out. Shown when it is done: it cannot be taken back. */
export function useRemoveConnection() {
  const platform = usePlatform();
  const live = useLive();
  return useListChange(
    async (name: string) => {
      await platform.connectionRemove(name);
      // Chats that were set to it are set to nothing now.
      live.reopenAll();
    },
    (connections) => connections,
  );
}

export type Testing =
  | { readonly type: "idle" }
  | { readonly type: "running" }
  | { readonly type: "done"; readonly test: ConnectionTest }
  | { readonly type: "failed"; readonly error: ApiError };

/** Tests a connection on demand. The person need not wait: what comes after `forget` is not shown as its result. */
export function useConnectionTest(name: string) {
  const platform = usePlatform();
  const client = useQueryClient();
  const [testing, setTesting] = useState<Testing>({ type: "idle" });
  const current = useRef(0);
  useEffect(() => () => void current.current++, []);

  async function run(): Promise<void> {
    const mine = ++current.current;
    setTesting({ type: "running" });
    let outcome: Testing;
    try {
      outcome = { type: "done", test: await platform.connectionTest(name) };
    } catch (thrown) {
      outcome = { type: "failed", error: toApiError(thrown) };
    }
    if (mine === current.current) setTesting(outcome);
    // Whoever did not wait hears of it as well: it is known better now how the connection does.
    await dropProvider(client);
  }

  function forget(): void {
    current.current++;
    setTesting({ type: "idle" });
  }

  return { testing, run, forget };
}

/** How a connection is called: its vendor, and its name where that says more. */
export function calledOf({ label, name }: Pick<ConnectionView, "label" | "name">): string {
  return name === label.toLowerCase() ? label : `${label}, ${name}`;
}

/** The list after one of it moved by one place. */
export function moved(names: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const from = names.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= names.length) return names;
  return names.toSpliced(from, 1).toSpliced(to, 0, name);
}

/** A name like this one that is still free, in small letters, digits, `-` and `_`. */
export function freeName(like: string, taken: readonly string[]): string {
  const plain =
    like
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, "-")
      .replaceAll(/^[-_]+|-+$/g, "") || "connection";
  if (!taken.includes(plain)) return plain;
  let number = 2;
  while (taken.includes(`${plain}-${number}`)) number++;
  return `${plain}-${number}`;
}

/** Why a new connection cannot have this name; `null` when it can, or when only the core can say. */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === "") return "Give it a name.";
  return taken.includes(name) ? "There is a connection with this name." : null;
}
