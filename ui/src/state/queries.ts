import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePlatform } from "@/platform/context";
import type { Platform } from "@/platform/platform";
import type { Check, ConfigureProvider, FileId, SettingsView, Tag } from "@/protocol/bindings";
import type { Json } from "@/protocol/json";

/** Data of the core: cached under its tag, dropped when the core says that it changed. */
export const queries = {
  sessions: (platform: Platform) =>
    queryOptions({ queryKey: ["sessions"], queryFn: () => platform.sessionList() }),
  settings: (platform: Platform) =>
    queryOptions({ queryKey: ["settings"], queryFn: () => platform.settingsGet() }),
  provider: (platform: Platform) =>
    queryOptions({ queryKey: ["provider"], queryFn: () => platform.providerStatus() }),
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
    onMutate: async ({ field, value }: SettingChange) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, [field]: value } satisfies SettingsView);
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
};

/** Tests a choice of model and keeps it only if it works. */
export function useConfigureProvider() {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: ConfigureProvider) => platform.providerConfigure(request),
    onSuccess: (status) => {
      client.setQueryData(queries.provider(platform).queryKey, status);
      void client.invalidateQueries({ queryKey: ["checks"] });
    },
  });
}

/** Another model of the same provider. */
export function useSetModel() {
  const platform = usePlatform();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (model: string) => platform.settingsSet({ key: "provider.model", value: model }),
    onSettled: () => client.invalidateQueries({ queryKey: ["provider"] }),
  });
}

/** Drops what was cached under these tags. */
export function dropCached(client: QueryClient, tags: readonly Tag[]): void {
  for (const tag of tags) void client.invalidateQueries({ queryKey: [tag] });
  if (tags.includes("provider")) void client.invalidateQueries({ queryKey: ["checks"] });
}
