import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { type Place, provideNavigation } from "@/lib/navigation";
import { Frame } from "./Frame";
import { NotFound } from "./NotFound";
import { ViewFailed } from "./ViewFailed";

/** Pages come when they are asked for: the first paint, the sidebar, does not wait for them. */
const chatPages = () => import("./ChatRoute");
const settingsPages = () => import("@/features/settings");

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const newChat = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(chatPages, "NewChatRoute"),
});

const chatRoute = createRoute({
  getParentRoute: () => root,
  path: "/c/$sessionId",
  validateSearch: (search): { m?: string } => (typeof search.m === "string" ? { m: search.m } : {}),
  component: lazyRouteComponent(chatPages, "ChatRoute"),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(() => import("@/features/onboarding"), "Welcome"),
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

const SearchPage = lazyRouteComponent(() => import("@/features/search"), "SearchPage");

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(settingsPages, "SettingsLayout"),
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
  component: lazyRouteComponent(settingsPages, "GeneralPage"),
});
const providers = createRoute({
  getParentRoute: () => settings,
  path: "/providers",
  component: lazyRouteComponent(settingsPages, "ProvidersPage"),
});
const status = createRoute({
  getParentRoute: () => settings,
  path: "/status",
  component: lazyRouteComponent(settingsPages, "StatusPage"),
});

const tree = root.addChildren([
  newChat,
  chatRoute,
  welcome,
  search,
  settings.addChildren([settingsIndex, general, providers, status]),
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
