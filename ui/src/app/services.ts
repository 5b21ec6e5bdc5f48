import { QueryClient } from "@tanstack/react-query";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import type { Platform } from "@/platform/platform";
import { answererOf, createLive, fallbacksOf } from "@/state";
import { dropCached, dropUsage, queries } from "@/state/queries";
import { noteQuestion } from "@/state/questions";
import { noteUnread } from "@/state/unread";
import { createAnnouncements } from "./announcements";
import { askBeforeQuitting } from "./frameState";
import { createAppRouter, shownSession } from "./router";

export type Services = ReturnType<typeof createServices>;

/** What lives as long as the window: the caches, the live store, the router. */
export function createServices(platform: Platform) {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  const router = createAppRouter();
  const speak = createAnnouncements(
    () => shownSession(router),
    ({ sessionId, turnId }) => live.session(sessionId).turn(turnId),
  );
  const choiceOf = (sessionId: string | null) =>
    sessionId === null ? null : live.session(sessionId).state().choice.model;
  /** Whether a model on this computer may answer; also when nothing is known yet. */
  const staysHere = (chosen: string | null) => {
    const status = client.getQueryData(queries.provider(platform).queryKey);
    const connections = client.getQueryData(queries.connections(platform).queryKey) ?? [];
    const local = answererOf(chosen, status, connections)?.local;
    return local !== false || fallbacksOf(chosen, connections).some((fallback) => fallback.local);
  };
  const live = createLive(platform, {
    onDataChanged: (tags) => dropCached(client, tags),
    onTurnEvent: (envelope) => {
      noteQuestion(envelope);
      noteUnread(envelope, shownSession(router));
      speak(envelope);
      if (envelope.event.type === "turnFinished") dropUsage(client);
    },
    onQuitAsked: askBeforeQuitting,
    onProblem: (error) => showToast(describeError(error).title),
    canSend: (sessionId, model) => navigator.onLine || staysHere(model ?? choiceOf(sessionId)),
  });
  return { platform, client, live, router };
}
