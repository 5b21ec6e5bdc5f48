import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { usePlatform } from "@/platform/context";
import type { LocalModel, ProviderStatus } from "@/protocol/bindings";
import { dropProvider, queries } from "@/state/queries";
import { type Install, installsOf, type Wanted } from "./installs";

/** What is on this computer, and what can be. */
export function useLocalModels() {
  return useQuery(queries.localModels(usePlatform()));
}

/** The installations, and how one begins and stops. */
export function useInstalls() {
  const platform = usePlatform();
  const client = useQueryClient();
  const { store, begin, stop } = installsOf(platform);
  const installs: Readonly<Record<string, Install>> = useStore(store);

  async function install(wanted: Wanted): Promise<void> {
    await begin(wanted);
    await dropProvider(client);
  }
  return { installs, install, stop };
}

/** Makes a model the one that answers; resolves with who answers then. */
export function useUse() {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (model: LocalModel): Promise<ProviderStatus> => {
      await platform.localUse(model);
      await dropProvider(client);
      return client.fetchQuery(queries.provider(platform));
    },
  });
}

/** Removes a model for good. */
export function useRemove() {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, keeper }: LocalModel) => platform.localRemove(name, keeper),
    onSuccess: () => dropProvider(client),
  });
}
