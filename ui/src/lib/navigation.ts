import type { SessionId } from "@/protocol/bindings";

/** Where features can lead. The frame gives the way; features do not know the router. */
export type Place =
  | { readonly to: "new" }
  | { readonly to: "session"; readonly sessionId: SessionId; readonly turnId?: string }
  | { readonly to: "settings"; readonly page: "general" | "providers" | "models" | "status" }
  | { readonly to: "search"; readonly query?: string }
  | { readonly to: "welcome" };

let go: (place: Place) => void = () => {};

/** Set once by the frame. */
export function provideNavigation(navigate: (place: Place) => void): void {
  go = navigate;
}

export function goTo(place: Place): void {
  go(place);
}
