export { LiveProvider, useLive, useQuestion, useSession, useTurn } from "./hooks";
export { createLive, type Live } from "./live";
export { reduceTurn, replayTurn } from "./reduceTurn";
export type { Outgoing, PendingMessage, PendingState, SessionState } from "./sessionState";
export * from "./turnView";
