import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect } from "react";
import { goTo } from "@/lib/navigation";
import { PlatformProvider } from "@/platform/context";
import { LiveProvider } from "@/state";
import type { Services } from "./services";

type Props = { services: Services };

/** Gives the pages what lives as long as the window. */
export function App({ services }: Props) {
  const { platform, client, live, router } = services;

  useEffect(() => {
    let stop: (() => void) | null = null;
    let ended = false;
    void live.connect().then((disconnect) => {
      if (ended) disconnect();
      else stop = disconnect;
    });
    return () => {
      ended = true;
      stop?.();
    };
  }, [live]);

  useEffect(() => {
    const sendWaiting = async () => {
      const born = await live.sendWaiting();
      if (born !== null && router.state.location.pathname === "/") goTo({ to: "session", sessionId: born });
    };
    window.addEventListener("online", sendWaiting);
    return () => window.removeEventListener("online", sendWaiting);
  }, [live, router]);

  return (
    <PlatformProvider value={platform}>
      <QueryClientProvider client={client}>
        <LiveProvider value={live}>
          <RouterProvider router={router} />
        </LiveProvider>
      </QueryClientProvider>
    </PlatformProvider>
  );
}
