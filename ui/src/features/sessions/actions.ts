import { useMutation, useQueryClient } from "@tanstack/react-query";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { SessionSummary } from "@/protocol/bindings";
import { useLive } from "@/state";
import { queries } from "@/state/queries";

type Named = Pick<SessionSummary, "sessionId" | "title">;

/** Renames at once; takes it back when the core refuses. */
export function useRenameSession() {
  const platform = usePlatform();
  const client = useQueryClient();
  const { queryKey } = queries.sessions(platform);
  return useMutation({
    mutationFn: ({ sessionId, title }: Named) => platform.sessionRename(sessionId, title),
    onMutate: ({ sessionId, title }: Named) => {
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (sessions) =>
        sessions?.map((session) => (session.sessionId === sessionId ? { ...session, title } : session)),
      );
      return { before };
    },
    onError: (error, _named, context) => {
      client.setQueryData(queryKey, context?.before);
      showToast(describeError(toApiError(error)).title);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Deletes at once and offers to take it back for 10 s. */
export function useDeleteSession() {
  const platform = usePlatform();
  const live = useLive();
  const client = useQueryClient();
  const { queryKey } = queries.sessions(platform);

  async function restore({ sessionId }: Named): Promise<void> {
    await platform.sessionRestore(sessionId);
    live.forget(sessionId);
    await client.invalidateQueries({ queryKey });
    goTo({ to: "session", sessionId });
  }

  return async (session: Named, wasShown = true): Promise<void> => {
    client.setQueryData(queryKey, (sessions) =>
      sessions?.filter(({ sessionId }) => sessionId !== session.sessionId),
    );
    if (wasShown) goTo({ to: "new" });
    try {
      await platform.sessionDelete(session.sessionId);
      live.forget(session.sessionId);
      showToast(`Deleted “${session.title}”`, {
        label: "Undo",
        run: () => void restore(session).catch((error) => showToast(describeError(toApiError(error)).title)),
      });
    } catch (error) {
      showToast(describeError(toApiError(error)).title);
      await client.invalidateQueries({ queryKey });
    }
  };
}
