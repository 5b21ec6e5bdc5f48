import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Announcer } from "@/components/Announcer";
import { IconButton } from "@/components/IconButton";
import { PageChrome } from "@/components/Page";
import { useToasts } from "@/components/toasts";
import { Sidebar } from "@/features/sessions";
import { classes } from "@/lib/classes";
import { goTo } from "@/lib/navigation";
import { keyLabel } from "@/lib/platformKeys";
import { wasWelcomed } from "@/lib/welcomed";
import { usePlatform } from "@/platform/context";
import type { Connection } from "@/platform/platform";
import { useLive } from "@/state";
import { useProviderStatus } from "@/state/queries";
import { noteRead } from "@/state/unread";
import { AppStrips } from "./AppStrips";
import { closeSidebarIfNarrow, openSheet, toggleSidebar, useFrame } from "./frameState";
import { focusComposer } from "./regions";
import { shownSession } from "./router";
import { useShortcuts } from "./shortcuts";
import { useTheme } from "./theme";

// What floats comes when it is first needed: the first paint does not wait for it.
const Palette = lazy(async () => ({ default: (await import("./Palette")).Palette }));
const ShortcutSheet = lazy(async () => ({ default: (await import("./ShortcutSheet")).ShortcutSheet }));
const QuitDialog = lazy(async () => ({ default: (await import("./QuitDialog")).QuitDialog }));
const Toaster = lazy(async () => ({ default: (await import("@/components/Toaster")).Toaster }));

/** The window: sidebar, the view of the route, and what floats over both. */
export function Frame() {
  const router = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const shown = shownSession(router);
  const { sidebar, sheet, quitting } = useFrame();
  const hasToasts = useToasts(({ items }) => items.length > 0);
  const connection = useConnection();
  const ready = useFirstRun(path);
  useTheme();
  useEffect(() => {
    // Soon after the first paint, so that it opens at once.
    const timer = setTimeout(() => void import("./Palette"), 500);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (shown !== null) noteRead(shown);
  }, [shown]);
  useShortcuts(shown);

  const bare = path === "/welcome";
  const lead = sidebar ? null : (
    <IconButton
      label="Show sidebar"
      keys={keyLabel("Ctrl+B")}
      onClick={toggleSidebar}
      className="-ms-2 me-1"
      icon={<PanelLeft aria-hidden="true" className="size-4" />}
    />
  );

  return (
    <div className="relative flex h-full">
      <button
        type="button"
        onClick={focusComposer}
        className="sr-only focus:not-sr-only focus:absolute focus:start-3 focus:top-3 focus:z-(--z-toast) focus:rounded-m focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the message field
      </button>
      {sidebar && !bare ? (
        <Sidebar
          shown={shown}
          onHide={toggleSidebar}
          onPalette={() => openSheet("palette")}
          onGo={closeSidebarIfNarrow}
        />
      ) : null}
      <main
        data-region="main"
        tabIndex={-1}
        className={classes(
          "flex min-w-0 grow flex-col bg-surface outline-none",
          sidebar && !bare && "border-s border-line",
        )}
      >
        <PageChrome
          value={{
            lead: bare ? null : lead,
            strips: <AppStrips connection={connection} settingUp={bare || path === "/settings/providers"} />,
          }}
        >
          <Suspense>{ready ? <Outlet /> : null}</Suspense>
        </PageChrome>
      </main>
      <Suspense>
        {sheet === "palette" ? <Palette onClose={() => openSheet(null)} shown={shown} /> : null}
        {sheet === "shortcuts" ? <ShortcutSheet onClose={() => openSheet(null)} /> : null}
        {quitting ? <QuitDialog running={quitting} /> : null}
        {hasToasts ? <Toaster /> : null}
      </Suspense>
      <Announcer />
    </div>
  );
}

/** Leads to the welcome page when nothing is set up; `false` while that is not known yet. */
function useFirstRun(path: string): boolean {
  const provider = useProviderStatus();
  const undecided = !wasWelcomed() && path === "/";
  const lead = undecided && provider.data?.ready === false && provider.data.baseUrl === "";
  useEffect(() => {
    if (lead) goTo({ to: "welcome" });
  }, [lead]);
  return !undecided || (!provider.isPending && !lead);
}

/** Whether the core answers; when it is back, every open chat is read again. */
function useConnection(): Connection {
  const platform = usePlatform();
  const live = useLive();
  const [connection, setConnection] = useState<Connection>("connected");
  useEffect(() => {
    let last: Connection = "connected";
    return platform.onConnection((next) => {
      setConnection(next);
      if (next === "connected" && last !== "connected") live.reopenAll();
      last = next;
    });
  }, [platform, live]);
  return connection;
}
