import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from "@tanstack/react-router";
import { type ComponentType, lazy } from "react";
import { type Place, provideNavigation } from "@/lib/navigation";
import { Frame } from "./Frame";
import { NotFound } from "./NotFound";
import { ViewFailed } from "./ViewFailed";

// Pages come when they are asked for. The router does not wait for them either, so that the sidebar
// is painted first; `Frame` holds the place.
// One for both chats: the first look at each lazy component shows an empty place, and React then
// keeps that for 300 ms.
const Chat = lazy(async () => page((await import("./ChatRoute")).ChatRoute));
const Welcome = lazy(async () => page((await import("@/features/onboarding")).Welcome));
const SearchPage = lazy(async () => page((await import("@/features/search")).SearchPage));
const SettingsLayout = lazy(async () => page((await import("@/features/settings")).SettingsLayout));
const GeneralPage = lazy(async () => page((await import("@/features/settings")).GeneralPage));
const ProvidersPage = lazy(async () => page((await import("@/features/settings")).ProvidersPage));
const ModelsPage = lazy(async () => page((await import("@/features/settings")).ModelsPage));
const StatusPage = lazy(async () => page((await import("@/features/settings")).StatusPage));

function page<P>(component: ComponentType<P>): { default: ComponentType<P> } {
  return { default: component };
}

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const newChat = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: () => <Chat isNew />,
});

const chatRoute = createRoute({
  getParentRoute: () => root,
  path: "/c/$sessionId",
  validateSearch: (search): { m?: string } => (typeof search.m === "string" ? { m: search.m } : {}),
  component: () => <Chat isNew={false} />,
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: Welcome,
});

const search = createRoute({
  getParentRoute: () => root,
  path: "/search",
  validateSearch: (search): { q?: string } => (typeof search.q === "string" ? { q: search.q } : {}),
  component: SearchRoute,
});

function SearchRoute() {
  return <SearchPage query={search.useSearch().q ?? ""} />;
}

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: SettingsLayout,
});
const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/general" });
  },
});
const general = createRoute({
  getParentRoute: () => settings,
  path: "/general",
  component: GeneralPage,
});
const providers = createRoute({
  getParentRoute: () => settings,
  path: "/providers",
  component: ProvidersPage,
});
const models = createRoute({
  getParentRoute: () => settings,
  path: "/models",
  component: ModelsPage,
});
const status = createRoute({
  getParentRoute: () => settings,
  path: "/status",
  component: StatusPage,
});

const tree = root.addChildren([
  newChat,
  chatRoute,
  welcome,
  search,
  settings.addChildren([settingsIndex, general, providers, models, status]),
]);

export type AppRouter = ReturnType<typeof createAppRouter>;

/** The router of the window. In a page of Tauri the place is kept behind the hash. */
export function createAppRouter() {
  const router = createRouter({
    routeTree: tree,
    history: createHashHistory(),
    defaultPreload: false,
    defaultErrorComponent: ViewFailed,
  });
  provideNavigation((place) => void router.navigate(addressOf(place)));
  return router;
}

function addressOf(place: Place) {
  switch (place.to) {
    case "new":
      return { to: "/" } as const;
    case "session":
      return {
        to: "/c/$sessionId",
        params: { sessionId: place.sessionId },
        search: place.turnId === undefined ? {} : { m: place.turnId },
      } as const;
    case "settings":
      return { to: `/settings/${place.page}` } as const;
    case "search":
      return { to: "/search", search: place.query === undefined ? {} : { q: place.query } } as const;
    case "welcome":
      return { to: "/welcome" } as const;
  }
}

/** The chat on screen, if one is. */
export function shownSession(router: AppRouter): string | null {
  const [, folder, sessionId] = router.state.location.pathname.split("/");
  return folder === "c" && sessionId ? sessionId : null;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
