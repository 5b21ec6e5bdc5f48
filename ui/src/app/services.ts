import { QueryClient } from "@tanstack/react-query";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import type { Platform } from "@/platform/platform";
import { createLive } from "@/state";
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
    canSend: () =>
      navigator.onLine || client.getQueryData(queries.provider(platform).queryKey)?.local !== false,
  });
  return { platform, client, live, router };
}
