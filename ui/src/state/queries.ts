import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePlatform } from "@/platform/context";
import type { Platform } from "@/platform/platform";
import type { Check, ConfigureProvider, FileId, SettingsView, Tag } from "@/protocol/bindings";
import type { Json } from "@/protocol/json";

/** As long as a month can be. */
const USAGE_DAYS = 31;

/** Data of the core: cached under its tag, dropped when the core says that it changed. */
export const queries = {
  sessions: (platform: Platform) =>
    queryOptions({ queryKey: ["sessions"], queryFn: () => platform.sessionList() }),
  settings: (platform: Platform) =>
    queryOptions({ queryKey: ["settings"], queryFn: () => platform.settingsGet() }),
  provider: (platform: Platform) =>
    queryOptions({ queryKey: ["provider"], queryFn: () => platform.providerStatus() }),
  // Under the tag of the provider: whatever changes one may change the others.
  connections: (platform: Platform) =>
    queryOptions({ queryKey: ["provider", "connections"], queryFn: () => platform.connectionsList() }),
  // Under the same tag: what is installed, removed or used comes with it.
  localModels: (platform: Platform) =>
    queryOptions({ queryKey: ["provider", "local"], queryFn: () => platform.localModels(), staleTime: 0 }),
  // Under the same tag: another key or address may offer others.
  models: (platform: Platform, name: string) =>
    queryOptions({
      queryKey: ["provider", "models", name],
      queryFn: () => platform.connectionModels(name),
      staleTime: 300_000,
    }),
  usage: (platform: Platform) =>
    queryOptions({ queryKey: ["usage"], queryFn: () => platform.usageByDay(USAGE_DAYS) }),
  found: (platform: Platform) =>
    queryOptions({ queryKey: ["found"], queryFn: () => platform.providerDiscover(), staleTime: 0 }),
  checks: (platform: Platform) =>
    queryOptions({ queryKey: ["checks"], queryFn: () => platform.statusChecks(), staleTime: 30_000 }),
  /** A file that was attached: its content never changes. */
  file: (platform: Platform, fileId: FileId) =>
    queryOptions({
      queryKey: ["file", fileId],
      queryFn: () => platform.attachmentGet(fileId),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
  search: (platform: Platform, query: string) =>
    queryOptions({
      queryKey: ["search", query],
      queryFn: () => platform.sessionSearch(query, 60),
      enabled: query.trim() !== "",
      staleTime: 0,
    }),
};

export function useSessions() {
  return useQuery(queries.sessions(usePlatform()));
}

export function useSettings() {
  return useQuery(queries.settings(usePlatform()));
}

/** What the assistant would answer with; `ready` is false until a model can be asked. */
export function useProviderStatus() {
  return useQuery(queries.provider(usePlatform()));
}

/** Every place where models answer, in order. */
export function useConnections() {
  return useQuery(queries.connections(usePlatform()));
}

/** What the last month cost, by day and model. */
export function useUsage(enabled = true) {
  return useQuery({ ...queries.usage(usePlatform()), enabled });
}

/** The content of an attached file, while `wanted`. */
export function useAttachedFile(fileId: FileId, wanted: boolean) {
  return useQuery({ ...queries.file(usePlatform(), fileId), enabled: wanted });
}

/** Runs the checks: they ask the model for one word and take a moment. */
export function useChecks() {
  return useQuery(queries.checks(usePlatform()));
}

/** What the last checks found, without running any. */
export function useKnownChecks(): readonly Check[] {
  return useQuery({ ...queries.checks(usePlatform()), enabled: false }).data ?? [];
}

/** Changes one setting at once; takes it back when the core refuses. */
export function useSetSetting() {
  const platform = usePlatform();
  const client = useQueryClient();
  const { queryKey } = queries.settings(platform);
  return useMutation({
    mutationFn: ({ key, value }: SettingChange) => platform.settingsSet({ key, value }),
    onMutate: async ({ field, value, shown = value }: SettingChange) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, [field]: shown } satisfies SettingsView);
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

export type SettingChange = {
  /** The dotted key of the configuration. */
  readonly key: string;
  /** Where the same is found in `SettingsView`. */
  readonly field: keyof SettingsView;
  readonly value: Json;
  /** How the view tells it, where that is not the value itself. */
  readonly shown?: Json;
};

/** Tests a choice of model and keeps it only if it works. */
export function useConfigureProvider() {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: ConfigureProvider) => platform.providerConfigure(request),
    // Waited for: whoever goes on from here finds the new state.
    onSuccess: () => dropProvider(client),
  });
}

/** Drops what was cached under these tags. */
export function dropCached(client: QueryClient, tags: readonly Tag[]): void {
  for (const tag of tags) {
    if (tag === "provider") void dropProvider(client);
    else void client.invalidateQueries({ queryKey: [tag] });
  }
}

/** Who answers, and how, is to be asked again. */
export async function dropProvider(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: ["checks"] });
  await client.invalidateQueries({ queryKey: ["provider"] });
}

/** A turn has ended: what was used has grown. */
export function dropUsage(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ["usage"] });
}
